/* Man page and shell completions: copies a template, and replaces lines such as @OPTIONS@ by text
 * from the program's tables, and @CHAPTERS@ by the manual's chapters. */
#include "app/input/input.h"
#include "app/options/option_table.h"
#include "assets/install/completion.h"
#include "render/files/bench_views.h"
#include "render/palette.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- the man page, as man(7) source --- */

/* Prints text escaped for man(7), in the middle of a line or within quotes. */
static void print_text(FILE *file, const char *text) {
    static const char special[] = "\\-\"'~^";
    static const char *const escapes[] = {"\\e", "\\-", "\\(dq", "\\(aq", "\\(ti", "\\(ha"};
    for (; *text; text++) {
        const char *found = strchr(special, *text);
        if (found)
            fputs(escapes[found - special], file);
        else
            fputc(*text, file);
    }
}

static void print_in(FILE *file, const char *font, const char *text) {
    fputs(font, file);
    print_text(file, text);
    fputs("\\fR", file);
}

static void print_bold(FILE *file, const char *text) {
    print_in(file, "\\fB", text);
}

/* Prints a tagged paragraph: a bold tag, and a text as a sentence. */
static void print_entry(FILE *file, const char *tag, const char *text) {
    const char first[] = {(char)toupper((unsigned char)*text), '\0'};
    fputs(".TP\n", file);
    print_bold(file, tag);
    fputs("\n\\&", file);
    print_text(file, first);
    print_text(file, text + (*text != '\0'));
    fputs(".\n", file);
}

/* Prints "--size WxH" or "-o, --output FILE". */
static void print_option(FILE *file, const struct option *option) {
    char name[64];
    if (option->letter) {
        snprintf(name, sizeof name, "-%c", option->letter);
        print_bold(file, name);
        fputs(", ", file);
    }
    snprintf(name, sizeof name, "--%s", option->name);
    print_bold(file, name);
    if (option->argument) {
        fputc(' ', file);
        print_in(file, "\\fI", option->argument);
    }
}

static void manual_title(FILE *file) {
    fputs(".TH FATHOM 1 2026-11-21 \"fathom " FATHOM_VERSION "\" \"User Commands\"\n", file);
}

static void manual_synopsis(FILE *file) {
    const struct option_command *command;
    for (size_t i = 0; (command = option_command(i)); i++) {
        const size_t named = command->name ? strlen(command->name) : 0;
        fputs(i > 0 ? ".br\n" : "", file);
        fputs("\\fBfathom\\fR ", file);
        if (named > 0)
            print_bold(file, command->name);
        print_text(file, command->usage + named);
        fputs(" [\\fIOPTION\\fR...]\n", file);
    }
}

static void print_options_of(FILE *file, size_t command) {
    const char *separator = "";
    struct option option;
    fputs("Options:", file);
    for (size_t i = 0; option_at(i, &option); i++)
        if (option.commands >> command & 1) {
            char name[64];
            snprintf(name, sizeof name, "--%s", option.name);
            fprintf(file, "%s ", separator);
            print_text(file, name);
            separator = ",";
        }
    fputs(".\n", file);
}

static void manual_commands(FILE *file) {
    const struct option_command *command;
    for (size_t i = 0; (command = option_command(i)); i++) {
        char tag[80];
        snprintf(tag, sizeof tag, "fathom %s", command->usage);
        print_entry(file, tag, command->help);
        fputs(".br\n", file);
        print_options_of(file, i);
    }
}

static void print_set(FILE *file, unsigned commands) {
    const char *separator = "";
    const struct option_command *command;
    fputs(".SS \"Of ", file);
    for (size_t i = 0; (command = option_command(i)); i++)
        if (commands >> i & 1) {
            fputs(separator, file);
            print_text(file, command->name ? command->name : "the explorer");
            separator = ", ";
        }
    fputs("\"\n", file);
}

static unsigned all_commands(void) {
    unsigned all = 0;
    for (size_t i = 0; option_command(i); i++)
        all |= 1u << i;
    return all;
}

