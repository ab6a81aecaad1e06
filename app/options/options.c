/* Command line: parses its words and checks that commands, arguments and options match. */
#include "app/assets.h"
#include "app/options/option_table.h"
#include "render/base/log.h"
#include "render/base/suggest.h"
#include "render/files/coordinates.h"
#include "render/files/image.h"
#include "render/frame.h"
#include "render/interned/trap_image.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_MAX_SIZE 32 /* [bytes] maximum length of an option's name */

static const struct option_command commands[] = {
    [COMMAND_EXPLORE] = {NULL, "[VIEW]", "explore in a window", 0, 1, true},
    [COMMAND_RENDER] = {"render", "render [VIEW...] -o FILE",
                        "draw a picture into a file, or several", 0, INT_MAX, false},
    [COMMAND_MOVIE] = {"movie", "movie VIEW -o FILE", "make a video of a zoom into a view", 0, 1,
                       true},
    [COMMAND_DENSITY] = {"density", "density [VIEW] [-o FILE]", "draw a Buddhabrot", 0, 1, false},
    [COMMAND_LOCATE] = {"locate", "locate [VIEW]", "find a minibrot or a Misiurewicz point", 0, 1,
                        true},
    [COMMAND_COMPARE] = {"compare", "compare A B", "compare two pictures or two .npy files", 2, 2,
                         false},
    [COMMAND_VERIFY] = {"verify", "verify [VIEW]", "check a picture by exact arithmetic", 0, 1,
                        true},
    [COMMAND_BENCH] = {"bench", "bench [kernels|motion|dive VIEW]",
                       "measure kernels, or motion in the window", 0, 1, false},
    [COMMAND_INFO] = {"info", "info", "show what this program and this machine can do", 0, 0,
                      false},
    [COMMAND_LIST] = {"list", "list [WHAT]", "list the names of views, palettes or formulas", 0, 1,
                      false},
    [COMMAND_CONFIG] = {"config", "config", "print a settings file with every setting", 0, 0,
                        false},
    [COMMAND_CLASSIC] = {"classic", "classic WIDTH HEIGHT",
                         "draw the picture of a published program", 2, 2, false},
    [COMMAND_LAB] = {"lab", "lab [NAME]", "repeat published experiments, or list them", 0, 1,
                     false},
    [COMMAND_HELP] = {"help", "help [COMMAND]", "show all commands, or one command's options", 0, 1,
                      false},
};
#define COMMANDS_SIZE (sizeof commands / sizeof *commands)

const struct option_command *option_command(size_t index) {
    return index < COMMANDS_SIZE ? &commands[index] : NULL;
}

#define SEE "; see 'fathom help %s'"

static const char *command_word(enum command command) {
    return commands[command].name ? commands[command].name : "explore";
}

static bool usage(const struct options *options, const char *what, const char *value) {
    log_error("%s '%s'" SEE, what, value, command_word(options->command));
    return false;
}

bool options_given(const struct options *options, const char *name) {
    struct option option;
    return option_find(name, &option) && options->given >> option.index & 1;
}

/* --- suggestions --- */

static bool unknown_option(const struct options *options, const char *word, const char *name) {
    struct suggestion suggestion = {.word = name};
    struct option option;
    for (size_t i = 0; option_at(i, &option); i++)
        suggest_consider(&suggestion, option.name);
    if (!suggestion.best)
        return usage(options, "unknown option", word);
    log_error("unknown option '%s'; did you mean '--%s'?", word, suggestion.best);
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
        log_error("--%s needs %s" SEE, option->name, option->argument,
                  command_word(options->command));
        return false;
    }
    options->given |= (option_bits)1 << option->index;
    char name[NAME_MAX_SIZE + 2];
    snprintf(name, sizeof name, "--%s", option->name);
    const struct option_place place = {name, LOG_ERROR};
    return option_set(option, options, value, &place);
}

/* Accepts a retired option with a value of earlier versions. Returns false for any other option. */
static bool take_retired(struct words *words, const char *name, const char *value) {
    char shown[NAME_MAX_SIZE + 2];
    const bool next = !value && *words->next;
    snprintf(shown, sizeof shown, "--%s", name);
    value = next ? *words->next : value;
    if (!value || !option_is_retired(name, value, shown))
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
        return take_retired(words, plain, value) || unknown_option(options, word, plain);
    if (value && !option.argument)
        return usage(options, "this option takes no value:", word);
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
            return usage(options, "unknown option", word);
        if (!take_option(words, options, &option, option.argument && p[1] ? p + 1 : NULL))
            return false;
        if (option.argument)
            break;
    }
    return true;
}

/* Stores a command or an argument. Arguments are moved to the front of argv, over words that were
 * parsed already. */
