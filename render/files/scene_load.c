/* Reads a scene from any file that holds one, told apart by its content. */
#include "render/base/atomic_file.h"
#include "render/base/log.h"
#include "render/files/density_file.h"
#include "render/files/image.h"
#include "render/files/location.h"
#include "render/files/npy.h"
#include "render/files/scene.h"
#include <stdlib.h>
#include <string.h>

/* What a picture carries may also be another program's. */
static bool has_view(const char *text) {
    const enum location_kind kind = location_kind(text, strlen(text));
    return strstr(text, "[view]") || kind == LOCATION_KALLES || kind == LOCATION_FRAKTALER;
}

/* A picture's text, or NULL, logged: it has none. */
static char *text_of_picture(FILE *file, const char *path) {
    char *text = image_comment(file, path);
    if (!text || has_view(text))
        return text;
    log_error("'%s': this picture carries no view; only fathom's own screenshots do", path);
    free(text);
    return NULL;
}

static bool load_picture(struct scene *scene, FILE *file, const char *path) {
    char *text = text_of_picture(file, path);
    const bool ok = text && scene_parse_any(scene, path, text, strlen(text));
    free(text);
    return ok;
}

static bool load_run(struct scene *scene, FILE *file, const char *path) {
    char *text = density_file_text(file, path);
    const bool ok = text && scene_parse(scene, path, text, strlen(text));
    free(text);
    return ok;
}

static bool load_text(struct scene *scene, const char *path, const char *data, size_t length,
                      bool more) {
    if (!more)
        return scene_parse_any(scene, path, data, length);
    log_error("'%s': too large for a view file: more than %d bytes", path, SCENE_TEXT_MAX);
    return false;
}

bool scene_load(struct scene *scene, const char *path) {
    FILE *file = file_open(path);
    if (!file)
        return false;
    size_t length;
    bool more;
    char *data = file_read_start(file, path, SCENE_TEXT_MAX, &length, &more);
    bool ok = data != NULL;
    if (ok)
        ok = image_begins(data, length) ? load_picture(scene, file, path)
             : npy_begins(data, length) ? load_run(scene, file, path)
                                        : load_text(scene, path, data, length, more);
    fclose(file);
    free(data);
    return ok;
}
