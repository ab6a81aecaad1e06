/* Shell completions: writes which words, files or lists may follow each option and each command,
 * for bash and zsh, and for fish. */
#include "assets/install/completion.h"
#include "app/command/commands.h"
#include "app/options/option_table.h"
#include "cpu/cpuid.h"
#include "render/backends.h"
#include "render/files/bench_views.h"
#include <string.h>

#define EXPLORE    "explore" /* name of the explorer in the scripts, since its command has none */
#define WORDS_MAX  64
#define SHORT_SIZE 160 /* longest help of an option in a list */

enum kind {
    NOTHING, /* no completions */
    WORDS,
    FILES, /* files with an ending in `words`, or any file if there are none */
    FOLDERS,
    VIEWS, /* files and names of views */
    LISTED /* output of 'fathom list', whose argument is the word */
};

struct completion {
    enum kind kind;
    const char *words[WORDS_MAX];
    size_t count;
};

/* --- contents of a completion --- */

/* Usual endings of the files that an option accepts. The option table only declares such an option
 * as text. */
static const struct {
    const char *option;
    const char *const endings[10];
} file_endings[] = {
    {"output", {".ppm", ".png", ".jpg", ".jpeg", ".webp", ".exr", ".tif", ".dzi"}},
    {"data", {".npy"}},
    {"smooth", {".npy"}},
    {"resume", {".npy"}},
    {"script", {".script"}},
    {"csv", {".csv"}},
    {"diff", {".png"}},
    {"image", {".png", ".ppm", ".jpg", ".jpeg", ".webp"}},
};

static void add(struct completion *completion, const char *word) {
    if (completion->count < WORDS_MAX)
        completion->words[completion->count++] = word;
}

static void add_all(struct completion *completion, const char *const *words) {
    for (; *words; words++)
        add(completion, *words);
}

static struct completion words_of(const char *const *words) {
    struct completion completion = {.kind = WORDS};
    add_all(&completion, words);
    return completion;
}

static struct completion files_of(const char *option) {
    struct completion completion = {.kind = FILES};
    for (size_t i = 0; i < sizeof file_endings / sizeof *file_endings; i++)
        if (strcmp(file_endings[i].option, option) == 0)
            add_all(&completion, file_endings[i].endings);
    return completion;
}

static struct completion listed(const char *list) {
    return (struct completion){LISTED, {list}, 1};
}

static struct completion backends(void) {
    struct completion completion = {.kind = WORDS};
    for (size_t i = 0; backends_all[i]; i++)
        add(&completion, backends_all[i]->name);
    return completion;
}

static struct completion cpu_features(void) {
    static const char *const names[] = CPU_FLAG_NAMES;
    struct completion completion = {WORDS, {"all", "none"}, 2};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add(&completion, names[i]);
    return completion;
}

static struct completion measured_views(void) {
    struct completion completion = {.kind = WORDS};
    for (const struct bench_view *view = bench_views; view->name; view++)
        add(&completion, view->name);
    return completion;
}

static struct completion experiments(void) {
    struct completion completion = {WORDS, {"all"}, 1};
    for (const struct experiment *e = lab_experiments; e->name; e++)
        add(&completion, e->name);
    return completion;
}

/* Returns the completion of an option of kind text, which depends on its argument's name. */
static struct completion text_of(const struct option *option) {
    if (strcmp(option->name, "view") == 0)
        return measured_views();
    if (strcmp(option->argument, "DIR") == 0)
        return (struct completion){.kind = FOLDERS};
    return strcmp(option->argument, "FILE") == 0 ? files_of(option->name)
                                                 : (struct completion){.kind = NOTHING};
}

static struct completion setting_of(const struct option *option) {
    if (option->choices)
        return words_of(option->choices);
    if (setting_table[option->id].kind == SETTING_KIND_PALETTE)
        return listed("palettes");
    return setting_table[option->id].kind == SETTING_KIND_IMAGE
               ? files_of(option->name)
               : (struct completion){.kind = NOTHING};
}

