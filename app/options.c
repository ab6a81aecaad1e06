/* The option table and what follows from it: parsing, checking and --help. */
#include "app/options.h"
#include "bench/setup.h"
#include "bench/views.h"
#include "cpu/cpuid.h"
#include "render/ini.h"
#include "render/log.h"
#include "render/palette.h"
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IN_EXPLORE (1u << COMMAND_EXPLORE)
#define IN_RENDER  (1u << COMMAND_RENDER)
#define IN_COMPARE (1u << COMMAND_COMPARE)
#define IN_BENCH   (1u << COMMAND_BENCH)
#define IN_INFO    (1u << COMMAND_INFO)
#define IN_CLASSIC (1u << COMMAND_CLASSIC)
#define IN_LAB     (1u << COMMAND_LAB)
#define DRAWING    (IN_EXPLORE | IN_RENDER)
#define MEASURING  (IN_BENCH | IN_LAB)
#define REPORTING  (DRAWING | IN_COMPARE | IN_BENCH | IN_INFO | IN_CLASSIC)
#define EVERYWHERE (REPORTING | IN_LAB)

#define NAME_MAX_SIZE 32 /* of options and commands, and of what is compared with them */

enum kind {
    KIND_FLAG,    /* bool */
    KIND_TEXT,    /* const char * */
    KIND_WHOLE,   /* int, low .. high */
    KIND_LIMIT,   /* int64_t, clamped with a warning */
    KIND_CHOICE,  /* int, an index of choices */
    KIND_SIZE,    /* width_px and height_px */
    KIND_CPUMASK, /* uint32_t */
    KIND_PALETTE, /* const char *, a built-in id */
};

static const char *const shortcut_choices[] = {"none", "cardioid", "cycle", "all", NULL};

