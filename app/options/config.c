/* Settings: reads the settings file, the environment and the window's preferences into the options
 * that the command line does not set. */
#include "app/options/config.h"
#include "app/options/option_table.h"
#include "app/paths.h"
#include "render/backends.h"
#include "render/base/ini.h"
#include "render/base/log.h"
#include "render/base/suggest.h"
#include "render/base/user_data.h"
#include "render/interned/trap_image.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_MAX_SIZE (1 << 18)
#define MEASURING     (1u << COMMAND_BENCH | 1u << COMMAND_CLASSIC | 1u << COMMAND_LAB)

const char *const preference_names[PREFERENCE_COUNT + 1] = {
    "palette", "samples", "auto-limit", "auto-frequency", "kinetic-panning", "panel", "zoom-speed",
    "numbers", "map",     NULL};

const char *const preference_numbers[] = {"brief", "all", "none", NULL};

struct reader {
    const char *path;
    struct options *options;
    option_bits fixed; /* options that the command line sets, one bit each */
    option_bits newer; /* settings in a file that is newer than the preferences */
    option_bits read;  /* settings that were read so far */
    bool has_view;
    char *values;     /* buffer for the texts of all values */
    char section[32]; /* last unknown section that was reported */
};

static unsigned settable(const struct option *option) {
    return option->setting_commands ? option->setting_commands : option->commands;
}

static option_bits bit_of(const struct option *option) {
    return (option_bits)1 << option->index;
}

/* --- one setting --- */

static bool is_backend(const char *name, size_t length) {
    for (const struct backend_impl *const *impl = backends_all; *impl; impl++)
        if (strlen((*impl)->name) == length && strncmp((*impl)->name, name, length) == 0)
            return true;
    return false;
}

/* Checks backend names, which on the command line would end the program if they do not exist.
 * `list`: commas or "all" are allowed, as for bench. */
static bool backends_exist(const struct option_place *place, const char *names, bool list) {
    if (list && strcmp(names, "all") == 0)
        return true;
    for (const char *name = names; name; name = strchr(name, ',') ? strchr(name, ',') + 1 : NULL) {
        const size_t length = list ? strcspn(name, ",") : strlen(name);
        if (!is_backend(name, length)) {
            log_message(place->level, "%s: this program has no backend '%.*s'; see 'fathom info'",
                        place->name, (int)length, name);
            return false;
        }
    }
    return true;
}

/* Checks what the option table cannot. Returns false if the value is wrong; the reason is
 * logged. */
static bool check(const struct option *option, const struct options *options, const char *value,
                  const struct option_place *place, unsigned commands) {
    if (option->kind == OPTION_BACKEND)
        return backends_exist(place, value, commands == 1u << COMMAND_BENCH);
    const struct setting *pixel = &setting_table[SETTING_PIXEL_SAMPLES];
    if (option->kind != OPTION_SAMPLES || (double)options->samples <= pixel->high)
        return true;
    log_message(place->level, "%s %s, not '%s'", place->name, pixel->takes, value);
    return false;
}

/* Checks a value for these commands, and stores it if the program's command is one of them and
 * neither the command line nor a view sets the option. Returns false if the value is wrong; the
 * reason is logged. */
static bool store_setting(struct reader *reader, const struct option *option, const char *value,
                          const struct option_place *place, unsigned commands) {
    struct options *options = reader->options, scratch = *options;
    if (!option_set(option, &scratch, value, place) ||
        !check(option, &scratch, value, place, commands))
        return false;
    const bool wanted = commands & settable(option) & 1u << options->command;
    if (!wanted || reader->fixed & bit_of(option))
        return true;
    reader->read |= bit_of(option);
    if (!reader->has_view) {
        *options = scratch;
    } else if (option->kind == OPTION_SIZE && options->command != COMMAND_EXPLORE) {
        options->spare_width_px = scratch.width_px;
        options->spare_height_px = scratch.height_px;
    } else if (option->kind == OPTION_SAMPLES && options->command == COMMAND_EXPLORE) {
        options->spare_samples = scratch.samples;
    } else if (!option->of_view) {
        *options = scratch;
    }
    return true;
}

/* --- the file --- */

