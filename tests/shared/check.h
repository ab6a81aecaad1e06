/* Checks for tests of readers and writers: counts failures, and inspects the log. */
#ifndef FATHOM_TESTS_SHARED_CHECK_H
#define FATHOM_TESTS_SHARED_CHECK_H

#include "tests/shared/scoped.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                                 \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

/* Checks that a call fails with one log line that contains `text`. */
#define CHECK_REFUSED(call, text)                                                                  \
    do {                                                                                           \
        log_start();                                                                               \
        CHECK(!(call));                                                                            \
        CHECK(log_is_one_line(text));                                                              \
    } while (0)

#define LOG_FILE "stderr.txt"

#ifdef TEST_SANITIZED
#include <sanitizer/common_interface_defs.h>
#endif

/* Redirects standard error to a new, empty file. A truncated old file would be slower: file systems
 * write out its contents. */
static inline void log_start(void) {
    remove(LOG_FILE);
    if (!freopen(LOG_FILE, "w", stderr)) {
        puts("no log file can be made here");
        exit(1);
    }
#ifdef TEST_SANITIZED /* sanitizer reports are not part of the log, and must be visible */
    __sanitizer_set_report_fd((void *)1);
#endif
}

static inline int log_is_one_line(const char *text) {
    static char line[4096], more[4];
    fflush(stderr);
    FILE *file = fopen(LOG_FILE, "r");
    if (!file)
        return 0;
    const int one = fgets(line, sizeof line, file) && strchr(line, '\n') && strstr(line, text) &&
                    strncmp(line, "fathom: ", 8) == 0 && !fgets(more, sizeof more, file);
    fclose(file);
    if (!one)
        printf("expected one line with '%s', got: %s", text, line);
    return one;
}

/* Returns true if the log has exactly one error, as its last line. Warnings may come first. */
static inline int log_ends_in_one_error(void) {
    char line[4096];
    int errors = 0, last = 0;
    fflush(stderr);
    FILE *file = fopen(LOG_FILE, "r");
    while (file && fgets(line, sizeof line, file)) {
        last = strncmp(line, "fathom: error: ", 15) == 0;
        errors += last;
    }
    if (file)
        fclose(file);
    return errors == 1 && last;
}

static inline void file_put(const char *path, const void *data, size_t size) {
    remove(path);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) {
        printf("cannot write %s\n", path);
        exit(1);
    }
}

/* Returns the next number of xorshift64*, the same on every machine. */
static inline unsigned long long random_next(unsigned long long *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 2685821657736338717ull;
}

#endif