static const struct option {
    const char *name;
    char letter; /* 0: none */
    enum kind kind;
    const char *argument;       /* its name in the help; NULL for flags */
    size_t offset;              /* in struct options */
    unsigned commands;          /* where it makes sense */
    const char *help;           /* with the default, where there is one to tell */
    int low, high;              /* of KIND_WHOLE */
    const char *const *choices; /* of KIND_CHOICE, NULL-terminated, in the order of its enum */
} table[] = {
#define FIELD(member) offsetof(struct options, member)
    {.name = "output",
     .letter = 'o',
     .kind = KIND_TEXT,
     .argument = "FILE",
     .offset = FIELD(output),
     .commands = IN_RENDER | IN_CLASSIC | IN_LAB,
     .help = "write the picture there, as PPM; - is standard output; lab: a folder"},
    {.name = "data",
     .kind = KIND_TEXT,
     .argument = "FILE",
     .offset = FIELD(data),
     .commands = IN_RENDER,
     .help = "write the counts there, as .npy (<u4, interior = limit)"},
    {.name = "smooth",
     .kind = KIND_TEXT,
     .argument = "FILE",
     .offset = FIELD(smooth),
     .commands = IN_RENDER,
     .help = "write the smooth values there, as .npy (<f8, interior = NaN)"},
    {.name = "size",
     .kind = KIND_SIZE,
     .argument = "WxH",
     .offset = FIELD(width_px),
     .commands = DRAWING | IN_BENCH,
     .help = "pixels, each from 1 to 65536 (default: the view's, else 1280x720)"},
    {.name = "iterations",
     .kind = KIND_LIMIT,
     .argument = "N",
     .offset = FIELD(iterations),
     .commands = DRAWING | IN_BENCH,
     .help = "iteration limit, 0 to 2147483647 (default: the view's, else 1000)"},
    {.name = "palette",
     .kind = KIND_PALETTE,
     .argument = "NAME",
     .offset = FIELD(palette),
     .commands = DRAWING,
     .help = "colours (default: the view's, else the first)"},
    {.name = "precision",
     .kind = KIND_CHOICE,
     .argument = "TYPE",
     .offset = FIELD(precision),
     .commands = DRAWING | IN_BENCH,
     .help = "number type (default: the view's, else auto)",
     .choices = precision_names},
    {.name = "arithmetic",
     .kind = KIND_CHOICE,
     .argument = "KIND",
     .offset = FIELD(arithmetic),
     .commands = DRAWING | IN_BENCH,
     .help = "how a step is rounded (default: the view's, else fused)",
     .choices = arithmetic_names},
    {.name = "method",
     .kind = KIND_CHOICE,
     .argument = "NAME",
     .offset = FIELD(method),
     .commands = DRAWING | IN_BENCH,
     .help = "tiles, rows, deepen; trace, subdivide: guessing (default: the view's)",
     .choices = method_names},
    {.name = "shortcuts",
     .kind = KIND_CHOICE,
     .argument = "SET",
     .offset = FIELD(shortcuts),
     .commands = DRAWING | IN_BENCH | IN_CLASSIC,
     .help = "shorten the inside: none, cardioid, cycle, all (default: all; bench: none)",
     .choices = shortcut_choices},
    {.name = "backend",
     .kind = KIND_TEXT,
     .argument = "NAME",
     .offset = FIELD(backend),
     .commands = DRAWING | IN_BENCH | IN_CLASSIC,
     .help = "what draws: cuda, avx512, avx2, scalar (default: best; bench: list, all)"},
    {.name = "device",
     .kind = KIND_WHOLE,
     .argument = "N",
     .offset = FIELD(device),
     .commands = DRAWING | MEASURING | IN_CLASSIC | IN_INFO,
     .help = "number of the CUDA device (default: the fastest)",
     .low = 0,
     .high = 63},
    {.name = "threads",
     .kind = KIND_WHOLE,
     .argument = "N",
     .offset = FIELD(threads),
     .commands = DRAWING | MEASURING | IN_CLASSIC | IN_INFO,
     .help = "threads of the CPU backends (default: 0, one for each core)",
     .low = 0,
     .high = 1024},
    {.name = "cpumask",
     .kind = KIND_CPUMASK,
     .argument = "LIST",
     .offset = FIELD(cpumask),
     .commands = DRAWING | MEASURING | IN_CLASSIC | IN_INFO,
     .help = "CPU features that may be used: all, none, or names like avx2 (default: all)"},
    {.name = "script",
     .kind = KIND_TEXT,
     .argument = "FILE",
     .offset = FIELD(script),
     .commands = IN_EXPLORE,
     .help = "feed these input events to the explorer, then quit"},
    {.name = "screenshots",
     .kind = KIND_TEXT,
     .argument = "DIR",
     .offset = FIELD(screenshots),
     .commands = IN_EXPLORE,
     .help = "folder for screenshots (default: the pictures folder)"},
    {.name = "view",
     .kind = KIND_TEXT,
     .argument = "LIST",
     .offset = FIELD(views),
     .commands = IN_BENCH,
     .help = "measure only these views, named with commas between (default: all)"},
    {.name = "repeats",
     .kind = KIND_WHOLE,
     .argument = "N",
     .offset = FIELD(repeats),
     .commands = MEASURING,
     .help = "how often each is measured (default: 5, lab: 10; with --quick 1)",
     .low = 1,
     .high = BENCH_REPEATS_MAX},
    {.name = "csv",
     .kind = KIND_TEXT,
     .argument = "FILE",
     .offset = FIELD(csv),
     .commands = IN_BENCH,
     .help = "write the measurements there, as CSV; - is standard output"},
    {.name = "quick",
     .kind = KIND_FLAG,
     .offset = FIELD(quick),
     .commands = MEASURING,
     .help = "small pictures, once: to see that it works, not how fast"},
    {.name = "json",
     .kind = KIND_FLAG,
     .offset = FIELD(json),
     .commands = REPORTING,
     .help = "print the results as one JSON object"},
    {.name = "verbose",
     .letter = 'v',
     .kind = KIND_FLAG,
     .offset = FIELD(verbose),
     .commands = EVERYWHERE,
     .help = "say more on standard error"},
    {.name = "help",
     .letter = 'h',
     .kind = KIND_FLAG,
     .offset = FIELD(help),
     .commands = EVERYWHERE,
     .help = "print this and quit"},
    {.name = "version",
     .kind = KIND_FLAG,
     .offset = FIELD(version),
     .commands = EVERYWHERE,
     .help = "print the version and quit"},
#undef FIELD
};
#define TABLE_SIZE (sizeof table / sizeof *table)

