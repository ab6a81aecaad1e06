/* Timeline: the depth of each frame of a movie along a leg. The speed is constant in octaves a
 * second except at both ends, where it rises from and falls to 0. */
#ifndef FATHOM_RENDER_MOVIE_TIMELINE_H
#define FATHOM_RENDER_MOVIE_TIMELINE_H

#include "render/movie/leg.h"
#include <stdint.h>

struct timeline {
    double from, to; /* depths of the first and of the last frame; to < from zooms out */
    uint32_t frames; /* at least 1 */
    double ease;     /* share of the duration in which the speed changes, at each end; 0 .. 0.5 */
};

/* Returns the depth of a frame, by + - * / only. */
double timeline_depth(const struct timeline *timeline, uint32_t frame);
/* Returns the number of frames for a speed [octaves a second] between the ends, and a time at each
 * end in which it changes [s]. */
uint32_t timeline_frames(double octaves, double speed, double ease_s, int fps);

#endif
