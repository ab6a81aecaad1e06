/* Compares what a command reads with what it writes before it begins, so that no output replaces an
 * input. */
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
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OUTPUTS_MAX 6

struct output {
    const char *option, *path;
    bool continued; /* what is there is read, and goes on */
};

struct outputs_named {
    struct output of[OUTPUTS_MAX];
    size_t count;
};

static void add(struct outputs_named *outputs, const char *option, const char *path,
                bool continued) {
    if (path)
        outputs->of[outputs->count++] = (struct output){option, outputs_path(path), continued};
}

static struct outputs_named outputs_of(const struct options *options) {
    struct outputs_named outputs = {.count = 0};
    if (options->command != COMMAND_LAB) /* a folder */
        add(&outputs, "-o", options->output, false);
    add(&outputs, "--data", options->data, false);
    add(&outputs, "--smooth", options->smooth, false);
    add(&outputs, "--diff", options->diff, false);
    add(&outputs, "--csv", options->csv, false);
    add(&outputs, "--resume", options->resume, true);
    return outputs;
}

/* More than one stream to standard output is the commands' to refuse. */
static bool apart_from_each_other(const struct outputs_named *outputs) {
    for (size_t i = 0; i < outputs->count; i++)
        for (size_t j = 0; j < i; j++) {
            const struct output *a = &outputs->of[j], *b = &outputs->of[i];
            if (outputs_is_stdout(a->path) || outputs_is_stdout(b->path) ||
                !same_file(a->path, b->path))
                continue;
            log_error("%s and %s name the same file, '%s'", a->option, b->option, b->path);
            return false;
        }
    return true;
}

/* `input` may be NULL. */
static bool apart_from(const struct outputs_named *outputs, const char *input, bool continuable) {
    for (size_t i = 0; i < outputs->count; i++) {
        const struct output *output = &outputs->of[i];
        if ((output->continued && continuable) || !same_file(output->path, input))
            continue;
        log_error("%s would replace '%s', which this command reads; name another file",
                  output->option, input);
        return false;
    }
    return true;
}

/* For paths that are made for this; takes `input` over. */
static bool apart_from_made(const struct outputs_named *outputs, char *input) {
    const bool ok = apart_from(outputs, input, false);
    free(input);
    return ok;
}

/* Files, or names of examples. */
static bool apart_from_arguments(const struct outputs_named *outputs,
                                 const struct options *options) {
    const bool draws = options->command == COMMAND_RENDER || options->command == COMMAND_DENSITY ||
                       options->command == COMMAND_LOCATE;
    if (!draws && options->command != COMMAND_COMPARE)
        return true;
    for (int i = 0; i < options->argument_count; i++) {
        const char *argument = options->arguments[i];
        if (!apart_from(outputs, argument, true) ||
            (draws && access(argument, F_OK) != 0 &&
             !apart_from_made(outputs, assets_view_path(argument))))
            return false;
    }
    return true;
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

/* PATH is NULL or as trap_image_get takes it; the ball needs no file. */
static bool apart_from_image(const struct outputs_named *outputs, const char *path) {
    return !path || strcmp(path, trap_image_ball()->path) == 0 || apart_from(outputs, path, false);
}

/* Palettes and images that options name. */
static bool apart_from_settings(const struct outputs_named *outputs,
                                const struct options *options) {
    const char *palette = options->told[SETTING_PALETTE];
    return apart_from_image(outputs, options->told[SETTING_IMAGE]) &&
           (!palette || !palette_is_path(palette) ||
            apart_from_made(outputs, palette_file(palette)));
}

bool file_uses_apart_from_scene(const struct options *options, const struct scene *scene) {
    const struct outputs_named outputs = outputs_of(options);
    return apart_from_image(&outputs, scene->image->path);
}

bool file_uses_apart(const struct options *options) {
    const struct outputs_named outputs = outputs_of(options);
    return outputs.count == 0 ||
           (apart_from_each_other(&outputs) && apart_from_arguments(&outputs, options) &&
            apart_from_made(&outputs, config_path()) &&
            apart_from_made(&outputs, paths_state("recent")) && apart_from_palettes(&outputs) &&
            apart_from_settings(&outputs, options));
}
