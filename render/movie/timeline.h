/* Timeline: the place of each frame of a movie on a leg. The speed is constant, in octaves a
 * second, except at both ends, where it rises from and falls to 0. A timeline may have parts, each
 * with a speed of its own. */
#ifndef FATHOM_RENDER_MOVIE_TIMELINE_H
#define FATHOM_RENDER_MOVIE_TIMELINE_H

#include "render/movie/leg.h"
#include <stdint.h>

struct timeline {
    double from, to; /* places of the beginning and of the end (leg.h) */
    /* Shares of the duration in which the speed changes at the beginning and at the end; their sum
     * is at most 1. */
    double ease_in, ease_out;
    /* Timelines that follow each other in place of a single one, or NULL. The last one's end is 1.
     */
    const struct timeline *parts;
    double end; /* of a part [share of the whole duration] */
};

/* Returns the place at a share of the duration, by + - * / only. */
double timeline_at(const struct timeline *timeline, double time);
/* Returns the number of frames for a speed [octaves a second] between the ends, and a time at each
 * end in which it changes [s]. */
uint32_t timeline_frames(double octaves, double speed, double ease_s, int fps);

#endif
