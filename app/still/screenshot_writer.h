/* Writes screenshots on a thread of its own, one at a time, because disks can take long. */
#ifndef FATHOM_APP_STILL_SCREENSHOT_WRITER_H
#define FATHOM_APP_STILL_SCREENSHOT_WRITER_H

#include "render/files/image.h"
#include "render/files/scene.h"
#include "render/frame.h"
#include <SDL.h>

#define SCREENSHOT_WRITER_WHY_MAX 600

/* Zero-initialised; the owner's but for what is marked. */
struct screenshot_writer {
    SDL_Thread *thread; /* NULL: nothing is being written */
    const char *folder;
    enum image_format format;
    char *text; /* what the picture carries */
    uint32_t *rgba;
    int width_px, height_px;
    char *path;                          /* the thread's, until `done` */
    bool saved;                          /* likewise, */
    char why[SCREENSHOT_WRITER_WHY_MAX]; /* as is the reason where it is not */
    SDL_atomic_t done;
};

/* Starts writing the complete picture of `req`, drawn from `scene`, into `folder` (screenshot.h);
 * takes `rgba` over in any case. Nothing may be being written. False: logged why. */
bool screenshot_writer_start(struct screenshot_writer *writer, const char *folder,
                             enum image_format format, const struct scene *scene,
                             const struct frame_req *req, uint32_t *rgba);
bool screenshot_writer_busy(const struct screenshot_writer *writer);
/* True once per picture, when it has been written or could not be: *path is its name, which the
 * caller frees, NULL when it was not saved (logged why, and put into `why`). */
bool screenshot_writer_take(struct screenshot_writer *writer, char **path, char *why, size_t size);
/* Waits until what was started has been written. */
void screenshot_writer_finish(struct screenshot_writer *writer);

#endif
