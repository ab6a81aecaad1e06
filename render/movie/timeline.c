/* Timelines: easing. */
#include "render/movie/timeline.h"
#include <math.h>

/* Returns the way from rest, when the speed rises to 1 within a time of 1 by 3 u^2 - 2 u^3. */
static double eased(double u) {
    return u * u * u * (1 - u / 2);
}

double timeline_depth(const struct timeline *timeline, uint32_t frame) {
    const double ease = timeline->ease, last = timeline->frames - 1.0;
    const double t = last > 0 ? frame / last : 1;
    double way = t - ease / 2; /* for a speed of 1 in the middle; 1 - ease in all */
    if (t < ease)
        way = ease * eased(t / ease);
    else if (t > 1 - ease)
        way = 1 - ease - ease * eased((1 - t) / ease);
    if (frame + 1 >= timeline->frames)
        return timeline->to;
    return timeline->from + (timeline->to - timeline->from) * (way / (1 - ease));
}

uint32_t timeline_frames(double octaves, double speed, double ease_s, int fps) {
    const double frames = ceil((octaves / speed + ease_s) * fps) + 1;
    return frames < 1e9 ? (uint32_t)frames : 1000000000u;
}
