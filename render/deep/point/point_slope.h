/* The derivative of one perturbed orbit (render/deep/perturbed_slope.h): where it begins, and as an extended number. */
#ifndef FATHOM_RENDER_DEEP_POINT_POINT_SLOPE_H
#define FATHOM_RENDER_DEEP_POINT_POINT_SLOPE_H

#include "render/deep/perturbed_turn.h"

/* D, and what a step adds to it; see perturbed_slope.h. Functions that go along an orbit take it along where they are
 * given one. */
struct perturbed_slope {
    double d[4], log2, by;
};

/* What it needs of a segment, as doubles: c adds so much 2^c_log2 to a step to the right, and to one upwards. */
enum {
    SEGMENT_T_LOG2,
    SEGMENT_SIGN,
    SEGMENT_C_LOG2,
    SEGMENT_C, /* four, as in d */
    SEGMENT_NUMBERS = SEGMENT_C + 4
};

INLINE void segment_numbers(const struct perturbed_tables *t, const bool folded, size_t found,
                            double to[SEGMENT_NUMBERS]) {
    const GLOBAL struct segment *s = &t->segment[found];
    const double bar_r = folded ? t->bar[found].c_r : 0.0, bar_i = folded ? t->bar[found].c_i : 0.0;
    to[SEGMENT_T_LOG2] = s->t_log2;
    to[SEGMENT_SIGN] = folded ? t->bar[found].sign : 1.0;
    to[SEGMENT_C_LOG2] = s->c_log2;
    to[SEGMENT_C] = s->c_r + bar_r;
    to[SEGMENT_C + 1] = s->c_i + bar_i;
    to[SEGMENT_C + 2] = bar_i - s->c_i;
    to[SEGMENT_C + 3] = s->c_r - bar_r;
}

INLINE struct extended perturbed_slope_get(const struct perturbed_slope *d) {
    return extended_make(d->d[0], d->d[1], (int32_t)d->log2);
}

/* Where nothing has folded yet. */
INLINE void perturbed_slope_put(const struct perturbed_tables *t, double xa, double ya, double log2,
                                struct perturbed_slope *d) {
    d->d[0] = d->d[3] = xa;
    d->d[1] = ya;
    d->d[2] = -ya;
    d->log2 = log2;
    d->by = t->unit * extended_any_power((int32_t)(t->unit_log2 - log2));
}

INLINE void perturbed_slope_set(const struct perturbed_tables *t, struct extended at,
                                struct perturbed_slope *d) {
    perturbed_slope_put(t, at.re, at.im, at.log2 == EXTENDED_ZERO ? t->step_log2 : (double)at.log2,
                        d);
}

/* Where an orbit begins: with its view's series, which has the derivative gr + i gi, or outside. */
INLINE void perturbed_slope_start(const struct perturbed_tables *t, bool outside, double gr,
                                  double gi, struct perturbed_slope *d) {
    if (outside || t->series.log2 == EXTENDED_ZERO)
        perturbed_slope_put(t, t->julia ? t->step : 0.0, 0.0, t->step_log2, d);
    else
        perturbed_slope_put(t, gr * t->step, gi * t->step,
                            t->series.log2 + t->step_log2 - t->c_most_log2, d);
}

#endif
