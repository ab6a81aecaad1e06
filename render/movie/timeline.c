/* Timelines: easing. */
#include "render/movie/timeline.h"
#include <math.h>

/* Returns the way from rest, when the speed rises to 1 within a time of 1 by 3 u^2 - 2 u^3. */
static double eased(double u) {
    return u * u * u * (1 - u / 2);
}

double timeline_at(const struct timeline *timeline, double time) {
    const struct timeline *part = timeline->parts;
    double begin = 0;
    for (; part && part->end < 1 && time >= part->end; part++)
        begin = part->end;
    if (part)
        return timeline_at(part, (time - begin) / (part->end - begin));
    const double in = timeline->ease_in, out = timeline->ease_out, all = 1 - in / 2 - out / 2;
    double way = time - in / 2; /* for a speed of 1 in the middle */
    if (time < in)
        way = in * eased(time / in);
    else if (time > 1 - out)
        way = all - out * eased((1 - time) / out);
    if (time >= 1)
        return timeline->to;
    return timeline->from + (timeline->to - timeline->from) * (way / all);
}

uint32_t timeline_frames(double octaves, double speed, double ease_s, int fps) {
    const double frames = ceil((octaves / speed + ease_s) * fps) + 1;
    return frames < 1e9 ? (uint32_t)frames : 1000000000u;
}
