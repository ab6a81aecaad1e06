/* Screenshots and captures of the event loop's pictures. */
#ifndef FATHOM_APP_WINDOW_SHOTS_H
#define FATHOM_APP_WINDOW_SHOTS_H

#include "app/window/loop.h"

/* Writes what the bound framebuffer shows into the file `loop->capture`. Where that fails the loop
 * ends, logged. */
void shots_capture(struct loop *loop);
/* To be called while the view rests: takes the screenshot that waits once its picture is complete,
 * with all samples of each pixel unless it is wanted now. False: failed, logged; the loop ends. */
bool shots_advance(struct loop *loop);
/* To be called before anything is done to the view: a screenshot that waits for more samples of
 * each pixel is taken with those that are shown. */
void shots_before_change(struct loop *loop);
/* Posts what became of the screenshot that was being written. */
void shots_finish(struct loop *loop);

#endif
