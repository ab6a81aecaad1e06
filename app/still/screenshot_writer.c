/* Writes screenshots on a thread, because disks can take long. */
#include "app/still/screenshot_writer.h"
#include "app/still/screenshot.h"
#include "render/base/log.h"
#include <stdio.h>
#include <stdlib.h>

static int save(void *user) {
    struct screenshot_writer *writer = user;
    log_listen(writer->why, sizeof writer->why);
    writer->saved = screenshot_write(writer->folder, writer->format, writer->text, writer->rgba,
                                     writer->width_px, writer->height_px, &writer->path);
    log_listen(NULL, 0);
    SDL_AtomicSet(&writer->done, 1);
    return 0;
}

static void release(struct screenshot_writer *writer) {
    free(writer->text);
    free(writer->rgba);
    free(writer->path);
    *writer = (struct screenshot_writer){0};
}

bool screenshot_writer_start(struct screenshot_writer *writer, const char *folder,
                             enum image_format format, const struct scene *scene,
                             const struct frame_req *req, uint32_t *rgba) {
    *writer = (struct screenshot_writer){
        .folder = folder,
        .format = format,
        .text = screenshot_text(scene, req),
        .rgba = rgba,
        .width_px = req->width_px,
        .height_px = req->height_px,
    };
    writer->thread = writer->text ? SDL_CreateThread(save, "screenshot", writer) : NULL;
    if (writer->thread)
        return true;
    log_error("cannot start writing a screenshot: %s",
              writer->text ? SDL_GetError() : "not enough memory");
    release(writer);
    return false;
}

bool screenshot_writer_busy(const struct screenshot_writer *writer) {
    return writer->thread != NULL;
}

bool screenshot_writer_take(struct screenshot_writer *writer, char **path, char *why, size_t size) {
    if (!writer->thread || !SDL_AtomicGet(&writer->done))
        return false;
    SDL_WaitThread(writer->thread, NULL);
    snprintf(why, size, "%s", writer->why);
    *path = writer->saved ? writer->path : NULL;
    if (writer->saved)
        writer->path = NULL;
    release(writer);
    return true;
}

void screenshot_writer_finish(struct screenshot_writer *writer) {
    if (writer->thread)
        SDL_WaitThread(writer->thread, NULL);
    release(writer);
}