static void complain_of_name(const struct reader *reader, const char *name, int line) {
    struct suggestion suggestion = {.word = name};
    struct option option;
    for (size_t i = 0; option_at(i, &option); i++)
        if (option.setting)
            suggest_consider(&suggestion, option.name);
    if (option_find(name, &option))
        log_warn("%s:%d: '%s' is for the command line only; ignored", reader->path, line, name);
    else if (suggestion.best)
        log_warn("%s:%d: unknown setting '%s'; did you mean '%s'? ignored", reader->path, line,
                 name, suggestion.best);
    else
        log_warn("%s:%d: unknown setting '%s'; 'fathom config' lists all; ignored", reader->path,
                 line, name);
}

/* Returns the commands that a setting of the section applies to. Logs one warning for each unknown
 * section and then sets *reported. */
static unsigned commands_of(struct reader *reader, const char *section, const struct option *option,
                            int line, bool *reported) {
    if (!*section)
        return option && option->kind == OPTION_FLAG ? ~0u : ~MEASURING;
    const int command = options_command(section);
    if (command >= 0)
        return 1u << command;
    *reported = strncmp(reader->section, section, sizeof reader->section - 1) != 0;
    if (*reported)
        log_warn("%s:%d: there is no command '%s' for settings in a section; ignored", reader->path,
                 line, section);
    snprintf(reader->section, sizeof reader->section, "%s", section);
    return 0;
}

static const char *keep_value(struct reader *reader, const char *value) {
    char *kept = reader->values;
    const size_t size = strlen(value) + 1;
    memcpy(kept, value, size);
    reader->values += size;
    return kept;
}

static bool take_entry(void *user, const char *section, const char *name, const char *value,
                       int line) {
    struct reader *reader = user;
    struct option found;
    const struct option *option = option_find(name, &found) ? &found : NULL;
    bool reported = false; /* the unknown section was reported */
    const unsigned commands = commands_of(reader, section, option, line, &reported);
    char label[1000];
    snprintf(label, sizeof label, "%s:%d: %s", reader->path, line, name);
    const struct option_place place = {label, LOG_WARN};
    if (commands == 0)
        return !reported;
    if (!option && option_is_retired(name, value, label))
        return true;
    if (!option || !option->setting) {
        complain_of_name(reader, name, line);
        return false;
    }
    if (!(commands & settable(option))) {
        log_warn("%s does not apply to %s; ignored", label, section);
        return false;
    }
    return store_setting(reader, option, keep_value(reader, value), &place, commands);
}

/* Reads a file. Values are shorter than their lines, so a buffer of the file's size holds all of
 * them. */
static void read_file(struct reader *reader, const char *path, char **values, ini_entry_fn entry) {
    size_t length;
    char *text = paths_read(path, FILE_MAX_SIZE, &length);
    if (text && (reader->values = malloc(length + 1))) {
        free(*values);
        *values = reader->values;
        reader->path = path;
        log_info("settings are read from '%s'", path);
        ini_read_leniently(path, text, length, entry, reader);
    }
    free(text);
}

char *config_path(void) {
    return user_config_path("config");
}

/* --- the environment --- */

/* Returns the environment variable of a setting and stores its name. NULL: it is not set or
 * empty. */
