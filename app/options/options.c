/* Parses the command line's words, checks what goes together, and prints --help. */
#include "app/assets.h"
#include "app/options/option_table.h"
#include "render/base/log.h"
#include "render/base/suggest.h"
#include "render/files/bench_views.h"
#include "render/files/coordinates.h"
#include "render/palette.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_MAX_SIZE 32 /* of options */
#define HELP_COLUMNS  100
#define HELP_MARGIN   28
#define HELP_MAX      1000 /* bytes of an option's */

static const struct option_command commands[] = {
    [COMMAND_EXPLORE] = {NULL, "[VIEW]", "explore in a window", 0, 1},
    [COMMAND_RENDER] = {"render", "render [VIEW...] -o FILE",
                        "draw a picture into a file, or several", 0, INT_MAX},
    [COMMAND_DENSITY] = {"density", "density [VIEW] [-o FILE]", "count orbits: Buddhabrots", 0, 1},
    [COMMAND_LOCATE] = {"locate", "locate [VIEW]", "find a minibrot, or a Misiurewicz point", 0, 1},
    [COMMAND_COMPARE] = {"compare", "compare A B", "compare two pictures or two .npy files", 2, 2},
    [COMMAND_VERIFY] = {"verify", "verify [VIEW]", "check a picture by exact arithmetic", 0, 1},
    [COMMAND_BENCH] = {"bench", "bench [kernels|motion|dive VIEW]",
                       "measure kernels, or motion in the window", 0, 1},
    [COMMAND_INFO] = {"info", "info", "show what this program and this machine can do", 0, 0},
    [COMMAND_LIST] = {"list", "list [WHAT]", "list the names of views, palettes or formulas", 0, 1},
    [COMMAND_CONFIG] = {"config", "config", "print a settings file with every setting", 0, 0},
    [COMMAND_CLASSIC] = {"classic", "classic WIDTH HEIGHT",
                         "draw a published program's picture (docs/lab.md)", 2, 2},
    [COMMAND_LAB] = {"lab", "lab [NAME]", "repeat published experiments, or list them", 0, 1},
};
#define COMMANDS_SIZE (sizeof commands / sizeof *commands)

const struct option_command *option_command(size_t index) {
    return index < COMMANDS_SIZE ? &commands[index] : NULL;
}

static bool usage(const char *what, const char *value) {
    log_error("%s '%s'; try 'fathom --help'", what, value);
    return false;
}

bool options_given(const struct options *options, const char *name) {
    struct option option;
    return option_find(name, &option) && options->given >> option.index & 1;
}

/* --- suggestions --- */

static bool unknown_option(const char *word, const char *name) {
    struct suggestion suggestion = {.word = name};
    struct option option;
    for (size_t i = 0; option_at(i, &option); i++)
        suggest_consider(&suggestion, option.name);
    if (!suggestion.best)
        return usage("unknown option", word);
    log_error("unknown option '%s'; did you mean '--%s'? 'fathom --help' lists all", word,
              suggestion.best);
    return false;
}

/* --- words --- */

struct words {
    char **next;         /* NULL-terminated */
    bool only_arguments; /* "--" was seen */
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
    options->given |= (option_bits)1 << option->index;
    char name[NAME_MAX_SIZE + 2];
    snprintf(name, sizeof name, "--%s", option->name);
    const struct option_place place = {name, LOG_ERROR};
    return option_set(option, options, value, &place);
}

/* An option that earlier versions had, with a value that they knew. */
static bool take_gone(struct words *words, const char *name, const char *value) {
    char shown[NAME_MAX_SIZE + 2];
    const bool next = !value && *words->next;
    snprintf(shown, sizeof shown, "--%s", name);
    value = next ? *words->next : value;
    if (!value || !option_has_gone(name, value, shown))
        return false;
    words->next += next;
    return true;
}

static bool take_long(struct words *words, struct options *options, const char *word) {
    const char *name = word + 2;
    const size_t length = strcspn(name, "=");
    char plain[NAME_MAX_SIZE] = "";
    if (length < sizeof plain)
        memcpy(plain, name, length);
    const char *value = name[length] ? name + length + 1 : NULL;
    struct option option;
    if (!option_find(plain, &option))
        return take_gone(words, plain, value) || unknown_option(word, plain);
    if (value && !option.argument)
        return usage("this option takes no value:", word);
    return take_option(words, options, &option, value);
}

/* "-v", "-oFILE", "-vo FILE" */
static bool take_short(struct words *words, struct options *options, const char *word) {
    for (const char *p = word + 1; *p; p++) {
        struct option option;
        size_t i = 0;
        while (option_at(i, &option) && option.letter != *p)
            i++;
        if (!option_at(i, &option))
            return usage("unknown option", word);
        if (!take_option(words, options, &option, option.argument && p[1] ? p + 1 : NULL))
            return false;
        if (option.argument)
            break;
    }
    return true;
}

