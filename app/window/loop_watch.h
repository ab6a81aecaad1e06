/* Looks on at what the event loop shows, to measure it. */
#ifndef FATHOM_APP_WINDOW_LOOP_WATCH_H
#define FATHOM_APP_WINDOW_LOOP_WATCH_H

#include <stdbool.h>

struct loop;

/* On the loop's thread; what they take counts as the frame's time. */
struct loop_watch {
    void *user;
    /* Whether OpenGL is to paint the next frame; else it takes all commands and leaves that out. */
    bool (*paints)(void *user, const struct loop *loop);
    /* The frame is in the bound framebuffer and not yet on the screen. */
    void (*drawn)(void *user, const struct loop *loop);
    void (*shown)(void *user, const struct loop *loop); /* now it is, since frame_end_ms */
    void (*marked)(void *user, const struct loop *loop, const char *text); /* by the script */
};

#endif
