/* Where the time of each frame goes, and how long input takes to be seen. Part of the event loop;
 * allocates nothing after frame_clock_init. */
#ifndef FATHOM_APP_WINDOW_FRAME_CLOCK_H
#define FATHOM_APP_WINDOW_FRAME_CLOCK_H

#include "app/stats.h"
#include <stdint.h>

/* Zero-initialised, then by frame_clock_init. */
struct frame_clock {
    struct stats parts[FRAME_PARTS]; /* ms of the last frames */
    struct stats latency;            /* ms from input to the frame that shows its effect */

    double ms[FRAME_PARTS]; /* of the frame that comes next, so far; the loop's part comes last */
    double known_ms;        /* of its time, what is accounted for */
    double shown_ms;        /* when the last frame was on the screen, by clock_ms; 0: none yet */
    double input_ms;        /* when the oldest input came that the next frame shows; 0: none */
    double ticks_ms;        /* by clock_ms, when SDL began to count its time stamps */
};

/* False: no memory, logged. */
bool frame_clock_init(struct frame_clock *clock);
void frame_clock_finish(struct frame_clock *clock);

/* The next frame shows the effect of an event with that time stamp of SDL's. */
void frame_clock_input(struct frame_clock *clock, uint32_t time_stamp);
/* The loop did nothing for so long; `busy`: a backend drew meanwhile. */
void frame_clock_waited(struct frame_clock *clock, double ms, bool busy);
void frame_clock_add(struct frame_clock *clock, enum frame_part part, double ms);
/* A frame is on the screen: what is left of the time since the last one was the loop's own. */
void frame_clock_shown(struct frame_clock *clock, double now_ms);

#endif
