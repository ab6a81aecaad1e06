/* The blocks of steps of one perturbed orbit away from its reference. */
#ifndef FATHOM_RENDER_DEEP_POINT_PERTURBED_TAIL_H
#define FATHOM_RENDER_DEEP_POINT_PERTURBED_TAIL_H

#include "render/deep/point/perturbed_step.h"

#ifdef FORMULA_KERNEL

INLINE void perturbed_direct_step(const struct perturbed_tables *t, const bool folded,
                                  uint32_t turn, double *zr, double *zi, double cr, double ci) {
    const int power = perturbed_power(t, folded, turn);
    const unsigned folds = perturbed_folds(t, folded, turn);
    if (power == 2)
        step_square(folds, zr, zi, cr, ci);
    else
        step_power(power, folds, zr, zi, cr, ci);
}

/* Up to an escape, even one before the first step: over an earlier limit. */
INLINE enum perturbed_end perturbed_tail_singly(const struct perturbed_tables *t, const bool folded,
                                                struct perturbed_point *p,
                                                struct perturbed_slope *d, double cr, double ci) {
    for (int i = 0; !perturbed_escapes(p->zr, p->zi); i++) {
        if (i == PERTURBED_TAIL_STEPS)
            return PERTURBED_GOES_ON;
        const uint32_t turn = perturbed_turn(t, folded, p->n);
        if (d)
            perturbed_slope_step(t, folded, turn, p->zr, p->zi, d);
        perturbed_direct_step(t, folded, turn, &p->zr, &p->zi, cr, ci);
        p->n++;
    }
    return PERTURBED_ESCAPED;
}

/* A block of steps away from the reference. Most orbits do not escape in one, which is known after it
 * where those that do never come back. */
INLINE enum perturbed_end perturbed_tail_block(const struct perturbed_tables *t, const bool folded,
                                               struct perturbed_point *p, struct perturbed_slope *d,
                                               bool cycles, struct perturbed_cycle *cycle,
                                               uint32_t *steps) {
    const uint32_t before = p->n;
    double cr, ci, zr = p->zr, zi = p->zi;
    struct perturbed_slope ahead = {{0.0, 0.0, 0.0, 0.0}, 0.0, 0.0};
    if (d)
        ahead = *d;
    perturbed_place_of(t, p, &cr, &ci);
    for (int i = 0; i < PERTURBED_TAIL_STEPS; i++) {
        const uint32_t turn = perturbed_turn(t, folded, before + (uint32_t)i);
        if (d)
            perturbed_slope_step(t, folded, turn, zr, zi, &ahead);
        perturbed_direct_step(t, folded, turn, &zr, &zi, cr, ci);
    }
    if (!perturbed_escapes(zr, zi) && double_fma(cr, cr, ci * ci) < PERTURBED_TAIL_SAFE) {
        p->zr = zr;
        p->zi = zi;
        p->n += PERTURBED_TAIL_STEPS;
        if (d)
            *d = ahead;
    } else if (perturbed_tail_singly(t, folded, p, d, cr, ci) == PERTURBED_ESCAPED) {
        *steps += p->n - before;
        return PERTURBED_ESCAPED;
    }
    *steps += PERTURBED_TAIL_STEPS;
    if (d)
        perturbed_slope_fit(t, folded, d);
    const uint32_t turn = perturbed_turn(t, folded, p->n);
    if (extended_most(p->zr, p->zi) < PERTURBED_TAIL_FROM)
        p->m = perturbed_begin_of(t, turn);
    else if (cycles && perturbed_returns(cycle, turn, p->zr, p->zi))
        return PERTURBED_RETURNS;
    return PERTURBED_GOES_ON;
}

#endif

#endif
