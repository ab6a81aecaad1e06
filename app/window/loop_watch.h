/* Observer of the event loop's frames, for measurements. */
#ifndef FATHOM_APP_WINDOW_LOOP_WATCH_H
#define FATHOM_APP_WINDOW_LOOP_WATCH_H

#include <stdbool.h>

struct loop;

/* Callbacks on the loop's thread; their time is part of the frame's. */
struct loop_watch {
    void *user;
    /* Returns true if OpenGL is to paint the next frame; otherwise it executes all commands without
     * painting. */
    bool (*paints)(void *user, const struct loop *loop);
    /* The frame is in the bound framebuffer and not yet on the screen. */
    void (*drawn)(void *user, const struct loop *loop);
    /* The frame is on the screen since frame_end_ms. */
    void (*shown)(void *user, const struct loop *loop);
    /* The script has marked a time. */
    void (*marked)(void *user, const struct loop *loop, const char *text);
};

#endif