static const char *variable(const char *setting, char *name, size_t size) {
    snprintf(name, size, "FATHOM_%s", setting);
    for (char *p = name; *p; p++)
        *p = *p == '-' ? '_' : (char)toupper((unsigned char)*p);
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static void read_environment(struct reader *reader) {
    struct option option;
    for (size_t i = 0; option_at(i, &option); i++) {
        char name[64];
        const char *value = option.setting ? variable(option.name, name, sizeof name) : NULL;
        if (!value && option.setting && option.former)
            value = variable(option.former, name, sizeof name);
        if (!value)
            continue;
        log_info("%s=%s in the environment", name, value);
        const struct option_place place = {name, LOG_WARN};
        store_setting(reader, &option, value, &place, 1u << reader->options->command);
    }
    for (const struct setting_retired *row = settings_retired; row->key; row++) {
        char name[64];
        const char *value =
            option_find(row->key, &option) ? NULL : variable(row->key, name, sizeof name);
        if (value && strcmp(value, row->value) == 0)
            option_is_retired(row->key, value, name);
    }
}

/* --- the window's preferences --- */

/* Returns the number of the preference, or -1 if there is none of that name. */
static int preference_of(const char *name) {
    int i = 0;
    while (preference_names[i] && strcmp(preference_names[i], name) != 0)
        i++;
    return preference_names[i] ? i : -1;
}

/* Stores a preference. The program wrote the file itself, so mistakes are only logged as
 * information. */
static bool take_remembered(void *user, const char *section, const char *name, const char *value,
                            int line) {
    struct reader *reader = user;
    struct option option;
    const int preference = option_find(name, &option) ? preference_of(option.name) : -1;
    char label[1000];
    snprintf(label, sizeof label, "%s:%d: %s", reader->path, line, name);
    const struct option_place place = {label, LOG_INFO};
    if (*section || preference < 0 || reader->newer & bit_of(&option))
        return true;
    const char *kept = keep_value(reader, value);
    if (store_setting(reader, &option, kept, &place, 1u << COMMAND_EXPLORE))
        reader->options->remembered[preference] = kept; /* even if another setting overrides it */
    return true;
}

/* Returns true if the file `path` was written after the file `than`. */
static bool is_newer(const char *path, const char *than) {
    struct stat a, b;
    if (!path || stat(path, &a) != 0 || stat(than, &b) != 0)
        return false;
    return a.st_mtim.tv_sec != b.st_mtim.tv_sec ? a.st_mtim.tv_sec > b.st_mtim.tv_sec
                                                : a.st_mtim.tv_nsec > b.st_mtim.tv_nsec;
}

bool config_keeps_preferences(const struct options *options) {
    if (options->kiosk)
        return false;
    return options->remember >= 0 ? options->remember : !options->script;
}

char *config_preferences_path(void) {
    return user_state_path("preferences");
}

/* Reads the preferences. Settings of a newer settings file override them. */
static void read_remembered(struct reader *reader, const char *settings, option_bits in_settings) {
    const struct options *options = reader->options;
    char *path = options->command == COMMAND_EXPLORE && config_keeps_preferences(options)
                     ? config_preferences_path()
                     : NULL;
    if (path && is_newer(settings, path))
        reader->newer = in_settings;
    if (path)
        read_file(reader, path, &reader->options->remembered_text, take_remembered);
    free(path);
}

/* --- all sources --- */

static bool draws(enum command command) {
    return command == COMMAND_EXPLORE || command == COMMAND_RENDER || command == COMMAND_MOVIE ||
           command == COMMAND_VERIFY || command == COMMAND_DENSITY || command == COMMAND_LOCATE;
}

void config_apply(struct options *options) {
    struct reader reader = {
        .options = options,
        .fixed = options->given,
        .has_view = draws(options->command) && (options->argument_count > 0 || options->last),
    };
    char *path = options->no_config || options->script ? NULL : config_path();
    char wrong[sizeof options->wrong_setting];
    unsigned count;
    log_listen_to_warnings(wrong, sizeof wrong, &count);
    const bool before = trap_image_defer(options->command == COMMAND_EXPLORE);
    if (path)
        read_file(&reader, path, &options->settings, take_entry);
    const option_bits in_file = reader.read;
    reader.read = 0;
    read_environment(&reader);
    reader.fixed |= reader.read;
    read_remembered(&reader, path, in_file);
    trap_image_defer(before);
    log_listen(NULL, 0);
    options->wrong_settings = count;
    memcpy(options->wrong_setting, wrong, sizeof wrong);
    free(path);
}

void config_template(FILE *file) {
    char *path = config_path(), shown[4096];
    log_escape(shown, sizeof shown, path ? path : "~/.config/fathom/config");
    fprintf(file,
            "# Settings of fathom. Remove the '# ' from a line to change what it sets.\n"
            "# The file is read from %s\n"
            "# The environment, as in FATHOM_BACKEND=avx2, overrides it; the command line "
            "overrides both.\n"
            "# Settings in a section such as [render] or [explore] apply to that command alone;\n"
            "# the commands that measure (bench, classic, lab) take only those in their own "
            "sections.\n",
            shown);
    struct option option;
    for (size_t i = 0; option_at(i, &option); i++) {
        if (!option.setting)
            continue;
        option_print(file, &option, fprintf(file, "\n# ") - 1, "# ");
        fprintf(file, "# %s = %s\n", option.name, option.setting);
    }
    free(path);
}
