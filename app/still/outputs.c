/* Outputs: writes a picture and its arrays in parallel from the top down, so that either all or
 * none are complete. */
#include "app/still/outputs.h"
#include <string.h>

const char *outputs_path(const char *option) {
    return option && strcmp(option, "-") == 0 ? "/dev/stdout" : option;
}

bool outputs_is_stdout(const char *option) {
    const char *path = outputs_path(option);
    return path && strcmp(path, "/dev/stdout") == 0;
}

enum image_format outputs_image_format(const struct options *options, const char *path) {
    return options->format >= 0 ? (enum image_format)options->format : image_format_of(path);
}

static bool open_array(struct npy_writer **writer, const char *option, enum npy_type type,
                       int width_px, int height_px) {
    if (option)
        *writer = npy_writer_open(outputs_path(option), type, width_px, height_px);
    return !option || *writer;
}

bool outputs_open(struct outputs *outputs, const struct options *options, int width_px,
                  int height_px, const char *text) {
    const char *path = outputs_path(options->output);
    *outputs = (struct outputs){0};
    if (path)
        outputs->image = image_writer_open(path, outputs_image_format(options, path), width_px,
                                           height_px, text, 0);
    if (outputs->image)
        image_writer_set_quality(outputs->image, options->quality);
    if ((!path || outputs->image) &&
        open_array(&outputs->data, options->data, NPY_U4, width_px, height_px) &&
        open_array(&outputs->smooth, options->smooth, NPY_F8, width_px, height_px))
        return true;
    outputs_abandon(outputs);
    return false;
}

bool outputs_pixels(struct outputs *outputs, const uint32_t *rgba, int rows) {
    return !outputs->image || image_writer_rows(outputs->image, rgba, rows);
}

bool outputs_samples(struct outputs *outputs, const struct sample_planes *samples, int rows) {
    if (outputs->take)
        outputs->take(outputs->user, samples, rows);
    return (!outputs->data || npy_writer_rows(outputs->data, samples->count, NULL, rows)) &&
           (!outputs->smooth ||
            npy_writer_rows(outputs->smooth, samples->count, samples->fraction, rows));
}

static bool commit_array(struct npy_writer **writer) {
    struct npy_writer *array = *writer;
    *writer = NULL;
    return !array || npy_writer_commit(array);
}

bool outputs_commit(struct outputs *outputs) {
    struct image_writer *image = outputs->image;
    outputs->image = NULL;
    const bool ok = (!image || image_writer_commit(image, NULL)) && commit_array(&outputs->data) &&
                    commit_array(&outputs->smooth);
    outputs_abandon(outputs);
    return ok;
}

void outputs_abandon(struct outputs *outputs) {
    image_writer_abandon(outputs->image);
    npy_writer_abandon(outputs->data);
    npy_writer_abandon(outputs->smooth);
    *outputs = (struct outputs){0};
}
