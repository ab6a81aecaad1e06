/* From the command line to what is to be drawn, how and where, for every command that draws. */
#include "app/commands.h"
#include <string.h>

bool command_scene(const struct options *options, struct scene *scene) {
    if (options->argument_count > 0 && !scene_load(scene, options->arguments[0]))
        return false;
    if (options->width_px > 0) {
        scene->width_px = options->width_px;
        scene->height_px = options->height_px;
    }
    if (options->iterations >= 0)
        scene->limit = (uint32_t)options->iterations;
    if (options->palette)
        scene->palette = palette_find(options->palette);
    if (options->precision >= 0)
        scene->precision = (enum precision)options->precision;
    if (options->arithmetic >= 0)
        scene->arithmetic = (enum arithmetic)options->arithmetic;
    if (options->method >= 0)
        scene->method = (enum method)options->method;
    return true;
}

struct backend_options command_backend_options(const struct options *options) {
    return (struct backend_options){
        .threads = options->threads,
        .cpumask = options->cpumask,
        .device = options->device,
    };
}

const char *command_output_path(const char *option) {
    return option && strcmp(option, "-") == 0 ? "/dev/stdout" : option;
}

bool command_is_stdout(const char *option) {
    const char *path = command_output_path(option);
    return path && strcmp(path, "/dev/stdout") == 0;
}
