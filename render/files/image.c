/* Picture files: reads and writes them with the codec that the name or the content selects. */
#include "render/files/image.h"
#include "render/base/atomic_file.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/require.h"
#include "render/files/image_codec.h"
#include "render/frame.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const image_format_names[] = {
    [IMAGE_PPM] = "ppm", [IMAGE_PNG] = "png", [IMAGE_JPEG] = "jpg", [IMAGE_WEBP] = "webp", NULL};

static const struct image_codec *const codecs[] = {[IMAGE_PPM] = &image_ppm,
                                                   [IMAGE_PNG] = &image_png,
                                                   [IMAGE_JPEG] = &image_jpeg,
                                                   [IMAGE_WEBP] = &image_webp};

static bool ends_in(const char *path, const char *ending) {
    const size_t length = strlen(path), part = strlen(ending);
    return length >= part && strcasecmp(path + length - part, ending) == 0;
}

enum image_format image_format_of(const char *path) {
    return ends_in(path, ".png")                             ? IMAGE_PNG
           : ends_in(path, ".jpg") || ends_in(path, ".jpeg") ? IMAGE_JPEG
           : ends_in(path, ".webp")                          ? IMAGE_WEBP
                                                             : IMAGE_PPM;
}

const char *image_format_missing(enum image_format format) {
    return codecs[format]->missing;
}

const char *image_library(enum image_format format, struct image_versions *versions) {
    const struct image_codec *codec = codecs[format];
    if (!codec->versions)
        return NULL;
    codec->versions(versions);
    return codec->library;
}

bool image_format_unknown(const char *path) {
    static const char *const others[] = {".jxl",  ".gif", ".bmp", ".tif", ".tiff",
                                         ".avif", ".exr", ".tga", ".svg", ".pdf"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (ends_in(path, others[i]))
            return true;
    return false;
}

/* --- writing --- */

struct image_writer {
    const struct image_codec *codec;
    struct atomic_file *file;
    void *state;
    int width_px, rows_left;
};

/* Returns true if the format supports a picture of this size, and this build the format. Otherwise
 * logs the reason. */
static bool fits(const char *path, const struct image_codec *codec, int width_px, int height_px) {
    const int side = codec->side_max > 0 ? codec->side_max : FRAME_SIZE_MAX;
    const bool large = width_px > side || height_px > side;
    if (codec->missing)
        log_error("cannot write '%s': %s", path, codec->missing);
    else if (large)
        log_error("cannot write '%s': in this format a side has at most %d pixels; PNG and PPM "
                  "have larger ones",
                  path, side);
    return !codec->missing && !large;
}

struct image_writer *image_writer_open(const char *path, enum image_format format, int width_px,
                                       int height_px, const char *comment, unsigned flags) {
    require(path && width_px > 0 && width_px <= FRAME_SIZE_MAX && height_px > 0 &&
                height_px <= FRAME_SIZE_MAX && (!(flags & IMAGE_DEEP) || codecs[format]->deep),
            NULL);
    if (!fits(path, codecs[format], width_px, height_px))
        return NULL;
    struct image_writer *writer = calloc(1, sizeof *writer);
    if (!writer) {
        log_error("cannot write '%s': %s", path, strerror(ENOMEM));
        return NULL;
    }
    writer->codec = codecs[format];
    writer->width_px = width_px;
    writer->rows_left = height_px;
    writer->file = atomic_file_open(path, flags & IMAGE_EXCLUSIVE);
    if (!writer->file)
        goto error;
    writer->state = writer->codec->begin(atomic_file_stream(writer->file), width_px, height_px,
                                         comment, flags & IMAGE_DEEP);
    if (writer->state)
        return writer;
    atomic_file_log_failure(writer->file, errno);

error:
    image_writer_abandon(writer);
    return NULL;
}

void image_writer_set_quality(struct image_writer *writer, int quality) {
    if (writer->codec->set_quality)
        writer->codec->set_quality(writer->state, quality);
}

void image_writer_set_note(struct image_writer *writer, const char *note) {
    if (writer->codec->set_note)
        writer->codec->set_note(writer->state, note);
}

bool image_writer_rows(struct image_writer *writer, const void *pixels, int rows) {
    require(pixels && rows >= 0 && rows <= writer->rows_left, false);
    writer->rows_left -= rows;
    if (writer->codec->rows(writer->state, pixels, rows))
        return true;
    atomic_file_log_failure(writer->file, errno);
    return false;
}

bool image_writer_commit(struct image_writer *writer, bool *existed) {
    if (existed)
        *existed = false;
    bool ok = writer->rows_left == 0 && writer->codec->end(writer->state);
    if (ok) {
        ok = atomic_file_commit(writer->file, existed);
        writer->file = NULL;
    } else {
        atomic_file_log_failure(writer->file, writer->rows_left == 0 ? errno : EINVAL);
    }
    image_writer_abandon(writer);
    return ok;
}

void image_writer_abandon(struct image_writer *writer) {
    if (!writer)
        return;
    if (writer->state)
        writer->codec->destroy(writer->state);
    atomic_file_abandon(writer->file);
    free(writer);
}

bool image_write_exclusive(const char *path, enum image_format format, int quality,
                           const uint32_t *rgba, int width_px, int height_px, const char *comment,
                           bool *existed) {
    if (existed)
        *existed = false;
    struct image_writer *writer = image_writer_open(path, format, width_px, height_px, comment,
                                                    existed ? IMAGE_EXCLUSIVE : 0);
    if (!writer)
        return false;
    image_writer_set_quality(writer, quality);
    if (image_writer_rows(writer, rgba, height_px))
        return image_writer_commit(writer, existed);
    image_writer_abandon(writer);
    return false;
}

bool image_write(const char *path, enum image_format format, const uint32_t *rgba, int width_px,
                 int height_px, const char *comment) {
    return image_write_exclusive(path, format, IMAGE_QUALITY, rgba, width_px, height_px, comment,
                                 NULL);
}

/* --- reading --- */

static const struct image_codec *codec_of(const char *data, size_t length) {
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++)
        if (codecs[i]->begins(data, length))
            return codecs[i];
    return NULL;
}

