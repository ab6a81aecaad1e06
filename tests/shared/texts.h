/* Reader of tests/data/texts.txt: rows of texts that tests read, and of the results. */
#ifndef FATHOM_TESTS_SHARED_TEXTS_H
#define FATHOM_TESTS_SHARED_TEXTS_H

#include "tests/shared/check.h"
#include <stdbool.h>

/* Replaces the escapes \n, \r, \t, \\ and \xHH in place; '' becomes the empty text. */
static inline void texts_unescape(char *text) {
    static const char names[] = "nrt\\", values[] = "\n\r\t\\";
    const char *from = strcmp(text, "''") == 0 ? text + 2 : text;
    while (*from) {
        const char *name = *from == '\\' ? strchr(names, from[1]) : NULL;
        unsigned byte;
        if (name) {
            *text++ = values[name - names];
            from += 2;
        } else if (*from == '\\' && sscanf(from, "\\x%2x", &byte) == 1) {
            *text++ = (char)byte;
            from += 4;
        } else {
            *text++ = *from++;
        }
    }
    *text = '\0';
}

/* Calls `check` for each row of a section; a row with a failure is printed. */
static inline void texts_each(const char *section,
                              void (*check)(const char *text, const char *result)) {
    char path[4096], line[4096];
    const char *source = getenv("FATHOM_SOURCE");
    snprintf(path, sizeof path, "%s/tests/data/texts.txt", source ? source : ".");
    FILE *file = fopen(path, "r");
    bool inside = false;
    int rows = 0;
    for (int number = 1; file && fgets(line, sizeof line, file); number++) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "=== ", 4) == 0)
            inside = strcmp(line + 4, section) == 0;
        char *result = strstr(line, " -> ");
        if (!inside || !result || *line == '#')
            continue;
        const int before = failures;
        *result = '\0';
        texts_unescape(line);
        texts_unescape(result + 4);
        check(line, result + 4);
        if (failures > before)
            printf("%s:%d: %s -> %s\n", path, number, line, result + 4);
        rows++;
    }
    CHECK(rows > 0);
    if (file)
        fclose(file);
}

#endif
