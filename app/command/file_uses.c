/* Input and output files of a command: compares them before the work begins, so that no output
 * replaces an input. */
#define _GNU_SOURCE
#include "app/assets.h"
#include "app/command/commands.h"
#include "app/options/config.h"
#include "app/paths.h"
#include "app/still/outputs.h"
#include "render/base/log.h"
#include "render/base/same_file.h"
#include "render/base/user_data.h"
#include "render/palette.h"
#include "render/style/style.h"
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUTPUTS_MAX 6 /* outputs of one picture */

struct output {
    const char *option, *path;
    char *identity; /* NULL: no regular file */
    bool continued; /* --resume: the file is read, and continued */
};

/* Outputs of all pictures of a run. */
struct outputs_named {
    struct output *of;
    size_t count;
    bool complete; /* success; false: out of memory, logged */
};

static void add(struct outputs_named *outputs, const char *option, const char *path,
                bool continued) {
    if (!path)
        return;
    const char *file = outputs_path(path);
    outputs->of[outputs->count++] = (struct output){option, file, file_identity(file), continued};
}

static void add_all(struct outputs_named *outputs, const struct options *options) {
    if (options->command != COMMAND_LAB) /* lab writes a folder */
        add(outputs, "-o", options->output, false);
    add(outputs, "--data", options->data, false);
    add(outputs, "--smooth", options->smooth, false);
    add(outputs, "--diff", options->diff, false);
    add(outputs, "--csv", options->csv, false);
    add(outputs, "--resume", options->resume, true);
}

static struct outputs_named outputs_of(const struct options *options, size_t count) {
    struct outputs_named outputs = {.of = calloc(count, OUTPUTS_MAX * sizeof *outputs.of)};
    outputs.complete = outputs.of;
    if (!outputs.of)
        log_error("not enough memory for the names of all files");
    for (size_t i = 0; outputs.complete && i < count; i++)
        add_all(&outputs, &options[i]);
    return outputs;
}

static void outputs_finish(struct outputs_named *outputs) {
    for (size_t i = 0; i < outputs->count; i++)
        free(outputs->of[i].identity);
    free(outputs->of);
}

static bool same(const char *identity, const char *other) {
    return identity && other && strcmp(identity, other) == 0;
}

/* Allows several streams to standard output: the commands reject those. */
static bool apart_from_each_other(const struct outputs_named *outputs) {
    for (size_t i = 0; i < outputs->count; i++)
        for (size_t j = 0; j < i; j++) {
            const struct output *a = &outputs->of[j], *b = &outputs->of[i];
            if (outputs_is_stdout(a->path) || outputs_is_stdout(b->path) ||
                !same(a->identity, b->identity))
                continue;
            log_error("%s and %s name the same file, '%s'", a->option, b->option, b->path);
            return false;
        }
    return true;
}

/* Checks that no output replaces `input`, which may be NULL. */
static bool apart_from(const struct outputs_named *outputs, const char *input, bool continuable) {
    char *identity = file_identity(input);
    bool ok = true;
    for (size_t i = 0; ok && i < outputs->count; i++) {
        const struct output *output = &outputs->of[i];
        if ((output->continued && continuable) || !same(output->identity, identity))
            continue;
        log_error("%s would replace '%s', which this command reads; name another file",
                  output->option, input);
        ok = false;
    }
    free(identity);
    return ok;
}

/* Checks an allocated path as above, and frees it. */
static bool apart_from_made(const struct outputs_named *outputs, char *input) {
    const bool ok = apart_from(outputs, input, false);
    free(input);
    return ok;
}

/* Checks the arguments: files, or names of examples. */
static bool apart_from_arguments(const struct outputs_named *outputs,
                                 const struct options *options) {
    const bool draws = options->command == COMMAND_RENDER || options->command == COMMAND_MOVIE ||
                       options->command == COMMAND_DENSITY || options->command == COMMAND_LOCATE;
    if (!draws && options->command != COMMAND_COMPARE)
        return true;
    for (int i = 0; i < options->argument_count; i++) {
        const char *argument = options->arguments[i];
        if (!apart_from(outputs, argument, true) ||
            (draws && access(argument, F_OK) != 0 &&
             !apart_from_made(outputs, assets_view_path(argument))))
            return false;
    }
    return !options->from || apart_from(outputs, options->from, true);
}

static bool apart_from_palettes(const struct outputs_named *outputs) {
    bool ok = true;
    char *folder = user_data_path("palettes");
    DIR *entries = folder ? opendir(folder) : NULL;
    for (struct dirent *entry; ok && entries && (entry = readdir(entries));)
        if (palette_is_path(entry->d_name))
            ok = apart_from_made(outputs, paths_join(folder, entry->d_name));
    if (entries)
        closedir(entries);
    free(folder);
    return ok;
}

/* Checks an image's path, which is NULL or as trap_image_get takes it. The built-in ball has no
 * file. */
static bool apart_from_image(const struct outputs_named *outputs, const char *path) {
    return !path || strcmp(path, trap_image_ball()->path) == 0 || apart_from(outputs, path, false);
}

/* Checks the palettes, images and styles that options name. */
static bool apart_from_settings(const struct outputs_named *outputs,
                                const struct options *options) {
    const char *palette = options->texts[SETTING_PALETTE];
    return (!options->style || apart_from_made(outputs, style_file(options->style))) &&
           apart_from_image(outputs, options->texts[SETTING_IMAGE]) &&
           (!palette || !palette_is_path(palette) ||
            apart_from_made(outputs, palette_file(palette)));
}

bool file_uses_check_scene(const struct options *options, size_t count, const struct scene *scene) {
    struct outputs_named outputs = outputs_of(options, count);
    const bool ok = outputs.complete && apart_from_image(&outputs, scene->image->path);
    outputs_finish(&outputs);
    return ok;
}

bool file_uses_check(const struct options *options, size_t count) {
    struct outputs_named outputs = outputs_of(options, count);
    bool ok = outputs.complete;
    for (size_t i = 0; ok && outputs.count > 0 && i < count; i++)
        ok = apart_from_arguments(&outputs, &options[i]);
    if (ok && outputs.count > 0)
        ok = apart_from_each_other(&outputs) && apart_from_made(&outputs, config_path()) &&
             apart_from_made(&outputs, user_state_path("recent")) &&
             apart_from_palettes(&outputs) && apart_from_settings(&outputs, options);
    outputs_finish(&outputs);
    return ok;
}
