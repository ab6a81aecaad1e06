/* What steps add to what one perturbed orbit has passed, in doubles; for includers as those of trace_step.h. */
#ifndef FATHOM_RENDER_DEEP_POINT_STEP_TRACE_H
#define FATHOM_RENDER_DEEP_POINT_STEP_TRACE_H

#include "render/deep/point/point_trace.h"

#ifdef FORMULA_KERNEL

#include "render/formula/trace_step.h"

INLINE double perturbed_trace_size(double square) {
    return double_sqrt(square) * (1 / TRACE_UNIT);
}

/* Of an orbit of which nothing is known yet. */
INLINE struct perturbed_trace perturbed_trace_none(void) {
    const struct perturbed_trace none = {0.0,           0.0,       0.0,       0.0,       0.0,
                                         TRACE_FAR,     TRACE_FAR, TRACE_FAR, TRACE_FAR, 0,
                                         {0.5, 0.0, 1}, TRACE_FAR, 0.0};
    return none;
}

/* Of the points that can be caught. */
INLINE void perturbed_trace_catch(double wr, double wi, struct perturbed_trace *t) {
    if (trace_square(wr, wi) < trace_square(t->caught_r, t->caught_i)) {
        t->caught_r = wr;
        t->caught_i = wi;
    }
}

/* Point number `number` is W; the first one's triangle is always the same. */
INLINE void perturbed_trace_pass(const int power, double c_size, uint32_t number, double wr,
                                 double wi, struct perturbed_trace *t) {
    const double square = trace_square(wr, wi), size = perturbed_trace_size(square);
    const double triangle = trace_triangle(power, size, t->size, c_size);
    t->nearest = square < t->square ? number : t->nearest;
    t->square = real_least(square, t->square);
    t->line = trace_line(wi, t->line);
    t->cross = trace_cross(wr, wi, t->cross);
    t->circle = trace_circle(size, t->circle);
    t->stripe_before = t->stripe;
    t->stripe = t->stripe + trace_stripe(wr, wi, square);
    t->triangle_before = t->triangle;
    t->triangle = number == 1 ? 0.0 : t->triangle + triangle;
    t->size = size;
}

#define TRACE_TINY_LOG2 (-450)

/* The same below a double's range. */
INLINE void perturbed_trace_pass_extended(double c_size, uint32_t number, struct extended w,
                                          struct perturbed_trace *t) {
    double wr, wi;
    extended_get(w, &wr, &wi);
    perturbed_trace_pass(2, c_size, number, wr, wi, t);
    const double square = double_fma(w.re, w.re, w.im * w.im);
    const struct extended tiny = extended_make(square, 0.0, 2 * w.log2);
    if (w.log2 < TRACE_TINY_LOG2 && extended_less(tiny, t->tiny)) {
        t->tiny = tiny;
        t->nearest = number;
        t->square = 0.0;
    }
}

/* All that a segment passes which begins after `number` points at a place of the reference, but the first one and where
 * it lands. */
INLINE void perturbed_trace_along(const GLOBAL struct segment_trace *s, uint32_t number,
                                  struct perturbed_trace *t) {
    t->nearest = s->square < t->square ? number + s->nearest : t->nearest;
    t->square = real_least(s->square, t->square);
    t->line = real_least(s->line, t->line);
    t->cross = real_least(s->cross, t->cross);
    t->circle = real_least(s->circle, t->circle);
    t->stripe = t->stripe + s->stripe;
    t->triangle = t->triangle + s->triangle;
    t->size = s->size;
}

/* Of an orbit that escaped after `count` steps, with that fraction, and has passed so many points. */
INLINE void perturbed_trace_values(const struct perturbed_trace *t, uint32_t points, uint32_t count,
                                   float fraction, float to[TRACE_VALUES]) {
    const double part = trace_part(fraction, (int)(points - count));
    to[0] = trace_mean(t->stripe, t->stripe_before, (double)points, part);
    to[1] = trace_mean(t->triangle, t->triangle_before, (double)points - 1, part);
    to[2] = trace_nearness(double_sqrt(t->square) * (1 / TRACE_UNIT));
    to[3] = trace_nearness(t->line);
    to[4] = trace_nearness(t->cross);
    to[5] = trace_nearness(t->circle);
}

#endif

#endif
