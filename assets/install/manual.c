/* The man page's tables. */
#include "assets/install/manual.h"
#include "app/explore/input.h"
#include "app/options/option_table.h"
#include "lab/lab.h"
#include "render/files/bench_views.h"
#include "render/palette.h"
#include <ctype.h>
#include <string.h>

/* Text as man(7) takes it in the middle of a line, also within quotes. */
static void print_text(FILE *file, const char *text) {
    for (; *text; text++)
        switch (*text) {
        case '\\':
            fputs("\\e", file);
            break;
        case '-':
            fputs("\\-", file);
            break;
        case '"':
            fputs("\\(dq", file);
            break;
        case '\'':
            fputs("\\(aq", file);
            break;
        case '~':
            fputs("\\(ti", file);
            break;
        case '^':
            fputs("\\(ha", file);
            break;
        default:
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

/* A tagged paragraph: what is bold and what it is, as a sentence. */
static void print_entry(FILE *file, const char *tag, const char *text) {
    const char first[] = {(char)toupper((unsigned char)*text), '\0'};
    fputs(".TP\n", file);
    print_bold(file, tag);
    fputs("\n\\&", file);
    print_text(file, first);
    print_text(file, text + (*text != '\0'));
    fputs(".\n", file);
}

/* "--size WxH", "-o, --output FILE" */
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

static bool means_something(const struct option *option, size_t command) {
    return option->commands >> command & 1;
}

void manual_title(FILE *file) {
    fputs(".TH FATHOM 1 2026-11-21 \"fathom " FATHOM_VERSION "\" \"User Commands\"\n", file);
}

void manual_synopsis(FILE *file) {
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
        if (means_something(&option, command)) {
            char name[64];
            snprintf(name, sizeof name, "--%s", option.name);
            fprintf(file, "%s ", separator);
            print_text(file, name);
            separator = ",";
        }
    fputs(".\n", file);
}

void manual_commands(FILE *file) {
    const struct option_command *command;
    for (size_t i = 0; (command = option_command(i)); i++) {
        char tag[80];
        snprintf(tag, sizeof tag, "fathom %s", command->usage);
        print_entry(file, tag, command->help);
        fputs(".br\n", file);
        print_options_of(file, i);
    }
}

/* --- options --- */

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

/* What the help leaves out because the command line would not be shorter for it. */
static void print_values(FILE *file, const struct option *option) {
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
}

static void print_option_entry(FILE *file, const struct option *option) {
    fputs(".TP\n", file);
    print_option(file, option);
    fputs("\n\\&", file);
    print_text(file, option->help);
    fputc('\n', file);
    print_values(file, option);
}

static void print_sharing(FILE *file, unsigned commands) {
    struct option option;
    for (size_t i = 0; option_at(i, &option); i++)
        if (option.commands == commands)
            print_option_entry(file, &option);
}

static bool is_first_of_set(const struct option *option) {
    struct option before;
    for (size_t i = 0; i < option->index && option_at(i, &before); i++)
        if (before.commands == option->commands)
            return false;
    return true;
}

void manual_options(FILE *file) {
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

/* --- other tables --- */

void manual_settings(FILE *file) {
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

void manual_keys(FILE *file) {
    struct input_line line;
    const char *group = NULL;
    for (size_t i = 0; input_help(i, &line); i++) {
        if (line.group != group)
            fprintf(file, ".SS \"%s\"\n", line.group);
        group = line.group;
        print_entry(file, line.keys, line.text);
    }
}

void manual_palettes(FILE *file) {
    fputs("The built\\-in palettes are", file);
    for (size_t i = 0; palette_builtin(i); i++) {
        fputs(i > 0 ? ", " : " ", file);
        print_bold(file, palette_builtin(i)->id);
    }
    fputs(".\n", file);
}

void manual_bench_views(FILE *file) {
    for (const struct bench_view *view = bench_views; view->name; view++)
        print_entry(file, view->name, view->what);
}

void manual_experiments(FILE *file) {
    for (const struct experiment *e = lab_experiments; e->name; e++)
        print_entry(file, e->name, e->what);
}
