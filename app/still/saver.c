/* The thread that writes. */
#include "app/still/saver.h"
#include "app/still/screenshot.h"
#include "render/base/log.h"
#include <stdio.h>
#include <stdlib.h>

static int save(void *user) {
    struct saver *saver = user;
    log_listen(saver->why, sizeof saver->why);
    saver->saved = screenshot_write(saver->folder, saver->format, saver->text, saver->rgba,
                                    saver->width_px, saver->height_px, &saver->path);
    log_listen(NULL, 0);
    SDL_AtomicSet(&saver->done, 1);
    return 0;
}

static void release(struct saver *saver) {
    free(saver->text);
    free(saver->rgba);
    free(saver->path);
    *saver = (struct saver){0};
}

bool saver_start(struct saver *saver, const char *folder, enum image_format format,
                 const struct scene *scene, const struct frame_req *req, uint32_t *rgba) {
    *saver = (struct saver){
        .folder = folder,
        .format = format,
        .text = screenshot_text(scene, req),
        .rgba = rgba,
        .width_px = req->width_px,
        .height_px = req->height_px,
    };
    saver->thread = saver->text ? SDL_CreateThread(save, "screenshot", saver) : NULL;
    if (saver->thread)
        return true;
    log_error("cannot start writing a screenshot: %s",
              saver->text ? SDL_GetError() : "not enough memory");
    release(saver);
    return false;
}

bool saver_busy(const struct saver *saver) {
    return saver->thread != NULL;
}

bool saver_take(struct saver *saver, char **path, char *why, size_t size) {
    if (!saver->thread || !SDL_AtomicGet(&saver->done))
        return false;
    SDL_WaitThread(saver->thread, NULL);
    snprintf(why, size, "%s", saver->why);
    *path = saver->saved ? saver->path : NULL;
    if (saver->saved)
        saver->path = NULL;
    release(saver);
    return true;
}

void saver_finish(struct saver *saver) {
    if (saver->thread)
        SDL_WaitThread(saver->thread, NULL);
    release(saver);
}
