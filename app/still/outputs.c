/* Outputs: writes a picture and its arrays in parallel from the top down, so that either all or
 * none are complete. */
#include "app/still/outputs.h"
#include "app/options/choices.h"
#include "app/still/posters.h"
#include <string.h>

const char *outputs_path(const char *option) {
    return option && strcmp(option, "-") == 0 ? "/dev/stdout" : option;
}

bool outputs_is_stdout(const char *option) {
    const char *path = outputs_path(option);
    return path && strcmp(path, "/dev/stdout") == 0;
}

bool outputs_is_exr(const struct options *options) {
    return options->format < 0 && exr_is_name(options->output);
}

enum image_format outputs_image_format(const struct options *options, const char *path) {
    return options->format >= 0 ? (enum image_format)options->format : image_format_of(path);
}

bool outputs_is_deep(const struct options *options) {
    return options->depth == 2;
}

static bool open_array(struct npy_writer **writer, const char *option, enum npy_type type,
                       int width_px, int height_px) {
    if (option)
        *writer = npy_writer_open(outputs_path(option), type, width_px, height_px);
    return !option || *writer;
}

bool outputs_open(struct outputs *outputs, const struct options *options,
                  const struct frame_req *req, const char *text) {
    const char *path = outputs_path(options->output);
    const int width_px = req->width_px, height_px = req->height_px;
    *outputs = (struct outputs){.deep = outputs_is_deep(options)};
    if (outputs_is_poster(options)) {
        if (posters_open(outputs, options, req, text)) {
            posters_tell(options, req);
            return true;
        }
        outputs_abandon(outputs);
        return false;
    }
    if (outputs_is_exr(options))
        outputs->exr =
            exr_writer_open(path, req, options->planes == PLANES_SHARED ? 0 : SAMPLE_ALL, text);
    else if (path)
        outputs->image = image_writer_open(path, outputs_image_format(options, path), width_px,
                                           height_px, text, outputs->deep ? IMAGE_DEEP : 0);
    if (outputs->image)
        image_writer_set_quality(outputs->image, options->quality);
    if ((!path || outputs->image || outputs->exr) &&
        open_array(&outputs->data, options->data, NPY_U4, width_px, height_px) &&
        open_array(&outputs->smooth, options->smooth, NPY_F8, width_px, height_px))
        return true;
    outputs_abandon(outputs);
    return false;
}

unsigned outputs_planes(const struct outputs *outputs, const struct frame_req *req) {
    return (outputs->data || outputs->smooth || outputs->take ? SAMPLE_BASIC : 0) |
           (outputs->exr ? exr_planes(req) : 0);
}

bool outputs_pixels(struct outputs *outputs, const void *rgba, int rows) {
    return (!outputs->image || image_writer_rows(outputs->image, rgba, rows)) &&
           (!outputs->exr || exr_writer_pixels(outputs->exr, rgba, rows));
}

bool outputs_samples(struct outputs *outputs, const struct sample_planes *samples, int rows) {
    if (outputs->take)
        outputs->take(outputs->user, samples, rows);
    return (!outputs->data || npy_writer_rows(outputs->data, samples->count, NULL, rows)) &&
           (!outputs->smooth ||
            npy_writer_rows(outputs->smooth, samples->count, samples->fraction, rows)) &&
           (!outputs->exr || exr_writer_samples(outputs->exr, samples, rows));
}

static bool commit_array(struct npy_writer **writer) {
    struct npy_writer *array = *writer;
    *writer = NULL;
    return !array || npy_writer_commit(array);
}

bool outputs_commit(struct outputs *outputs) {
    if (outputs->poster || outputs->shared)
        return posters_commit(outputs, NULL, NULL);
    struct image_writer *image = outputs->image;
    outputs->image = NULL;
    struct exr_writer *exr = outputs->exr;
    outputs->exr = NULL;
    const bool written = exr ? exr_writer_commit(exr) : !image || image_writer_commit(image, NULL);
    const bool ok = written && commit_array(&outputs->data) && commit_array(&outputs->smooth);
    outputs_abandon(outputs);
    return ok;
}

void outputs_abandon(struct outputs *outputs) {
    posters_abandon(outputs);
    image_writer_abandon(outputs->image);
    exr_writer_abandon(outputs->exr);
    npy_writer_abandon(outputs->data);
    npy_writer_abandon(outputs->smooth);
    *outputs = (struct outputs){0};
}