/* Prints the choices, range and default, which the help text itself omits. */
static void man_values(FILE *file, const struct option *option) {
    char range[64];
    if (option->choices) {
        fputs("One of", file);
        for (size_t i = 0; option->choices[i]; i++) {
            fputs(i > 0 ? ", " : " ", file);
            print_bold(file, option->choices[i]);
        }
        fputs(".\n", file);
    } else if (option_range(option, range, sizeof range)) {
        range[0] = (char)toupper((unsigned char)range[0]);
        print_text(file, range);
        fputs(".\n", file);
    }
    if (option->initial) {
        fputs(option->of_view ? "Default: the view\\(aqs, else " : "Default: ", file);
        print_bold(file, option->initial);
        fputs(".\n", file);
    }
}

static void print_sharing(FILE *file, unsigned commands) {
    struct option option;
    for (size_t i = 0; option_at(i, &option); i++)
        if (option.commands == commands) {
            fputs(".TP\n", file);
            print_option(file, &option);
            fputs("\n\\&", file);
            print_text(file, option.help);
            fputc('\n', file);
            man_values(file, &option);
        }
}

static bool is_first_of_set(const struct option *option) {
    struct option before;
    for (size_t i = 0; i < option->index && option_at(i, &before); i++)
        if (before.commands == option->commands)
            return false;
    return true;
}

static void manual_options(FILE *file) {
    const unsigned all = all_commands();
    struct option option;
    for (size_t i = 0; option_at(i, &option); i++)
        if (option.commands != all && is_first_of_set(&option)) {
            print_set(file, option.commands);
            print_sharing(file, option.commands);
        }
    fputs(".SS \"Of every command\"\n", file);
    print_sharing(file, all);
}

static void manual_settings(FILE *file) {
    const char *separator = "";
    struct option option;
    for (size_t i = 0; option_at(i, &option); i++)
        if (option.setting) {
            fputs(separator, file);
            print_bold(file, option.name);
            separator = ", ";
        }
    fputs(".\n", file);
}

static void manual_keys(FILE *file) {
    struct input_line line;
    const char *heading = NULL;
    for (size_t i = 0; input_help(i, &line); i++) {
        if (line.heading != heading)
            fprintf(file, ".SS \"%s\"\n", line.heading);
        heading = line.heading;
        print_entry(file, line.keys, line.text);
    }
}

static void manual_palettes(FILE *file) {
    fputs("The built\\-in palettes are", file);
    for (size_t i = 0; palette_builtin(i); i++) {
        fputs(i > 0 ? ", " : " ", file);
        print_bold(file, palette_builtin(i)->id);
    }
    fputs(".\n", file);
}

static void manual_bench_views(FILE *file) {
    for (const struct bench_view *view = bench_views; view->name; view++)
        print_entry(file, view->name, view->what);
}

static void manual_experiments(FILE *file) {
    for (const struct experiment *e = lab_experiments; e->name; e++)
        print_entry(file, e->name, e->what);
}

/* --- templates --- */

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
    {"@COMPLETE_COMMANDS@\n", complete_commands},
    {"@COMPLETE_OPTIONS@\n", complete_options},
    {"@COMPLETE_VALUES@\n", complete_values},
    {"@COMPLETE_LETTERS@\n", complete_letters},
    {"@COMPLETE_WITH_VALUE@\n", complete_with_value},
    {"@COMPLETE_NAMES@\n", complete_names},
    {"@COMPLETE_HELP@\n", complete_help},
    {"@FISH_OPTIONS@\n", fish_options},
    {"@FISH_ARGUMENTS@\n", fish_arguments},
    {"@FISH_WITH_VALUE@\n", fish_with_value},
    {"@FISH_NAMES@\n", fish_names},
};

static bool is_filling(const char *line) {
    const size_t length = strlen(line);
    return length > 3 && line[0] == '@' && line[length - 2] == '@';
}

/* Copies a file to standard output. Returns false if the file cannot be read. */
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
