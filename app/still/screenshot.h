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

/* What becomes of a picture: a file, a copy in the clipboard, or both. */
struct screenshot_order {
    const char *folder; /* of the file; NULL: none is wanted */
    enum image_format format;
    int quality;
    bool copies; /* it goes to the clipboard (clipboard.h) */
};

/* What became of it. */
struct screenshot_result {
    struct screenshot_order order;
    char *path; /* of the file, which the caller frees; NULL: it was not saved */
    bool copied;
    char why[SCREENSHOT_WHY_MAX]; /* the first thing that failed; "": nothing */
};

/* Zero-initialised; the owner's but for what is marked. */
struct screenshot_writer {
    bool busy;          /* something is being written, */
    SDL_Thread *thread; /* by this; NULL: it has been */
    char *text;         /* what the picture carries */
    uint32_t *rgba;
    int width_px, height_px;
    struct screenshot_result result; /* the thread's, until `done` */
    SDL_atomic_t done;
};

/* Starts writing the complete picture of `req`, drawn from `scene`: to FOLDER/fathom-YYYY-MM-DD-NNN.ppm (or .png ...) with
 * the first free number, never over a file that is there, making the folder; and to the clipboard; at once where no
 * thread can be started. Takes `rgba` over in any case. Nothing may be being written. False: logged why. */
bool screenshot_start(struct screenshot_writer *writer, const struct screenshot_order *order,
                      const struct scene *scene, const struct frame_req *req, uint32_t *rgba);
bool screenshot_busy(const struct screenshot_writer *writer);
/* True once per picture, when all has been done or could not be (logged why). */
bool screenshot_take(struct screenshot_writer *writer, struct screenshot_result *result);
/* Waits until what was started has been written. */
void screenshot_finish(struct screenshot_writer *writer);

#endif
