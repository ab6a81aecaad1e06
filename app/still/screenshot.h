/* Screenshots: which folder, which name, what they carry; written on a thread, because disks can
 * take long. */
#ifndef FATHOM_APP_STILL_SCREENSHOT_H
#define FATHOM_APP_STILL_SCREENSHOT_H

#include "render/files/image.h"
#include "render/files/scene.h"
#include "render/frame.h"
#include <SDL.h>
#include <stddef.h>

/* The folder that screenshots go to: `given` if not NULL ("~/" is the home folder), else the
 * pictures folder of the XDG user directories, else ~/Pictures, else the current one. The caller
 * frees it. NULL: no memory. */
char *screenshot_folder(const char *given);

/* Makes the folder and those above it where they are missing. False: logged why. */
bool screenshot_make_folder(const char *folder);

/* Joins them, unless `name` is absolute. The caller frees it. NULL: no memory. */
char *screenshot_path(const char *folder, const char *name);

/* What a picture of `req`, drawn from `scene`, carries: all that rendering it again needs. The
 * caller frees it. NULL: no memory. */
char *screenshot_text(const struct scene *scene, const struct frame_req *req);

#define SCREENSHOT_WHY_MAX 600

/* Zero-initialised; the owner's but for what is marked. */
struct screenshot_writer {
    SDL_Thread *thread; /* NULL: nothing is being written */
    const char *folder;
    enum image_format format;
    int quality;
    char *text; /* what the picture carries */
    uint32_t *rgba;
    int width_px, height_px;
    char *path;                   /* the thread's, until `done` */
    bool saved;                   /* likewise, */
    char why[SCREENSHOT_WHY_MAX]; /* as is the reason where it is not */
    SDL_atomic_t done;
};

/* Starts writing the complete picture of `req`, drawn from `scene`, to
 * FOLDER/fathom-YYYY-MM-DD-NNN.ppm (or .png ...) with the first free number, never over a file that is
 * there; makes the folder; takes `rgba` over in any case. Nothing may be being written. False:
 * logged why. */
bool screenshot_start(struct screenshot_writer *writer, const char *folder,
                      enum image_format format, int quality, const struct scene *scene,
                      const struct frame_req *req, uint32_t *rgba);
bool screenshot_busy(const struct screenshot_writer *writer);
/* True once per picture, when it has been written or could not be: *path is its name, which the
 * caller frees, NULL when it was not saved (logged why, and put into `why`). */
bool screenshot_take(struct screenshot_writer *writer, char **path, char *why, size_t size);
/* Waits until what was started has been written. */
void screenshot_finish(struct screenshot_writer *writer);

#endif