static const struct {
    const char *name, *usage, *help;
    int least, most; /* arguments */
} commands[] = {
    [COMMAND_EXPLORE] = {NULL, "[VIEW]", "explore in a window", 0, 1},
    [COMMAND_RENDER] = {"render", "render [VIEW] -o FILE", "draw a picture into a file", 0, 1},
    [COMMAND_COMPARE] = {"compare", "compare A B", "compare two pictures or two .npy files", 2, 2},
    [COMMAND_BENCH] = {"bench", "bench [kernels]", "measure the kernels on this machine", 0, 1},
    [COMMAND_INFO] = {"info", "info", "tell what this program and this machine can do", 0, 0},
    [COMMAND_CLASSIC] = {"classic", "classic WIDTH HEIGHT", "draw seed 000's picture (docs/lab.md)",
                         2, 2},
    [COMMAND_LAB] = {"lab", "lab [NAME]", "repeat published experiments; all; none: list them", 0,
                     1},
};
#define COMMANDS_SIZE (sizeof commands / sizeof *commands)

static bool usage(const char *what, const char *value) {
    log_error("%s '%s'; try 'fathom --help'", what, value);
    return false;
}

/* --- suggestions --- */

/* Levenshtein's distance of two short names. */
static int distance(const char *a, const char *b) {
    int row[NAME_MAX_SIZE + 1];
    const int n = (int)strlen(b);
    for (int j = 0; j <= n; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            int best = diagonal + (a[i - 1] != b[j - 1]);
            best = row[j] + 1 < best ? row[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[n];
}

/* Keeps the name nearest to `text`, if it is near at all. */
static void consider(const char *text, const char *name, int *nearest, const char **best) {
    const int d = strlen(text) < NAME_MAX_SIZE ? distance(text, name) : NAME_MAX_SIZE;
    if (d < *nearest && d <= 2 && d < (int)strlen(name) && d < (int)strlen(text)) {
        *nearest = d;
        *best = name;
    }
}

static bool unknown_option(const char *word, const char *name) {
    const char *best = NULL;
    int nearest = NAME_MAX_SIZE;
    for (size_t i = 0; i < TABLE_SIZE; i++)
        consider(name, table[i].name, &nearest, &best);
    if (!best)
        return usage("unknown option", word);
    log_error("unknown option '%s'; did you mean '--%s'? 'fathom --help' lists all", word, best);
    return false;
}

/* --- values --- */

static bool set_whole(const struct option *option, int *whole, const char *value) {
    uint64_t number;
    if (!ini_whole(value, &number) || number < (uint64_t)option->low ||
        number > (uint64_t)option->high) {
        log_error("--%s takes a whole number from %d to %d, not '%s'", option->name, option->low,
                  option->high, value);
        return false;
    }
    *whole = (int)number;
    return true;
}

static bool set_limit(const struct option *option, int64_t *limit, const char *value) {
    uint64_t number;
    if (!ini_whole(value, &number)) {
        log_error("--%s takes a whole number from 0 to %u, not '%s'", option->name, FRAME_LIMIT_MAX,
                  value);
        return false;
    }
    if (number > FRAME_LIMIT_MAX) {
        log_warn("--%s is clamped to %u", option->name, FRAME_LIMIT_MAX);
        number = FRAME_LIMIT_MAX;
    }
    *limit = (int64_t)number;
    return true;
}

static bool set_choice(const struct option *option, int *choice, const char *value) {
    char names[80] = "";
    *choice = ini_choice(value, option->choices);
    for (int i = 0; *choice < 0 && option->choices[i]; i++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "", option->choices[i]);
    }
    if (*choice < 0)
        log_error("--%s is one of %s, not '%s'", option->name, names, value);
    return *choice >= 0;
}

static bool set_size(const struct option *option, struct options *options, const char *value) {
    char width[16] = "";
    const char *x = strchr(value, 'x');
    uint64_t w, h;
    if (x && (size_t)(x - value) < sizeof width)
        memcpy(width, value, (size_t)(x - value));
    if (!x || !ini_whole(width, &w) || !ini_whole(x + 1, &h) || w < 1 || h < 1 ||
        w > FRAME_SIZE_MAX || h > FRAME_SIZE_MAX) {
        log_error("--%s takes WxH, each from 1 to %d, not '%s'", option->name, FRAME_SIZE_MAX,
                  value);
        return false;
    }
    options->width_px = (int)w;
    options->height_px = (int)h;
    return true;
}

/* A feature brings those below it, which it needs. */
static bool add_cpu_flag(uint32_t *mask, const char *name, size_t length) {
    static const char *const names[] = CPU_FLAG_NAMES;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && strncmp(names[i], name, length) == 0) {
            *mask |= (2u << i) - 1;
            return true;
        }
    return false;
}