/* Finds the codec for a file's content; leaves the file at its start. Returns NULL if there is
 * none, which is logged. */
static const struct image_codec *codec_of_file(FILE *file, const char *path) {
    char start[IMAGE_START_SIZE];
    rewind(file);
    const struct image_codec *codec = codec_of(start, fread(start, 1, sizeof start, file));
    rewind(file);
    if (!codec)
        log_error("'%s': neither a binary PPM (P6) nor a PNG, JPEG or WebP picture", path);
    return codec;
}

bool image_begins(const char *data, size_t length) {
    return codec_of(data, length) != NULL;
}

static _Thread_local const struct image_progress *progress;
static _Thread_local bool stopped;

const struct image_progress *image_set_progress(const struct image_progress *other) {
    const struct image_progress *before = progress;
    progress = other;
    return before;
}

bool image_stopped(void) {
    return stopped;
}

bool image_reading_may_continue(const struct image_reading *reading) {
    const bool interrupted = interrupt_requested();
    stopped = interrupted ||
              (progress && !progress->go_on(progress->user, reading->done, reading->pixels));
    if (interrupted)
        log_error("'%s': reading was interrupted", reading->path);
    return !stopped;
}

bool image_reading_begin(struct image_reading *reading, int width_px, int height_px, bool deep) {
    reading->pixels = (uint64_t)width_px * (uint64_t)height_px;
    return reading->sink->begin(reading->sink->user, width_px, height_px, deep);
}

bool image_reading_take(struct image_reading *reading, const struct image_part *part) {
    reading->sink->take(reading->sink->user, part);
    reading->done += (uint64_t)part->count;
    return image_reading_may_continue(reading);
}

bool image_take(const char *path, const struct image_sink *sink) {
    struct image_reading reading = {.path = path, .sink = sink};
    stopped = false;
    FILE *file = file_open(path);
    if (!file)
        return false;
    const struct image_codec *codec = codec_of_file(file, path);
    const bool ok = codec && codec->read(file, &reading);
    fclose(file);
    return ok;
}

static bool make_room(void *user, int width_px, int height_px, bool deep) {
    struct image *image = user;
    const uint64_t size = deep ? sizeof *image->deep : sizeof *image->rgba;
    void *pixels = memory_alloc(size * (uint64_t)width_px * (uint64_t)height_px, "the picture");
    if (pixels)
        *image = (struct image){width_px, height_px, deep ? NULL : pixels, deep ? pixels : NULL};
    return pixels != NULL;
}

static void put(void *user, const struct image_part *part) {
    struct image *image = user;
    size_t at = (size_t)part->y * (size_t)image->width_px + (size_t)part->x;
    for (int i = 0; i < part->count; i++, at += (size_t)part->step)
        if (part->deep)
            image->deep[at] = part->deep[i];
        else
            image->rgba[at] = part->rgba[i];
}

bool image_read(const char *path, struct image *image) {
    *image = (struct image){0};
    const struct image_sink sink = {make_room, put, image};
    const bool ok = image_take(path, &sink);
    if (!ok)
        image_finish(image);
    return ok;
}

char *image_comment(FILE *file, const char *path) {
    const struct image_codec *codec = codec_of_file(file, path);
    return codec ? codec->comment(file, path) : NULL;
}

void image_finish(struct image *image) {
    free(image->rgba);
    free(image->deep);
    *image = (struct image){0};
}
