/* Colour sources: the planes of a sample (sample.h) that palette colours are looked up by. */
#ifndef FATHOM_RENDER_LIGHT_COLOUR_BY_H
#define FATHOM_RENDER_LIGHT_COLOUR_BY_H

#include "render/light/choice.h"
#include "render/sample.h"

/* Source for points that escape or converge. From BY_STRIPE on in the order of the planes. */
#define COLOUR_BY_LIST(X)                                                                          \
    X(BY_COUNT, "count")                                                                           \
    X(BY_DISTANCE, "distance")                                                                     \
    X(BY_ANGLE, "angle")                                                                           \
    X(BY_STRIPE, "stripes")                                                                        \
    X(BY_TRIANGLE, "triangle")                                                                     \
    X(BY_POINT, "point")                                                                           \
    X(BY_LINE, "line")                                                                             \
    X(BY_CROSS, "cross")                                                                           \
    X(BY_CIRCLE, "circle")                                                                         \
    X(BY_DOMAIN, "domains")                                                                        \
    X(BY_IMAGE, "image")
enum colour_by { COLOUR_BY_LIST(CHOICE_ID) BY_KINDS };

/* Source for interior points. In the order of the planes. INSIDE_ONE: one colour, from
 * the palette. */
#define COLOUR_INSIDE_LIST(X)                                                                      \
    X(INSIDE_ONE, "one")                                                                           \
    X(INSIDE_PERIOD, "period")                                                                     \
    X(INSIDE_DEPTH, "distance")                                                                    \
    X(INSIDE_LAST, "last")                                                                         \
    X(INSIDE_ATOM, "domains")
enum colour_inside { COLOUR_INSIDE_LIST(CHOICE_ID) INSIDE_KINDS };

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