static bool take_argument(struct words *words, struct options *options, const char *word) {
    const int command = options_command(word);
    if (command >= 0 && !words->has_command && options->argument_count == 0 &&
        !words->only_arguments) {
        options->command = (enum command)command;
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

/* Parses all words. Images are read later, because only some commands need them. */
static bool take_all(struct words *words, struct options *options) {
    const bool before = trap_image_defer(true);
    bool ok = true;
    while (ok && *words->next)
        ok = take_word(words, options);
    trap_image_defer(before);
    return ok;
}

/* --- checks --- */

static const char *command_label(enum command command) {
    return commands[command].name ? commands[command].name : "the explorer";
}

static void refuse_option(const struct options *options, const struct option *option) {
    size_t i = 0;
    while (i < COMMANDS_SIZE && !(commands[i].name && option->commands >> i & 1))
        i++;
    if (options->command == COMMAND_EXPLORE && i < COMMANDS_SIZE)
        log_error("--%s needs a command, such as '%s'; see 'fathom help'", option->name,
                  commands[i].name);
    else
        log_error("--%s does not apply to %s" SEE, option->name, command_label(options->command),
                  command_word(options->command));
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

/* Returns true for coordinates and for beginnings of the names of example views. */
static bool names_view(const char *word) {
    char *names;
    const bool found = coordinates_are(word) || assets_match_view(word, &names) > 0;
    if (found && !coordinates_are(word))
        free(names);
    return found;
}

/* Rejects a first argument that is no file, view or command, if it resembles one. */
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
        log_error("there is no command and no file '%s'; see 'fathom help'", word);
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
        return usage(options, "either --last or a view, not both:", options->arguments[0]);
    if (options->merge && (options->resume || options->data || options->part))
        return usage(options,
                     "add runs, or make one by --resume, --data or --part, not both:", "--merge");
    int most = commands[options->command].most;
    most = options->merge ? INT_MAX : most + options_measure_dive(options);
    if (count > most)
        return usage(options, "one argument too many:", options->arguments[most]);
    if (count < commands[options->command].least) {
        log_error("%s takes two %s" SEE, command_label(options->command),
                  options->command == COMMAND_COMPARE ? "files" : "numbers, width and height",
                  command_word(options->command));
        return false;
    }
    return true;
}

/* Checks the number of samples: of a pixel, or of orbits, which have no limit here. */
static bool check_samples(const struct options *options) {
    const struct setting *pixel = &setting_table[SETTING_PIXEL_SAMPLES];
    const bool ok = options->command == COMMAND_DENSITY || (double)options->samples <= pixel->high;
    if (!ok)
        log_error("--samples %s", pixel->takes);
    return ok;
}

/* Stores the command whose help is requested; -1: help about all commands. */
static bool choose_help(struct options *options, bool has_command) {
    struct suggestion suggestion = {.word = options->arguments[0]};
    if (options->command == COMMAND_HELP) {
        has_command = options->argument_count > 0;
        options->help_of = has_command ? options_command(options->arguments[0]) : -1;
    } else {
        options->help_of = has_command ? (int)options->command : -1;
    }
    if (options->command != COMMAND_HELP || !has_command || options->help_of >= 0)
        return true;
    for (size_t i = 0; i < COMMANDS_SIZE; i++)
        suggest_consider(&suggestion, command_word((enum command)i));
    if (suggestion.best)
        log_error("there is no command '%s'; did you mean '%s'?", options->arguments[0],
                  suggestion.best);
    else
        log_error("there is no command '%s'; see 'fathom help'", options->arguments[0]);
    return false;
}

/* Reads the image of --image, except for the window, which reads it after it has opened. */
static bool check_image(struct options *options) {
    const char *path = options->texts[SETTING_IMAGE];
    struct option option;
    const struct option_place place = {"--image", LOG_ERROR};
    return !path || options->command == COMMAND_EXPLORE || !option_find("image", &option) ||
           option_set(&option, options, path, &place);
}

/* Rejects options that the kind of bench does not use. */
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
            log_error("--%s does not apply to bench %s; see 'fathom help bench'", *name,
                      names[which]);
            return false;
        }
    if (dive && options->argument_count < 2)
        log_error("bench dive needs a view; see 'fathom help bench'");
    return !dive || options->argument_count == 2;
}

bool options_parse(struct options *options, int argc, char **argv) {
    *options = (struct options){.cpumask = ~0u,
                                .shortcuts = -1,
                                .format = -1,
                                .quality = IMAGE_QUALITY,
                                .inertia = 1,
                                .seconds = NAN,
                                .remember = -1,
                                .seed = -1,
                                .kiosk_pause = 30,
                                .painting = -1,
                                .auto_limit = -1,
                                .auto_frequency = -1};
    struct words words = {.next = argc > 0 ? argv + 1 : argv};
    options->arguments = (const char **)words.next;
    if (!take_all(&words, options))
        return false;
    if (options->shortcuts < 0)
        options->shortcuts = options->command == COMMAND_BENCH && !options_measure_motion(options)
                                 ? SHORTCUTS_NONE
                                 : SHORTCUTS_ALL;
    if (!choose_help(options, words.has_command))
        return false;
    if (options->help || options->version)
        return true;
    return check_command_name(options) && check_commands(options) && check_arguments(options) &&
           check_bench(options) && check_samples(options) && check_image(options);
}

void options_finish(struct options *options) {
    free(options->remembered_text);
    options->remembered_text = NULL;
    free(options->settings);
    options->settings = NULL;
}

int options_command(const char *name) {
    for (size_t i = 0; i < COMMANDS_SIZE; i++)
        if (strcmp(command_word((enum command)i), name) == 0)
            return (int)i;
    return -1;
}
