/* Finds the pictures folder and a free name in it for a screenshot. */
#define _GNU_SOURCE
#include "app/still/screenshot.h"
#include "app/paths.h"
#include "render/base/atomic_file.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NUMBERS         100000
#define USER_DIRS_MAX   (1 << 16) /* bytes that user-dirs.dirs may have */
#define PICTURES_KEY    "XDG_PICTURES_DIR=\""
#define PICTURES_FOLDER "Pictures"

/* The value of XDG_PICTURES_DIR="$HOME/..." or "/..." (xdg-user-dirs); NULL when it is not
 * there. */
static char *parse_user_dirs(const char *text, const char *home) {
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += strspn(line, "\n \t");
        if (strncmp(line, PICTURES_KEY, strlen(PICTURES_KEY)) != 0)
            continue;
        const char *value = line + strlen(PICTURES_KEY);
        const size_t length = strcspn(value, "\"\n");
        char *path = NULL;
        if (strncmp(value, "$HOME/", 6) == 0 && length > 6)
            return asprintf(&path, "%s/%.*s", home, (int)length - 6, value + 6) < 0 ? NULL : path;
        return *value == '/' ? strndup(value, length) : NULL;
    }
    return NULL;
}

static char *user_pictures(const char *home) {
    char *folder = paths_config_home();
    char *path = folder ? paths_join(folder, "user-dirs.dirs") : NULL;
    size_t length;
    char *text = path && access(path, R_OK) == 0 ? file_read(path, USER_DIRS_MAX, &length) : NULL;
    char *pictures = text ? parse_user_dirs(text, home) : NULL;
    free(text);
    free(path);
    free(folder);
    return pictures;
}

char *screenshot_folder(const char *given) {
    const char *home = getenv("HOME");
    if (given && strncmp(given, "~/", 2) == 0 && home && *home) /* from the config file */
        return paths_join(home, given + 2);
    if (given)
        return strdup(given);
    if (!home || !*home)
        return strdup(".");
    char *pictures = user_pictures(home);
    return pictures ? pictures : paths_join(home, PICTURES_FOLDER);
}

char *screenshot_path(const char *folder, const char *name) {
    return *name == '/' ? strdup(name) : paths_join(folder, name);
}

bool screenshot_make_folder(const char *folder) {
    const bool ok = paths_make_folder(folder, 0777);
    if (!ok)
        log_error("cannot make the folder '%s': %s", folder, strerror(errno));
    return ok;
}

char *screenshot_text(const struct scene *scene, const struct frame_req *req) {
    struct scene resolved = *scene;
    resolved.width_px = req->width_px;
    resolved.height_px = req->height_px;
    resolved.precision = plan_precision(req->route, req->type);
    resolved.arithmetic = req->arithmetic;
    resolved.method = req->method;
    return scene_text(&resolved);
}

static char *numbered_name(const char *folder, int number, enum image_format format) {
    char date[CLOCK_TEXT_MAX];
    clock_local(CLOCK_DATE, date);
    char *path;
    return asprintf(&path, "%s/fathom-%s-%03d.%s", folder, date, number,
                    image_format_names[format]) < 0
               ? NULL
               : path;
}

bool screenshot_write(const char *folder, enum image_format format, const char *text,
                      const uint32_t *rgba, int width_px, int height_px, char **path) {
    *path = NULL;
    if (!screenshot_make_folder(folder))
        return false;
    bool written = false, existed = true;
    for (int number = 1; existed && number < NUMBERS; number++) {
        free(*path);
        *path = numbered_name(folder, number, format);
        if (!*path)
            break;
        if (access(*path, F_OK) != 0)
            written =
                image_write_exclusive(*path, format, rgba, width_px, height_px, text, &existed);
    }
    return written;
}
