/* Writes the man page and the completion: a template's text, with what the program's tables say in
 * place of its lines like @OPTIONS@, and the manual's chapters in place of @CHAPTERS@. */
#include "assets/install/completion.h"
#include "assets/install/manual.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct filling {
    const char *line;
    void (*write)(FILE *file);
} fillings[] = {
    {"@TITLE@\n", manual_title},
    {"@SYNOPSIS@\n", manual_synopsis},
    {"@COMMANDS@\n", manual_commands},
    {"@OPTIONS@\n", manual_options},
    {"@SETTINGS@\n", manual_settings},
    {"@KEYS@\n", manual_keys},
    {"@PALETTES@\n", manual_palettes},
    {"@BENCH_VIEWS@\n", manual_bench_views},
    {"@EXPERIMENTS@\n", manual_experiments},
    {"@COMPLETE_COMMANDS@\n", completion_commands},
    {"@COMPLETE_OPTIONS@\n", completion_options},
    {"@COMPLETE_VALUES@\n", completion_values},
    {"@COMPLETE_LETTERS@\n", completion_letters},
    {"@COMPLETE_WITH_VALUE@\n", completion_with_value},
    {"@COMPLETE_NAMES@\n", completion_names},
};

static bool is_filling(const char *line) {
    const size_t length = strlen(line);
    return length > 3 && line[0] == '@' && line[length - 2] == '@';
}

/* False: the file cannot be read. */
static bool copy_file(const char *path) {
    FILE *file = path ? fopen(path, "r") : NULL;
    for (int c; file && (c = fgetc(file)) != EOF;)
        putchar(c);
    return file && fclose(file) == 0;
}

static bool write_line(const char *line, const char *chapters) {
    if (!is_filling(line))
        return fputs(line, stdout) != EOF;
    if (strcmp(line, "@CHAPTERS@\n") == 0)
        return copy_file(chapters);
    for (size_t i = 0; i < sizeof fillings / sizeof *fillings; i++)
        if (strcmp(fillings[i].line, line) == 0) {
            fillings[i].write(stdout);
            return true;
        }
    fprintf(stderr, "nothing is known to fill %s", line);
    return false;
}

int main(int argc, char **argv) {
    char line[1024];
    FILE *template = argc == 2 || argc == 3 ? fopen(argv[1], "r") : NULL;
    bool ok = template != NULL;
    if (!ok)
        fprintf(stderr, "usage: fathom-texts TEMPLATE [CHAPTERS]\n");
    while (ok && fgets(line, sizeof line, template))
        ok = write_line(line, argv[2]);
    if (template)
        fclose(template);
    return ok && fflush(stdout) == 0 && !ferror(stdout) ? EXIT_SUCCESS : EXIT_FAILURE;
}
