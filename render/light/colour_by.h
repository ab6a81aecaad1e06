/* What colours are looked up by: the count of a sample, or what else its planes (sample.h) say of it. */
#ifndef FATHOM_RENDER_LIGHT_COLOUR_BY_H
#define FATHOM_RENDER_LIGHT_COLOUR_BY_H

#include "render/sample.h"

/* Of points that escape, or converge. In the order of the planes from BY_STRIPE on. */
enum colour_by {
    BY_COUNT,
    BY_DISTANCE,
    BY_ANGLE,
    BY_STRIPE,
    BY_TRIANGLE,
    BY_POINT,
    BY_LINE,
    BY_CROSS,
    BY_CIRCLE,
    BY_DOMAIN,
    BY_IMAGE,
    BY_KINDS
};

/* Of those that do not. In the order of the planes. */
enum colour_inside {
    INSIDE_ONE, /* one colour, the palette's */
    INSIDE_PERIOD,
    INSIDE_DEPTH,
    INSIDE_LAST,
    INSIDE_ATOM,
    INSIDE_KINDS
};

/* How a value becomes turns of the palette: an angle once round it, whatever its frequency; numbers that follow each
 * other far apart, likewise; 0 to 1 as 256 counts; others by their logarithm, 12 counts for each octave.
 * SCALE_IMAGE: a place, whose colour is an image's. */
enum by_scale { SCALE_COUNT, SCALE_TURN, SCALE_NUMBER, SCALE_MEAN, SCALE_LOG, SCALE_IMAGE };

INLINE uint32_t by_plane(uint32_t by) {
    if (by >= BY_STRIPE)
        return SAMPLE_PLANE_stripe + (by - BY_STRIPE);
    return by == BY_ANGLE      ? SAMPLE_PLANE_angle
           : by == BY_DISTANCE ? SAMPLE_PLANE_distance
                               : SAMPLE_PLANE_count;
}

INLINE uint32_t by_scale(uint32_t by) {
    return by == BY_COUNT                         ? SCALE_COUNT
           : by == BY_ANGLE                       ? SCALE_TURN
           : by == BY_STRIPE || by == BY_TRIANGLE ? SCALE_MEAN
           : by == BY_DOMAIN                      ? SCALE_NUMBER
           : by == BY_IMAGE                       ? SCALE_IMAGE
                                                  : SCALE_LOG;
}

INLINE uint32_t inside_plane(uint32_t inside) {
    return SAMPLE_PLANE_period + (inside - INSIDE_PERIOD);
}

INLINE uint32_t inside_scale(uint32_t inside) {
    return inside == INSIDE_PERIOD || inside == INSIDE_ATOM ? SCALE_NUMBER : SCALE_LOG;
}

#endif