/* Returns the completion of an option's value. */
static struct completion value_of(const struct option *option) {
    static const char *const sizes[] = {"720p", "1080p", "1440p", "4k", "8k", NULL};
    switch (option->kind) {
    case OPTION_CHOICE:
        return words_of(option->choices);
    case OPTION_BACKEND:
        return backends();
    case OPTION_SETTING:
        return setting_of(option);
    case OPTION_CPUMASK:
        return cpu_features();
    case OPTION_SIZE:
        return words_of(sizes);
    case OPTION_TEXT:
        return text_of(option);
    default:
        return (struct completion){.kind = NOTHING};
    }
}

static const char *name_of(size_t command) {
    const char *name = option_command(command)->name;
    return name ? name : EXPLORE;
}

static struct completion argument_of(size_t command) {
    static const char *const compared[] = {".ppm", ".png", ".jpg", ".jpeg", ".webp", ".npy", NULL};
    static const char *const measured[] = {"kernels", "motion", "dive", NULL};
    const struct option_command *entry = option_command(command);
    struct completion completion = {.kind = NOTHING};
    if (command == COMMAND_BENCH) {
        completion = words_of(measured);
    } else if (strstr(entry->usage, "VIEW")) {
        completion.kind = VIEWS;
    } else if (command == COMMAND_COMPARE) {
        completion.kind = FILES;
        add_all(&completion, compared);
    } else if (command == COMMAND_LAB) {
        completion = experiments();
    } else if (command == COMMAND_LIST) {
        completion = words_of(list_names);
    } else if (command == COMMAND_HELP) {
        for (size_t i = 0; option_command(i); i++)
            add(&completion, name_of(i));
        completion.kind = WORDS;
    }
    return completion;
}

/* Shortens a help text to its first part, without explanations. */
static void shorten(const char *help, char text[static SHORT_SIZE]) {
    static const char *const ends[] = {". ", "; ", " (", ": "};
    size_t length = strlen(help);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const char *end = strstr(help, ends[i]);
        if (end && (size_t)(end - help) < length)
            length = (size_t)(end - help);
    }
    if (length > 0 && help[length - 1] == '.')
        length--;
    snprintf(text, SHORT_SIZE, "%.*s", (int)length, help);
}

/* --- bash and zsh --- */

static void write_words(FILE *file, const struct completion *completion, const char *separator) {
    for (size_t i = 0; i < completion->count; i++)
        fprintf(file, "%s%s", i > 0 ? separator : "", completion->words[i]);
}

static void write_call(FILE *file, const struct completion *completion) {
    static const char *const functions[] = {
        [NOTHING] = ":",
        [WORDS] = "_fathom_words '",
        [FILES] = "_fathom_files ",
        [FOLDERS] = "_fathom_folders",
        [VIEWS] = "_fathom_views",
        [LISTED] = "_fathom_list ",
    };
    fputs(functions[completion->kind], file);
    write_words(file, completion, " ");
    fputs(completion->kind == WORDS ? "' ;;\n" : " ;;\n", file);
}

void complete_names(FILE *file) {
    fputs("    local commands='", file);
    for (size_t i = 0; option_command(i); i++)
        if (option_command(i)->name)
            fprintf(file, "%s ", option_command(i)->name);
    fputs("'\n", file);
}

void complete_commands(FILE *file) {
    for (size_t i = 0; option_command(i); i++) {
        const struct completion completion = argument_of(i);
        fprintf(file, "    %s) ", name_of(i));
        write_call(file, &completion);
    }
}

void complete_options(FILE *file) {
    for (size_t i = 0; option_command(i); i++) {
        fprintf(file, "    %s) echo '", name_of(i));
        struct option option;
        for (size_t k = 0; option_at(k, &option); k++)
            if (option.commands >> i & 1)
                fprintf(file, "--%s%s ", option.name, option.argument ? "=" : "");
        fputs("' ;;\n", file);
    }
}

void complete_letters(FILE *file) {
    struct option option;
    for (size_t k = 0; option_at(k, &option); k++)
        if (option.letter)
            fprintf(file, "    -%c) echo --%s ;;\n", option.letter, option.name);
}