static bool set_cpumask(const struct option *option, uint32_t *mask, const char *value) {
    *mask = strcmp(value, "all") == 0 ? ~0u : 0;
    if (*mask || strcmp(value, "none") == 0)
        return true;
    for (const char *name = value; name; name = strchr(name, ',') ? strchr(name, ',') + 1 : NULL)
        if (!add_cpu_flag(mask, name, strcspn(name, ","))) {
            log_error("--%s is all, none or a list of fma, avx2, avx512, not '%s'", option->name,
                      value);
            return false;
        }
    return true;
}

static bool set_palette(const struct option *option, const char **id, const char *value) {
    char names[200] = "";
    *id = value;
    if (palette_find(value))
        return true;
    for (size_t i = 0; i < palette_builtin_count(); i++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                 palette_builtin(i)->id);
    }
    log_error("--%s is one of %s, not '%s'", option->name, names, value);
    return false;
}

static bool set(const struct option *option, struct options *options, const char *value) {
    void *field = (char *)options + option->offset;
    switch (option->kind) {
    case KIND_FLAG:
        *(bool *)field = true;
        return true;
    case KIND_TEXT:
        *(const char **)field = value;
        return *value || usage("nothing is given for", option->name);
    case KIND_WHOLE:
        return set_whole(option, field, value);
    case KIND_LIMIT:
        return set_limit(option, field, value);
    case KIND_CHOICE:
        return set_choice(option, field, value);
    case KIND_SIZE:
        return set_size(option, options, value);
    case KIND_CPUMASK:
        return set_cpumask(option, field, value);
    case KIND_PALETTE:
        return set_palette(option, field, value);
    }
    return false;
}

/* --- words --- */

struct words {
    char **next;                            /* NULL-terminated */
    const struct option *given[TABLE_SIZE]; /* by table index; NULL: not given */
    bool only_arguments;                    /* "--" was seen */
    bool has_command;
};

static bool take_option(struct words *words, struct options *options, const struct option *option,
                        const char *value) {
    if (option->argument && !value)
        value = *words->next ? *words->next++ : NULL;
    if (option->argument && !value) {
        log_error("--%s needs %s; try 'fathom --help'", option->name, option->argument);
        return false;
    }
    words->given[option - table] = option;
    return set(option, options, value);
}

static bool take_long(struct words *words, struct options *options, const char *word) {
    const char *name = word + 2;
    const size_t length = strcspn(name, "=");
    char plain[NAME_MAX_SIZE] = "";
    if (length < sizeof plain)
        memcpy(plain, name, length);
    const char *value = name[length] ? name + length + 1 : NULL;
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        if (strcmp(table[i].name, plain) != 0)
            continue;
        if (value && !table[i].argument)
            return usage("no value can be given in", word);
        return take_option(words, options, &table[i], value);
    }
    return unknown_option(word, plain);
}

/* "-v", "-oFILE", "-vo FILE" */
static bool take_short(struct words *words, struct options *options, const char *word) {
    for (const char *p = word + 1; *p; p++) {
        const struct option *option = NULL;
        for (size_t i = 0; i < TABLE_SIZE && !option; i++)
            if (table[i].letter == *p)
                option = &table[i];
        if (!option)
            return usage("unknown option", word);
        if (!take_option(words, options, option, option->argument && p[1] ? p + 1 : NULL))
            return false;
        if (option->argument)
            break;
    }
    return true;
}

static bool take_argument(struct words *words, struct options *options, const char *word) {
    for (size_t i = 0; !words->has_command && options->argument_count == 0 && i < COMMANDS_SIZE;
         i++)
        if (commands[i].name && strcmp(commands[i].name, word) == 0 && !words->only_arguments) {
            options->command = (enum command)i;
            words->has_command = true;
            return true;
        }
    if (options->argument_count == OPTIONS_ARGUMENTS_MAX)
        return usage("one argument too many:", word);
    options->arguments[options->argument_count++] = word;
    return true;
}

