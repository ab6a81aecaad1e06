/* fathom lab, bench and classic: starts fathom-lab, a separate program, with the complete request.
 * The request contains all settings and defaults. */
#define _GNU_SOURCE
#include "app/command/commands.h"
#include "app/options/option_table.h"
#include "app/paths.h"
#include "lab/request.h"
#include "render/backends.h"
#include "render/base/log.h"
#include "render/files/scene.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IN_BUILD_FOLDER "fathom-lab"
#define INSTALLED       FATHOM_LAB_FROM_BIN /* "../libexec/fathom/fathom-lab" */

#define ARGUMENTS_MAX 2 /* most arguments of these commands */

struct line {
    char *words[40 + ARGUMENTS_MAX]; /* more than struct lab_request has members */
    size_t count;
    bool complete;
};

/* Appends a word, which is NAME=VALUE or an argument. NULL means that there was no memory. */
static void add(struct line *line, char *word) {
    line->complete = line->complete && word;
    if (word)
        line->words[line->count++] = word;
}

static void add_text(struct line *line, const char *name, const char *value) {
    char *word;
    if (value)
        add(line, asprintf(&word, "%s=%s", name, value) < 0 ? NULL : word);
}

static void add_number(struct line *line, const char *name, int64_t value) {
    char *word;
    add(line, asprintf(&word, "%s=%" PRId64, name, value) < 0 ? NULL : word);
}

/* Returns the number that was given for a setting, or -1 if none was. */
static int64_t told_number(const struct options *options, const char *name) {
    struct option option;
    struct scene scene;
    int64_t number = -1;
    scene_init(&scene);
    if (option_find(name, &option) && options_store_setting(options, option.id, &scene))
        number = (int64_t)setting_number(option.id, &scene);
    scene_finish(&scene);
    return number;
}

static struct line line_of(const struct options *options) {
    struct line line = {.complete = true};
    add(&line, strdup("fathom-lab"));
    add(&line, strdup(option_command(options->command)->name));
#define ADD(name) add_text(&line, #name, options->name);
    LAB_REQUEST_TEXTS(ADD)
#undef ADD
#define ADD(name, low, high) add_number(&line, #name, options->name);
    LAB_REQUEST_NUMBERS(ADD)
#undef ADD
#define ADD(name, low, high) add_number(&line, #name, told_number(options, #name));
    LAB_REQUEST_SETTINGS(ADD)
#undef ADD
    add(&line, strdup("--"));
    for (int i = 0; i < options->argument_count; i++)
        add(&line, strdup(options->arguments[i]));
    return line;
}

/* Replaces this process with the program at `place`. Returns only on failure: errno has the reason.
 * Returns the path that was tried, which the caller frees, or NULL if there is no memory. */
static char *start(const char *place, char **words) {
    char *path = paths_beside_program(place);
    if (path)
        execv(path, words);
    return path;
}

int command_lab(const struct options *options) {
    const struct backend_options backend = command_backend_options(options);
    const bool measures = options->command == COMMAND_BENCH ||
                          (options->command == COMMAND_LAB && options->argument_count > 0);
    if (measures && !backend_finds_device(backends_drawing, &backend))
        return 1;
    struct line line = line_of(options);
    char *path = NULL;
    errno = ENOMEM;
    if (line.complete)
        path = start(IN_BUILD_FOLDER, line.words);
    if (path && errno == ENOENT) {
        free(path);
        path = start(INSTALLED, line.words);
    }
    log_error("cannot start '%s', which runs 'fathom %s': %s; reinstall fathom, or build it with "
              "'./run lab'",
              path ? path : "fathom-lab", option_command(options->command)->name, strerror(errno));
    for (size_t i = 0; i < line.count; i++)
        free(line.words[i]);
    free(path);
    return 1;
}
