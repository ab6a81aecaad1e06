/* Thumbnails of the example views: reads and writes JPEG files whose comment holds a hash of the
 * view's text. */
#define _GNU_SOURCE
#include "app/gallery/example_thumbnail.h"
#include "app/gallery/thumbnail_cache.h"
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include "render/files/image.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

bool example_thumbnail_load(const char *view, uint32_t *rgba) {
    char *path = example_thumbnail_path(view), key[KEY_MAX], unheard[64];
    const struct log_listener before = log_listen_instead(unheard, sizeof unheard);
    const bool ok = path && access(path, F_OK) == 0 && make_key(view, key) &&
                    thumbnail_file_load(path, key, EXAMPLE_THUMBNAIL_WIDTH_PX,
                                        EXAMPLE_THUMBNAIL_HEIGHT_PX, rgba);
    log_listen_restore(before);
    free(path);
    return ok;
}

bool example_thumbnail_store(const char *view, const uint32_t *rgba) {
    char *path = example_thumbnail_path(view), key[KEY_MAX];
    const bool ok =
        path && make_key(view, key) &&
        image_write_exclusive(path, IMAGE_JPEG, QUALITY, rgba, EXAMPLE_THUMBNAIL_WIDTH_PX,
                              EXAMPLE_THUMBNAIL_HEIGHT_PX, key, NULL);
    free(path);
    return ok;
}