static bool take_word(struct words *words, struct options *options) {
    const char *word = *words->next++;
    if (words->only_arguments || word[0] != '-' || !word[1])
        return take_argument(words, options, word);
    if (strcmp(word, "--") == 0) {
        words->only_arguments = true;
        return true;
    }
    return word[1] == '-' ? take_long(words, options, word) : take_short(words, options, word);
}

/* --- what goes together --- */

static const char *command_label(enum command command) {
    return commands[command].name ? commands[command].name : "the explorer";
}

static bool check_commands(const struct words *words, const struct options *options) {
    for (size_t i = 0; i < TABLE_SIZE; i++)
        if (words->given[i] && !(table[i].commands >> options->command & 1)) {
            log_error("--%s means nothing to %s; try 'fathom --help'", table[i].name,
                      command_label(options->command));
            return false;
        }
    return true;
}

/* A first argument that is neither a file nor a command, but looks like a mistyped command. */
static bool check_command_name(const struct options *options) {
    const char *word = options->argument_count > 0 ? options->arguments[0] : NULL;
    if (options->command != COMMAND_EXPLORE || !word || strpbrk(word, "./") ||
        access(word, F_OK) == 0)
        return true;
    const char *best = NULL;
    int nearest = NAME_MAX_SIZE;
    for (size_t i = 0; i < COMMANDS_SIZE; i++)
        if (commands[i].name)
            consider(word, commands[i].name, &nearest, &best);
    if (best)
        log_error("there is no command and no file '%s'; did you mean '%s'?", word, best);
    else if (options->argument_count > 1)
        log_error("there is no command and no file '%s'; try 'fathom --help'", word);
    return !best && options->argument_count < 2;
}

static bool check_arguments(const struct options *options) {
    const int count = options->argument_count;
    if (count > commands[options->command].most)
        return usage("one argument too many:", options->arguments[commands[options->command].most]);
    if (count < commands[options->command].least) {
        log_error("%s takes two %s; try 'fathom --help'", command_label(options->command),
                  options->command == COMMAND_COMPARE ? "files" : "numbers, width and height");
        return false;
    }
    return true;
}

bool options_parse(struct options *options, int argc, char **argv) {
    *options = (struct options){.device = -1,
                                .cpumask = ~0u,
                                .precision = -1,
                                .arithmetic = -1,
                                .iterations = -1,
                                .method = -1,
                                .shortcuts = -1};
    struct words words = {.next = argc > 0 ? argv + 1 : argv};
    while (*words.next)
        if (!take_word(&words, options))
            return false;
    if (options->shortcuts < 0)
        options->shortcuts = options->command == COMMAND_BENCH ? SHORTCUTS_NONE : SHORTCUTS_ALL;
    if (options->help || options->version)
        return true;
    return check_commands(&words, options) && check_command_name(options) &&
           check_arguments(options);
}

void options_help(FILE *file) {
    fputs("fathom: explore fractals, from the whole set down to the smallest pixel\n\nusage:\n",
          file);
    for (size_t i = 0; i < COMMANDS_SIZE; i++) {
        char line[80];
        snprintf(line, sizeof line, "%s [OPTION...]", commands[i].usage);
        fprintf(file, "  fathom %-38s %s\n", line, commands[i].help);
    }
    fputs("\nVIEW is a view file or a screenshot. With no VIEW, the whole set is shown.\n"
          "\noptions:\n",
          file);
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        char name[40], letter[8] = "";
        if (table[i].letter)
            snprintf(letter, sizeof letter, "-%c,", table[i].letter);
        snprintf(name, sizeof name, "--%s%s%s", table[i].name, table[i].argument ? " " : "",
                 table[i].argument ? table[i].argument : "");
        fprintf(file, "  %3s %-18s %s\n", letter, name, table[i].help);
    }
    fputs("\nviews of bench:\n", file);
    for (const struct bench_view *view = bench_views; view->name; view++)
        fprintf(file, "      %-18s %s\n", view->name, view->what);
    fputs("\npalettes:", file);
    for (size_t i = 0; i < palette_builtin_count(); i++)
        fprintf(file, " %s", palette_builtin(i)->id);
    fputs("\nexit status: 0 done, 1 failed (or different), 2 wrong usage\n", file);
}
