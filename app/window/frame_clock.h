/* Frame clock: measures the parts of each frame's time, and the latency of input. Part of the event
 * loop. Allocates nothing after frame_clock_init. */
#ifndef FATHOM_APP_WINDOW_FRAME_CLOCK_H
#define FATHOM_APP_WINDOW_FRAME_CLOCK_H

#include "app/stats.h"
#include <stdint.h>

/* Zero-initialised, then frame_clock_init. */
struct frame_clock {
    struct stats parts[FRAME_PARTS]; /* [ms] of the last frames */
    struct stats latency;            /* [ms] from input to the frame that shows its effect */

    double ms[FRAME_PARTS]; /* of the next frame so far; the loop's part is computed at its end */
    double known_ms;        /* sum of its measured parts */
    double shown_ms;        /* clock_ms of the last frame; 0: none yet */
    double input_ms;        /* clock_ms of the oldest input that the next frame shows; 0: none */
    double ticks_ms;        /* clock_ms at which SDL's time stamps begin */
};

/* Returns false without memory; logged. */
bool frame_clock_init(struct frame_clock *clock);
void frame_clock_finish(struct frame_clock *clock);

/* Records that the next frame shows the effect of an event with that time stamp of SDL. */
void frame_clock_input(struct frame_clock *clock, uint32_t time_stamp);
/* Records time in which the loop waited; `busy`: a backend drew meanwhile. */
void frame_clock_add_wait(struct frame_clock *clock, double ms, bool busy);
void frame_clock_add(struct frame_clock *clock, enum frame_part part, double ms);
/* Records that a frame is on the screen: the unmeasured rest of its time is the loop's part. */
void frame_clock_shown(struct frame_clock *clock, double now_ms);

#endif
