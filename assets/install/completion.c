/* The completion's tables. */
#include "assets/install/completion.h"
#include "app/options/option_table.h"
#include "cpu/cpuid.h"
#include "lab/lab.h"
#include "render/backends.h"
#include "render/files/bench_views.h"
#include "render/palette.h"
#include <string.h>

#define EXPLORE "explore" /* the script's name for the command that has none */

/* Files by option, where the table only knows that it is a text: what they usually end in. */
static const struct {
    const char *option, *endings;
} file_endings[] = {
    {"output", ".ppm .png"}, {"data", ".npy"},      {"smooth", ".npy"}, {"resume", ".npy"},
    {"csv", ".csv"},         {"script", ".script"}, {"diff", ".png"},
};

static const char *name_of(size_t command) {
    const char *name = option_command(command)->name;
    return name ? name : EXPLORE;
}

void completion_names(FILE *file) {
    fputs("    local commands='", file);
    for (size_t i = 0; option_command(i); i++)
        if (option_command(i)->name)
            fprintf(file, "%s ", option_command(i)->name);
    fputs("'\n", file);
}

/* --- arguments --- */

static void write_experiments(FILE *file) {
    fputs("_fathom_words 'all", file);
    for (const struct experiment *e = lab_experiments; e->name; e++)
        fprintf(file, " %s", e->name);
    fputs("'", file);
}

static void write_arguments(FILE *file, size_t command) {
    const struct option_command *entry = option_command(command);
    if (entry->most == 0)
        fputs(":", file);
    else if (strstr(entry->usage, "VIEW"))
        fputs("_fathom_views", file);
    else if (command == COMMAND_COMPARE)
        fputs("_fathom_files .ppm .png .npy", file);
    else if (command == COMMAND_LAB)
        write_experiments(file);
    else if (command == COMMAND_BENCH)
        fputs("_fathom_words kernels", file);
    else
        fputs(":", file);
}

void completion_commands(FILE *file) {
    for (size_t i = 0; option_command(i); i++) {
        fprintf(file, "    %s) ", name_of(i));
        write_arguments(file, i);
        fputs(" ;;\n", file);
    }
}

/* --- options --- */

void completion_options(FILE *file) {
    for (size_t i = 0; option_command(i); i++) {
        fprintf(file, "    %s) echo '", name_of(i));
        struct option option;
        for (size_t k = 0; option_at(k, &option); k++)
            if (option.commands >> i & 1)
                fprintf(file, "--%s%s ", option.name, option.argument ? "=" : "");
        fputs("' ;;\n", file);
    }
}

void completion_letters(FILE *file) {
    struct option option;
    for (size_t k = 0; option_at(k, &option); k++)
        if (option.letter)
            fprintf(file, "    -%c) echo --%s ;;\n", option.letter, option.name);
}

void completion_with_value(FILE *file) {
    const char *separator = "    ";
    struct option option;
    for (size_t k = 0; option_at(k, &option); k++)
        if (option.argument) {
            fprintf(file, "%s--%s", separator, option.name);
            separator = " | ";
        }
    fputs(") return 0 ;;\n", file);
}

/* --- values --- */

static void write_choices(FILE *file, const struct option *option) {
    fputs("_fathom_words '", file);
    for (size_t i = 0; option->choices[i]; i++)
        fprintf(file, "%s ", option->choices[i]);
    fputs("'", file);
}

static void write_palettes(FILE *file) {
    fprintf(file, "_fathom_palettes %d '", PALETTE_NAME_MAX);
    for (size_t i = 0; palette_builtin(i); i++)
        fprintf(file, "%s ", palette_builtin(i)->id);
    fputs("'", file);
}

static void write_backends(FILE *file) {
    fputs("_fathom_words '", file);
    for (size_t i = 0; backends_all[i]; i++)
        fprintf(file, "%s ", backends_all[i]->name);
    fputs("all'", file);
}

static void write_cpu_flags(FILE *file) {
    static const char *const names[] = CPU_FLAG_NAMES;
    fputs("_fathom_words 'all none", file);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        fprintf(file, " %s", names[i]);
    fputs("'", file);
}

static void write_bench_views(FILE *file) {
    fputs("_fathom_words '", file);
    for (const struct bench_view *view = bench_views; view->name; view++)
        fprintf(file, "%s ", view->name);
    fputs("'", file);
}

static const char *endings_of(const char *option) {
    for (size_t i = 0; i < sizeof file_endings / sizeof *file_endings; i++)
        if (strcmp(file_endings[i].option, option) == 0)
            return file_endings[i].endings;
    return "";
}

/* Texts differ by what their argument is called. */
static void write_text(FILE *file, const struct option *option) {
    if (strcmp(option->name, "view") == 0)
        write_bench_views(file);
    else if (strcmp(option->argument, "DIR") == 0)
        fputs("_fathom_folders", file);
    else if (strcmp(option->argument, "FILE") == 0)
        fprintf(file, "_fathom_files %s", endings_of(option->name));
    else
        fputs(":", file);
}

static void write_setting(FILE *file, const struct option *option) {
    if (option->choices)
        write_choices(file, option);
    else if (setting_table[option->id].kind == SETTING_KIND_PALETTE)
        write_palettes(file);
    else
        fputs(":", file);
}

static void write_values(FILE *file, const struct option *option) {
    switch (option->kind) {
    case OPTION_CHOICE:
        write_choices(file, option);
        break;
    case OPTION_BACKEND:
        write_backends(file);
        break;
    case OPTION_SETTING:
        write_setting(file, option);
        break;
    case OPTION_CPUMASK:
        write_cpu_flags(file);
        break;
    case OPTION_SIZE:
        fputs("_fathom_words '1280x720 1920x1080 2560x1440 3840x2160'", file);
        break;
    case OPTION_TEXT:
        write_text(file, option);
        break;
    default:
        fputs(":", file);
    }
}

void completion_values(FILE *file) {
    struct option option;
    for (size_t k = 0; option_at(k, &option); k++)
        if (option.argument) {
            fprintf(file, "    --%s) ", option.name);
            write_values(file, &option);
            fputs(" ;;\n", file);
        }
}