void complete_with_value(FILE *file) {
    const char *separator = "    ";
    struct option option;
    for (size_t k = 0; option_at(k, &option); k++)
        if (option.argument) {
            fprintf(file, "%s--%s", separator, option.name);
            separator = " | ";
        }
    fputs(") return 0 ;;\n", file);
}

void complete_values(FILE *file) {
    struct option option;
    for (size_t k = 0; option_at(k, &option); k++)
        if (option.argument) {
            const struct completion completion = value_of(&option);
            fprintf(file, "    --%s) ", option.name);
            write_call(file, &completion);
        }
}

/* Writes a text in single quotes; `quote` is the escaped form of a quote within. */
static void write_quoted(FILE *file, const char *text, const char *quote) {
    fputc('\'', file);
    for (; *text; text++)
        if (*text == '\'')
            fputs(quote, file);
        else
            fputc(*text, file);
    fputc('\'', file);
}

void complete_help(FILE *file) {
    struct option option;
    for (size_t k = 0; option_at(k, &option); k++) {
        char text[SHORT_SIZE];
        shorten(option.help, text);
        fprintf(file, "    --%s ", option.name);
        write_quoted(file, text, "'\\''");
        fputc('\n', file);
    }
}

/* --- fish --- */

static void fish_call(FILE *file, const struct completion *completion) {
    switch (completion->kind) {
    case WORDS:
        fputs(" -x -a '", file);
        write_words(file, completion, " ");
        fputc('\'', file);
        break;
    case FILES:
    case LISTED:
        fprintf(file, " -x -a '(%s ",
                completion->kind == FILES ? "__fathom_files" : "__fathom_list");
        write_words(file, completion, " ");
        fputs(")'", file);
        break;
    case FOLDERS:
        fputs(" -x -a '(__fish_complete_directories (__fathom_typed))'", file);
        break;
    case VIEWS:
        fputs(" -x -a '(__fathom_views)'", file);
        break;
    case NOTHING:
        fputs(" -x", file);
    }
}

void fish_options(FILE *file) {
    struct option option;
    for (size_t k = 0; option_at(k, &option); k++) {
        char text[SHORT_SIZE];
        shorten(option.help, text);
        fputs("complete -c fathom -n '__fathom_is", file);
        for (size_t i = 0; option_command(i); i++)
            if (option.commands >> i & 1)
                fprintf(file, " %s", name_of(i));
        fprintf(file, "' -l %s", option.name);
        if (option.letter)
            fprintf(file, " -s %c", option.letter);
        if (option.argument) {
            const struct completion completion = value_of(&option);
            fish_call(file, &completion);
        }
        fputs(" -d ", file);
        write_quoted(file, text, "\\'");
        fputc('\n', file);
    }
}

void fish_arguments(FILE *file) {
    for (size_t i = 0; option_command(i); i++) {
        const struct completion completion = argument_of(i);
        const struct option_command *command = option_command(i);
        if (command->name) {
            fprintf(file, "complete -c fathom -n '__fathom_is_first' -a %s -d ", command->name);
            write_quoted(file, command->help, "\\'");
            fputc('\n', file);
        }
        if (completion.kind != NOTHING) {
            fprintf(file, "complete -c fathom -n '__fathom_is %s'", name_of(i));
            fish_call(file, &completion);
            fputc('\n', file);
        }
    }
}

void fish_with_value(FILE *file) {
    struct option option;
    fputs("        case", file);
    for (size_t k = 0; option_at(k, &option); k++) {
        if (option.argument)
            fprintf(file, " --%s", option.name);
        if (option.argument && option.letter)
            fprintf(file, " -%c", option.letter);
    }
    fputc('\n', file);
}

void fish_names(FILE *file) {
    fputs("            contains -- $word", file);
    for (size_t i = 0; option_command(i); i++)
        if (option_command(i)->name)
            fprintf(file, " %s", option_command(i)->name);
    fputs("; and echo $word; and return\n", file);
}
