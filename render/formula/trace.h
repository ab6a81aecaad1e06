/* Traces: statistics of an orbit for layers, as means along it and least distances to traps. A
 * second pass along orbits of known counts computes them, like slopes. The steps are in
 * trace_step.h. */
#ifndef FATHOM_RENDER_FORMULA_TRACE_H
#define FATHOM_RENDER_FORMULA_TRACE_H

#include "render/sample.h"

/* Scale of the numbers, so that squares of the last z fit in single precision. */
#define TRACE_UNIT  0x1p-24
#define TRACE_LEAST 0x1p-120 /* added to divisors */
#define TRACE_FAR   0x1p100  /* initial least distance */

/* Returns the weight of the last point, 0 to 1, which makes means continuous where the number of
 * points changes. The orbit was left `steps` steps after the escape. */
INLINE double trace_part(float fraction, int steps) {
    const double part = (double)fraction + (1 - steps);
    return part > 0 ? part < 1 ? part : 1 : 0;
}

/* Returns a mean of `terms` terms. `before` is the sum without the last term, whose weight is
 * `part`. */
INLINE float trace_mean(double sum, double before, double terms, double part) {
    const double all = terms < 1 ? 0.5 : sum / terms;
    const double less = terms < 2 ? all : before / (terms - 1);
    const double mean = double_fma(part, all - less, less);
    return mean > 0x1p-20 ? mean < 1 ? (float)mean : 1.0f : 0x1p-20f;
}

#define TRACE_VALUES  6 /* number of planes of means and distances, from `stripe` on */
#define TRACE_NOWHERE 0x80008000u

/* Number of last points of an orbit, before and up to the escape, that an image trap can catch.
 * Earlier points are the same for whole views at large depths. */
#define TRACE_CAUGHT_MOST 16

/* Returns the number of the last point that cannot be caught, of an orbit that escaped after
 * `count` steps. */
INLINE uint32_t trace_caught_from(uint32_t count) {
    return count > TRACE_CAUGHT_MOST ? count - TRACE_CAUGHT_MOST : 0;
}

/* Returns a point as the plane `caught` stores it. */
INLINE uint32_t trace_place(double re, double im) {
    const double x = re * 0x1p15 + 32768.5, y = im * 0x1p15 + 32768.5;
    const bool there = x >= 1.0 && x < 65536.0 && y >= 1.0 && y < 65536.0;
    return there ? ((uint32_t)x ^ 0x8000u) | ((uint32_t)y ^ 0x8000u) << 16 : TRACE_NOWHERE;
}

INLINE float trace_nearness(double distance) {
    return distance > 0x1p-60 ? distance < 0x1p60 ? (float)distance : 0x1p60f : 0x1p-60f;
}

#endif
