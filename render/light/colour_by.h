/* Colour sources: the planes of a sample (sample.h) that palette colours are looked up by. */
#ifndef FATHOM_RENDER_LIGHT_COLOUR_BY_H
#define FATHOM_RENDER_LIGHT_COLOUR_BY_H

#include "render/sample.h"

/* Source for points that escape or converge. From BY_STRIPE on in the order of the planes. */
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

/* Source for interior points. In the order of the planes. */
enum colour_inside {
    INSIDE_ONE, /* one colour, from the palette */
    INSIDE_PERIOD,
    INSIDE_DEPTH,
    INSIDE_LAST,
    INSIDE_ATOM,
    INSIDE_KINDS
};

/* Scale that converts a value to palette turns. SCALE_TURN: an angle is one turn, independent of
 * the frequency. SCALE_NUMBER: consecutive numbers are far apart, independent of the frequency.
 * SCALE_MEAN: 0 to 1 counts as 256 counts. SCALE_LOG: an octave counts as 12 counts. SCALE_IMAGE: a
 * place, whose colour an image has. */
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
