/* What an orbit passes that escapes. */
#ifndef FATHOM_GPU_KERNELS_WALK_TRACE_H
#define FATHOM_GPU_KERNELS_WALK_TRACE_H

#include "gpu/kernels/walk.h"

/* What is known after some points; sums also without the last one. */
HAS_REAL struct trace {
    real size, c_size, stripe, stripe_before, triangle, triangle_before, square, line, cross,
        circle;
    uint32_t nearest; /* which point came nearest to 0 */
    /* The points after number `from` can be caught: the least square of those, and where that is. */
    uint32_t from;
    real caught, caught_r, caught_i;
};
#define TRACE OF(trace, real)

INLINE_REAL real trace_size_of(const real square) {
    return real_sqrt(square) * (real)(1 / TRACE_UNIT);
}

/* `wanted`: a set of planes. */
INLINE_REAL void trace_pass(const int power, const uint32_t wanted, uint32_t number, const real zr,
                            const real zi, TRACE *t) {
    const real square = trace_square(zr, zi);
    const bool caught = number > t->from && square < t->caught;
    t->nearest = square < t->square ? number : t->nearest;
    t->caught = caught ? square : t->caught;
    t->caught_r = caught ? zr : t->caught_r;
    t->caught_i = caught ? zi : t->caught_i;
    t->square = real_least(square, t->square);
    t->line = trace_line(zi, t->line);
    t->cross = trace_cross(zr, zi, t->cross);
    if (wanted & SAMPLE_PLANE_BIT(stripe)) {
        t->stripe_before = t->stripe;
        t->stripe = t->stripe + trace_stripe(zr, zi, square);
    }
    if (!(wanted & (SAMPLE_PLANE_BIT(triangle) | SAMPLE_PLANE_BIT(circle))))
        return;
    const real size = trace_size_of(square);
    if (wanted & SAMPLE_PLANE_BIT(triangle)) {
        t->triangle_before = t->triangle;
        t->triangle = t->triangle + trace_triangle(power, size, t->size, t->c_size);
    }
    t->circle = trace_circle(size, t->circle);
    t->size = size;
    if (number == 1) /* always the same */
        t->triangle = t->triangle_before = 0;
}

INLINE_VALUE void trace_walk_on(const struct walk_task *a, uint32_t n, value *zr, value *zi,
                                const value cr, const value ci, TRACE *t) {
    const uint32_t which = walk_which(a, n);
    const unsigned folds = a->recipe.folds[which];
    switch (a->recipe.power[which]) {
#define WALK_CASE(power)                                                                           \
    case power:                                                                                    \
        walk_z(power, folds, zr, zi, cr, ci);                                                      \
        trace_pass(power, a->planes, n + 1, number_high(*zr), number_high(*zi), t);                \
        break;
        WALK_CASE(2)
        RECIPE_POWERS(WALK_CASE)
#undef WALK_CASE
    }
}

/* What the orbit of a pixel passes from z on that escapes after `count` steps; returns after how many points. */
INLINE_VALUE uint32_t trace_walk(const struct walk_task *a, const GLOBAL COORDS *coords,
                                 uint32_t pixel, uint32_t count, value *zr, value *zi, TRACE *t) {
    value cr, ci;
    walk_begin(a, coords, pixel, zr, zi, &cr, &ci);
    t->size = trace_size_of(trace_square(number_high(*zr), number_high(*zi)));
    t->c_size = trace_size_of(trace_square(number_high(cr), number_high(ci)));
    t->square = t->line = t->cross = t->circle = t->caught = (real)TRACE_FAR;
    t->stripe = t->stripe_before = t->triangle = t->triangle_before = 0;
    t->caught_r = t->caught_i = 0;
    t->nearest = 0;
    t->from = trace_caught_from(count);
    uint32_t n = 0;
    for (; walk_goes_on(n, count, *zr, *zi); n++)
        trace_walk_on(a, n, zr, zi, cr, ci, t);
    return n;
}

/* The planes from SAMPLE_PLANE_stripe on. */
INLINE_REAL void trace_values(const TRACE *t, uint32_t points, uint32_t count, float fraction,
                              float values[TRACE_VALUES]) {
    const double part = trace_part(fraction, (int)(points - count));
    values[0] = trace_mean(t->stripe, t->stripe_before, points, part);
    values[1] = trace_mean(t->triangle, t->triangle_before, (double)points - 1, part);
    values[2] = trace_nearness(double_sqrt((double)t->square) * (1 / TRACE_UNIT));
    values[3] = trace_nearness(t->line);
    values[4] = trace_nearness(t->cross);
    values[5] = trace_nearness(t->circle);
}

#endif
