/* Payload of the perturbation kernel (SIMD): the derivative of each orbit (render/deep/perturbed_steps.h). A part of
 * payload.h. */
#ifndef FATHOM_CPU_DEEP_PAYLOAD_SLOPE_H
#define FATHOM_CPU_DEEP_PAYLOAD_SLOPE_H

#include "cpu/deep/payload.h"

/* Follows step number `turn` of the orbit itself from w; the step adds `by`. */
INLINE struct payload slope_step_of(const struct perturbed_tables *t, uint32_t turn, real by,
                                    struct pair w, struct payload p) {
    slope_single(perturbed_power(t, FOLDED, turn), perturbed_any_folds(t, FOLDED),
                 perturbed_folds(t, FOLDED, turn), w.re, w.im, by, &p.x[SLOPE_D]);
    return p;
}

INLINE struct payload slope_steps(const struct perturbed_tables *t, const struct turns *turns,
                                  uint32_t later, real by, struct pair w, struct payload p) {
    struct payload to;
    EACH_TURN(turns, later, turn, to, payload_select, slope_step_of(t, turn, by, w, p));
    return to;
}

INLINE void payload_single(const struct perturbed_tables *t, const struct turns *turns,
                           uint32_t later, struct pair w, struct payload *p) {
    *p = slope_steps(t, turns, later, p->x[SLOPE_BY], w, *p);
}

INLINE void payload_fit(const struct perturbed_tables *t, unsigned alive, struct payload *p) {
    const bool folds = perturbed_any_folds(t, FOLDED);
    const real most = slope_size(folds, &p->x[SLOPE_D]);
    const lanes off = lanes_or(lanes_less(most, real_set(SLOPE_LEAST)),
                               lanes_not_less(most, real_set(SLOPE_MOST)));
    if ((lanes_bits(off) & alive) == 0)
        return;
    struct payload fit = *p;
    slope_fit(folds, real_set(t->unit), real_set(t->unit_log2), &fit.x[SLOPE_D], &fit.x[SLOPE_LOG2],
              &fit.x[SLOPE_BY]);
    *p = payload_select(off, fit, *p);
}

/* Reads the numbers of the round's segments. */
INLINE void read_slopes(const struct source *s, real to[SEGMENT_NUMBERS]) {
    _Alignas(64) double each[SEGMENT_NUMBERS][LANES];
    EACH_LANE if (s->each || l == 0) {
        const int64_t at = s->each ? s->each->found[l] : s->found;
        double numbers[SEGMENT_NUMBERS] = {0};
        if (at >= 0)
            segment_numbers(s->t, FOLDED, (size_t)at, numbers);
        for (int i = 0; i < SEGMENT_NUMBERS; i++)
            each[i][l] = numbers[i];
    }
    _Pragma("GCC unroll 8") for (int i = 0; i < SEGMENT_NUMBERS; i++) to[i] =
        s->each ? real_load(each[i]) : real_set(each[i][0]);
}

INLINE void payload_round(const struct round *r, struct payload *p) {
    const struct perturbed_tables *t = r->t;
    const struct payload before = *p;
    if (!source_has_any(&r->source)) {
        payload_single(t, &r->turns, 0, r->w, p);
    } else {
        real numbers[SEGMENT_NUMBERS];
        read_slopes(&r->source, numbers);
        *p = slope_steps(t, &r->turns, 0, real_set(0), r->w, before);
        slope_segment(perturbed_any_folds(t, FOLDED), r->slope.re, r->slope.im, numbers,
                      real_set(t->unit), real_set(t->unit_log2), &p->x[SLOPE_D], &p->x[SLOPE_LOG2],
                      &p->x[SLOPE_BY]);
        if (r->source.each)
            *p = payload_select(lanes_of(r->source.each->plain),
                                slope_steps(t, &r->turns, 0, before.x[SLOPE_BY], r->w, before), *p);
    }
}

#endif
