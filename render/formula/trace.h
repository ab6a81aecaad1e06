/* What an orbit passes on its way, for layers: means along it, and how near it comes to something. Made by a
 * second way along orbits whose counts are known, as slopes are; steps are in trace_step.h. */
#ifndef FATHOM_RENDER_FORMULA_TRACE_H
#define FATHOM_RENDER_FORMULA_TRACE_H

#include "render/sample.h"

/* Numbers on the way are scaled by it, so that squares of where orbits are left hold in single precision. */
#define TRACE_UNIT  0x1p-24
#define TRACE_LEAST 0x1p-120 /* is added to what is divided by */
#define TRACE_FAR   0x1p100  /* nothing has come near yet */

/* How much the last point counts, 0 to 1, so that means are continuous where the number of points changes: it was
 * left `steps` after the escape. */
INLINE double trace_part(float fraction, int steps) {
    const double part = (double)fraction + (1 - steps);
    return part > 0 ? part < 1 ? part : 1 : 0;
}

/* A mean of so many terms, of which `before` is the sum without the last one. */
INLINE float trace_mean(double sum, double before, double terms, double part) {
    const double all = terms < 1 ? 0.5 : sum / terms;
    const double less = terms < 2 ? all : before / (terms - 1);
    const double mean = double_fma(part, all - less, less);
    return mean > 0x1p-20 ? mean < 1 ? (float)mean : 1.0f : 0x1p-20f;
}

#define TRACE_VALUES  6 /* planes of such, from that of stripes on */
#define TRACE_NOWHERE 0x80008000u

/* Only the last points of an orbit can be caught in an image, from so many steps before the escape on. What comes before is the
 * same for whole views deep down. */
#define TRACE_CAUGHT_MOST 16

/* Points after this number can be caught, of an orbit that escaped after `count` steps. */
INLINE uint32_t trace_caught_from(uint32_t count) {
    return count > TRACE_CAUGHT_MOST ? count - TRACE_CAUGHT_MOST : 0;
}

/* A point of `caught`. */
INLINE uint32_t trace_place(double re, double im) {
    const double x = re * 0x1p15 + 32768.5, y = im * 0x1p15 + 32768.5;
    const bool there = x >= 1.0 && x < 65536.0 && y >= 1.0 && y < 65536.0;
    return there ? ((uint32_t)x ^ 0x8000u) | ((uint32_t)y ^ 0x8000u) << 16 : TRACE_NOWHERE;
}

INLINE float trace_nearness(double distance) {
    return distance > 0x1p-60 ? distance < 0x1p60 ? (float)distance : 0x1p60f : 0x1p-60f;
}

#endif