/* They are kept in front of the words that are still to be taken. */
static bool take_argument(struct words *words, struct options *options, const char *word) {
    for (size_t i = 0; !words->has_command && options->argument_count == 0 && i < COMMANDS_SIZE;
         i++)
        if (commands[i].name && strcmp(commands[i].name, word) == 0 && !words->only_arguments) {
            options->command = (enum command)i;
            words->has_command = true;
            return true;
        }
    options->arguments[options->argument_count++] = word;
    return true;
}

static bool take_word(struct words *words, struct options *options) {
    const char *word = *words->next++;
    if (words->only_arguments || word[0] != '-' || !word[1] || strchr("0123456789.", word[1]))
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

static void refuse_option(const struct options *options, const struct option *option) {
    size_t i = 0;
    while (i < COMMANDS_SIZE && !(commands[i].name && option->commands >> i & 1))
        i++;
    if (options->command == COMMAND_EXPLORE && i < COMMANDS_SIZE)
        log_error("--%s needs a command, such as '%s'; try 'fathom --help'", option->name,
                  commands[i].name);
    else
        log_error("--%s means nothing to %s; try 'fathom --help'", option->name,
                  command_label(options->command));
}

static bool check_commands(const struct options *options) {
    struct option option;
    for (size_t i = 0; option_at(i, &option); i++)
        if (options->given >> i & 1 && !(option.commands >> options->command & 1)) {
            refuse_option(options, &option);
            return false;
        }
    return true;
}

/* Whether it is coordinates, or means one example view or several, among which loading asks to
 * choose. */
static bool names_view(const char *word) {
    char *names;
    const bool found = coordinates_are(word) || assets_match_view(word, &names) > 0;
    if (found && !coordinates_are(word))
        free(names);
    return found;
}

/* A first argument that is neither a file, a view nor a command, but looks like a mistyped one. */
static bool check_command_name(const struct options *options) {
    const char *word = options->argument_count > 0 ? options->arguments[0] : NULL;
    if (options->command != COMMAND_EXPLORE || !word || strpbrk(word, "./") ||
        access(word, F_OK) == 0 || (options->argument_count == 1 && names_view(word)))
        return true;
    struct assets_views views;
    struct suggestion suggestion = {.word = word};
    assets_list_views(&views);
    for (size_t i = 0; i < views.count; i++)
        suggest_consider(&suggestion, views.names[i]);
    for (size_t i = 0; i < COMMANDS_SIZE; i++)
        if (commands[i].name)
            suggest_consider(&suggestion, commands[i].name);
    const bool is_view = suggestion.best && suggestion.distance == 0;
    if (suggestion.best && !is_view)
        log_error("there is no command and no file '%s'; did you mean '%s'?", word,
                  suggestion.best);
    else if (options->argument_count > 1 && !is_view)
        log_error("there is no command and no file '%s'; try 'fathom --help'", word);
    assets_finish_views(&views);
    return is_view || (!suggestion.best && options->argument_count < 2);
}

static bool measures(const struct options *options, const char *what) {
    return options->command == COMMAND_BENCH && options->argument_count > 0 &&
           strcmp(options->arguments[0], what) == 0;
}

bool options_measure_dive(const struct options *options) {
    return measures(options, "dive");
}

bool options_measure_motion(const struct options *options) {
    return measures(options, "motion") || options_measure_dive(options);
}

static bool check_arguments(const struct options *options) {
    const int count = options->argument_count;
    if (count > 0 && options->last)
        return usage("either --last or a view, not both:", options->arguments[0]);
    int most = commands[options->command].most;
    most += options_measure_dive(options);
    if (count > most)
        return usage("one argument too many:", options->arguments[most]);
    if (count < commands[options->command].least) {
        log_error("%s takes two %s; try 'fathom --help'", command_label(options->command),
                  options->command == COMMAND_COMPARE ? "files" : "numbers, width and height");
        return false;
    }
    return true;
}

/* Orbits that are tried, or of a pixel. */
static bool check_samples(const struct options *options) {
    const struct setting *pixel = &setting_table[SETTING_PIXEL_SAMPLES];
    const bool ok = options->command == COMMAND_DENSITY || (double)options->samples <= pixel->high;
    if (!ok)
        log_error("--samples %s", pixel->takes);
    return ok;
}

/* The kinds of bench have some options of their own. */
static bool check_bench(const struct options *options) {
    static const char *const not_of[][7] = {
        {"scenario", "hz", "painting", "seconds", NULL}, /* kernels */
        {"csv", "repeats", "quick", NULL},               /* motion */
        {"csv", "repeats", "quick", "scenario", "view", NULL},
    };
    static const char *const names[] = {"kernels", "motion", "dive"};
    if (options->command != COMMAND_BENCH)
        return true;
    const bool dive = options_measure_dive(options);
    const int which = dive ? 2 : options_measure_motion(options);
    for (const char *const *name = not_of[which]; *name; name++)
        if (options_given(options, *name)) {
            log_error("--%s means nothing to bench %s; try 'fathom --help'", *name, names[which]);
            return false;
        }
    if (dive && options->argument_count < 2)
        log_error("bench dive needs a view; try 'fathom --help'");
    return !dive || options->argument_count == 2;
}

bool options_parse(struct options *options, int argc, char **argv) {
    *options = (struct options){.cpumask = ~0u,
                                .shortcuts = -1,
                                .format = -1,
                                .inertia = 1,
                                .zoom_speed = 1,
                                .seconds = NAN,
                                .remember = -1,
                                .seed = -1,
                                .kiosk_pause = 30,
                                .points = 200,
                                .painting = -1,
                                .auto_limit = -1,
                                .auto_density = -1};
    struct words words = {.next = argc > 0 ? argv + 1 : argv};
    options->arguments = (const char **)words.next;
    while (*words.next)
        if (!take_word(&words, options))
            return false;
    if (options->shortcuts < 0)
        options->shortcuts = options->command == COMMAND_BENCH && !options_measure_motion(options)
                                 ? SHORTCUTS_NONE
                                 : SHORTCUTS_ALL;
    if (options->help || options->version)
        return true;
    return check_command_name(options) && check_commands(options) && check_arguments(options) &&
           check_bench(options) && check_samples(options);
}

void options_finish(struct options *options) {
    free(options->remembered_text);
    options->remembered_text = NULL;
    free(options->settings);
    options->settings = NULL;
}

int options_command(const char *name) {
    for (size_t i = 0; i < COMMANDS_SIZE; i++)
        if (strcmp(commands[i].name ? commands[i].name : "explore", name) == 0)
            return (int)i;
    return -1;
}

static void print_wrapped(FILE *file, const char *text, int column, const char *margin) {
    const char *separator = "";
    while (*text) {
        const int length = (int)strcspn(text, " ");
        if (*separator && column + 1 + length > HELP_COLUMNS) {
            column = fprintf(file, "\n%s", margin) - 1;
            separator = "";
        }
        column += fprintf(file, "%s%.*s", separator, length, text);
        text += length + (text[length] == ' ');
        separator = " ";
    }
    fputc('\n', file);
}

void option_print(FILE *file, const struct option *option, int column, const char *margin) {
    char text[HELP_MAX];
    size_t used = (size_t)snprintf(text, sizeof text, "%s", option->help);
    for (size_t i = 0; option->choices && option->choices[i] && used < sizeof text; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%s%s", i == 0 ? " One of " : ", ",
                             option->choices[i], option->choices[i + 1] ? "" : ".");
    print_wrapped(file, text, column, margin);
}

static void list_examples(FILE *file) {
    struct assets_views views;
    assets_list_views(&views);
    int column = 9;
    fputs(views.count > 0 ? "examples:" : "", file);
    for (size_t i = 0; i < views.count; i++) {
        char name[1024];
        log_escape(name, sizeof name, views.names[i]);
        if (column + strlen(name) > 78)
            column = fprintf(file, "\n%9s", "") - 1;
        column += fprintf(file, " %s", name);
    }
    fputs(views.count > 0 ? "\n" : "", file);
    assets_finish_views(&views);
}

void options_help(FILE *file) {
    fputs("fathom: explore fractals, from the whole set down to the smallest pixel\n\nusage:\n",
          file);
    for (size_t i = 0; i < COMMANDS_SIZE; i++) {
        char line[80];
        snprintf(line, sizeof line, "%s [OPTION...]", commands[i].usage);
        fprintf(file, "  fathom %-38s %s\n", line, commands[i].help);
    }
    fputs("\nVIEW is a view file, a screenshot, the name of an example (its beginning is enough)\n"
          "or of a view of your own, or a location such as '-0.75 + 0.1i 2500': centre, zoom\n"
          "and, if wanted, an iteration limit. With no VIEW, the whole set is shown.\n",
          file);
    list_examples(file);
    fputs("\noptions:\n", file);
    char margin[HELP_MARGIN + 1];
    snprintf(margin, sizeof margin, "%*s", HELP_MARGIN, "");
    struct option option;
    for (size_t i = 0; option_at(i, &option); i++) {
        char name[40], letter[8] = "";
        if (option.letter)
            snprintf(letter, sizeof letter, "-%c,", option.letter);
        snprintf(name, sizeof name, "--%s%s%s", option.name, option.argument ? " " : "",
                 option.argument ? option.argument : "");
        int column = fprintf(file, "  %3s %-21s", letter, name);
        column =
            column < HELP_MARGIN ? column + fprintf(file, " ") : fprintf(file, "\n%s", margin) - 1;
        option_print(file, &option, column, margin);
    }
    fputs("\nviews of bench:\n", file);
    for (const struct bench_view *view = bench_views; view->name; view++)
        fprintf(file, "      %-18s %s\n", view->name, view->what);
    int used = fprintf(file, "\npalettes:");
    for (size_t i = 0; i < palette_count(); i++) {
        const char *id = palette_at(i)->id;
        if (used + 1 + (int)strlen(id) > HELP_COLUMNS)
            used = fprintf(file, "\n         ");
        used += fprintf(file, " %s", id);
    }
    fputs("\nexit status: 0 done, 1 failed (or different, or wrong), 2 wrong usage\n", file);
}
