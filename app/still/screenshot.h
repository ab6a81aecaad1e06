/* Screenshots: choose a folder, a name and a text for them, and write them on a thread, because
 * disks can be slow. */
#ifndef FATHOM_APP_STILL_SCREENSHOT_H
#define FATHOM_APP_STILL_SCREENSHOT_H

#include "render/files/image.h"
#include "render/files/scene.h"
#include "render/frame.h"
#include <SDL.h>
#include <stddef.h>

/* Returns the folder for screenshots: `given` if not NULL ("~/" is the home folder), else the
 * pictures folder of the XDG user directories, else ~/Pictures, else the current folder. The
 * caller frees it. Returns NULL if there is no memory. */
char *screenshot_folder(const char *given);

/* Joins folder and name, unless `name` is absolute. The caller frees the result. Returns NULL if
 * there is no memory. */
char *screenshot_path(const char *folder, const char *name);

#define SCREENSHOT_WHY_MAX 600

/* Destination of a picture: a file, the clipboard, or both. */
struct screenshot_order {
    const char *folder; /* folder of the file; NULL: no file */
    enum image_format format;
    int quality;
    bool copies; /* copy it to the clipboard (clipboard.h) */
};

/* Result of an order. */
struct screenshot_result {
    struct screenshot_order order;
    char *path; /* path of the file, which the caller frees; NULL: not saved */
    bool copied;
    char why[SCREENSHOT_WHY_MAX]; /* the first failure; "": none */
};

/* Zero-initialised. The owner's thread uses all members except `result`. */
struct screenshot_writer {
    bool busy;          /* a picture is being written */
    SDL_Thread *thread; /* thread that writes it; NULL: written at once */
    char *text;         /* text in the picture */
    uint32_t *rgba;
    int width_px, height_px;
    struct screenshot_result result; /* belongs to the thread until `done` */
    SDL_atomic_t done;
};

/* Starts writing the complete picture of `req`, drawn from `scene`. A file is named
 * FOLDER/fathom-YYYY-MM-DD-NNN.ppm (or .png ...), with the first free number; the folder is made
 * if needed and no file is overwritten. If no thread can be started, the picture is written at
 * once. Takes over `rgba` in any case. Nothing may be in progress. Returns false on failure,
 * which is logged. */
bool screenshot_start(struct screenshot_writer *writer, const struct screenshot_order *order,
                      const struct scene *scene, const struct frame_req *req, uint32_t *rgba);
bool screenshot_busy(const struct screenshot_writer *writer);
/* Returns true once per picture, when everything has been written or has failed (logged). */
bool screenshot_take(struct screenshot_writer *writer, struct screenshot_result *result);
/* Waits until the picture has been written. */
void screenshot_finish(struct screenshot_writer *writer);

#endif
