/* Screenshots: finds the pictures folder and a free name in it, and writes the picture on a
 * thread. */
#define _GNU_SOURCE
#include "app/still/screenshot.h"
#include "app/paths.h"
#include "app/still/clipboard.h"
#include "render/base/atomic_file.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/base/user_data.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NUMBERS         100000
#define USER_DIRS_MAX   (1 << 16) /* largest user-dirs.dirs [bytes] */
#define PICTURES_KEY    "XDG_PICTURES_DIR=\""
#define PICTURES_FOLDER "Pictures"

/* Returns the value of XDG_PICTURES_DIR="$HOME/..." or "/..." (xdg-user-dirs), or NULL if it is
 * absent. */
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
    char *folder = user_config_home();
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
    /* the configuration file allows this */
    if (given && strncmp(given, "~/", 2) == 0 && home && *home)
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

/* Returns the text for a picture of `req` drawn from `scene`: everything that rendering it again
 * needs. The caller frees it. Returns NULL if there is no memory. */
static char *text_for(const struct scene *scene, const struct frame_req *req) {
    struct scene resolved = *scene;
    resolved.width_px = req->width_px;
    resolved.height_px = req->height_px;
    if (!scene->exact) /* render decides about an exact picture as the window has done */
        resolved.precision = plan_request_precision(req);
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

/* Writes the picture to a new file and returns its path, or NULL if that failed. */
static char *write_numbered(const struct screenshot_writer *writer) {
    const struct screenshot_order *order = &writer->result.order;
    bool existed = user_folder_make_or_log(order->folder), saved = false;
    char *path = NULL;
    for (int number = 1; existed && number < NUMBERS; number++) {
        free(path);
        path = numbered_name(order->folder, number, order->format);
        if (!path)
            break;
        if (access(path, F_OK) != 0)
            saved =
                image_write_exclusive(path, order->format, order->quality, writer->rgba,
                                      writer->width_px, writer->height_px, writer->text, &existed);
    }
    if (saved)
        return path;
    free(path);
    return NULL;
}

static int save(void *user) {
    struct screenshot_writer *writer = user;
    struct screenshot_result *result = &writer->result;
    log_listen(result->why, sizeof result->why);
    if (result->order.folder)
        result->path = write_numbered(writer);
    if (result->order.copies)
        result->copied =
            clipboard_put_picture(writer->rgba, writer->width_px, writer->height_px, writer->text);
    log_listen(NULL, 0);
    SDL_AtomicSet(&writer->done, 1);
    return 0;
}

static void release(struct screenshot_writer *writer) {
    free(writer->text);
    free(writer->rgba);
    free(writer->result.path);
    *writer = (struct screenshot_writer){0};
}

bool screenshot_start(struct screenshot_writer *writer, const struct screenshot_order *order,
                      const struct scene *scene, const struct frame_req *req, uint32_t *rgba) {
    *writer = (struct screenshot_writer){
        .text = text_for(scene, req),
        .rgba = rgba,
        .width_px = req->width_px,
        .height_px = req->height_px,
        .result.order = *order,
    };
    if (!writer->text) {
        log_error("cannot start writing a screenshot: not enough memory");
        release(writer);
        return false;
    }
    writer->busy = true;
    writer->thread = SDL_CreateThread(save, "screenshot", writer);
    if (!writer->thread)
        save(writer);
    return true;
}

bool screenshot_busy(const struct screenshot_writer *writer) {
    return writer->busy;
}

bool screenshot_take(struct screenshot_writer *writer, struct screenshot_result *result) {
    if (!writer->busy || !SDL_AtomicGet(&writer->done))
        return false;
    if (writer->thread)
        SDL_WaitThread(writer->thread, NULL);
    *result = writer->result;
    writer->result.path = NULL;
    release(writer);
    return true;
}

void screenshot_finish(struct screenshot_writer *writer) {
    if (writer->thread)
        SDL_WaitThread(writer->thread, NULL);
    release(writer);
}
