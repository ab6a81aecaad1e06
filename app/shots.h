/* Screenshots and captures of the event loop's pictures. */
#ifndef FATHOM_APP_SHOTS_H
#define FATHOM_APP_SHOTS_H

#include "app/loop.h"

/* Writes what the bound framebuffer shows into the file `loop->capture`. Where that fails the loop ends, logged. */
void shots_capture(struct loop *loop);
/* To be called while the view rests: takes the screenshot that waits once its picture is complete. False: failed,
 * logged; the loop ends. */
bool shots_advance(struct loop *loop);
/* Says what became of the screenshot that was being written. */
void shots_finish(struct loop *loop);

#endif
