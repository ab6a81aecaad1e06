/* Thumbnails of the example views: reads and writes JPEG files whose comment holds a hash of the
 * view's text. */
#define _GNU_SOURCE
#include "app/gallery/example_thumbnail.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include "render/files/image.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define VIEW_ENDING ".fathom"
#define FOLDER      "thumbnails"
#define ENDING      ".jpg"
#define VIEW_MAX    (1 << 20) /* [bytes] maximum length of a view */
#define QUALITY     70
#define KEY_MAX     64
#define FNV_START   14695981039346656037u
#define FNV_PRIME   1099511628211u

char *example_thumbnail_path(const char *view) {
    const char *slash = strrchr(view, '/'), *name = slash ? slash + 1 : view;
    const size_t length = strlen(name), ending = strlen(VIEW_ENDING);
    char *path;
    if (length <= ending || strcmp(name + length - ending, VIEW_ENDING) != 0 ||
        asprintf(&path, "%.*s../" FOLDER "/%.*s" ENDING, (int)(name - view), view,
                 (int)(length - ending), name) < 0)
        return NULL;
    return path;
}

/* Makes a key from the view's text (FNV-1a), which decides the picture of one version of the
 * program. Returns false if the view cannot be read. */
static bool make_key(const char *view, char key[static KEY_MAX]) {
    size_t length;
    char *text = file_read(view, VIEW_MAX, &length);
    uint64_t sum = FNV_START;
    for (size_t i = 0; text && i < length; i++)
        sum = (sum ^ (unsigned char)text[i]) * FNV_PRIME;
    snprintf(key, KEY_MAX, "fathom thumbnail of %016" PRIx64, sum);
    const bool ok = text != NULL;
    free(text);
    return ok;
}

static bool has_key(FILE *file, const char *path, const char *key) {
    char *comment = image_comment(file, path);
    const bool has = comment && strcmp(comment, key) == 0;
    free(comment);
    return has;
}

static bool take(const char *path, uint32_t *rgba) {
    struct image image;
    const bool ok = image_read(path, &image) && image.rgba &&
                    image.width_px == EXAMPLE_THUMBNAIL_WIDTH_PX &&
                    image.height_px == EXAMPLE_THUMBNAIL_HEIGHT_PX;
    if (ok)
        memcpy(rgba, image.rgba, EXAMPLE_THUMBNAIL_PIXELS * sizeof *rgba);
    image_finish(&image);
    return ok;
}

bool example_thumbnail_load(const char *view, uint32_t *rgba) {
    bool absent;
    const char *why;
    char *path = example_thumbnail_path(view), key[KEY_MAX], unheard[64];
    FILE *file = path ? file_open_silently(path, &absent, &why) : NULL;
    const struct log_listener before = log_listen_instead(unheard, sizeof unheard);
    const bool ok = file && make_key(view, key) && has_key(file, path, key) && take(path, rgba);
    log_listen_again(before);
    if (file)
        fclose(file);
    free(path);
    return ok;
}

bool example_thumbnail_store(const char *view, const uint32_t *rgba) {
    char *path = example_thumbnail_path(view), key[KEY_MAX];
    struct image_writer *writer =
        path && make_key(view, key)
            ? image_writer_open(path, IMAGE_JPEG, EXAMPLE_THUMBNAIL_WIDTH_PX,
                                EXAMPLE_THUMBNAIL_HEIGHT_PX, key, false)
            : NULL;
    free(path);
    if (!writer)
        return false;
    image_writer_set_quality(writer, QUALITY);
    if (image_writer_rows(writer, rgba, EXAMPLE_THUMBNAIL_HEIGHT_PX))
        return image_writer_commit(writer, NULL);
    image_writer_abandon(writer);
    return false;
}
