/* Perturbation, one orbit per thread (GPUs): its rounds, and its slope. The vectors of cpu/deep/
 * make them in stages, to the same bits. The includer has defined `real`, real_fma and
 * FORMULA_KERNEL as for formula_step.h. */
#ifndef FATHOM_RENDER_DEEP_PERTURBED_ROUND_H
#define FATHOM_RENDER_DEEP_PERTURBED_ROUND_H

#include "render/deep/perturbed_extended.h"
#include "render/sample.h"

#ifdef FORMULA_KERNEL

/* Makes steps up to an escape, which may be before the first one, over an earlier limit. */
INLINE enum perturbed_end perturbed_tail_singly(const struct perturbed_tables *t, const bool folded,
                                                struct perturbed_point *p,
                                                struct perturbed_slope *d, double cr, double ci) {
    for (int i = 0; !perturbed_escapes(p->zr, p->zi); i++) {
        if (i == PERTURBED_TAIL_STEPS)
            return PERTURBED_GOES_ON;
        const uint32_t turn = perturbed_turn(t, folded, p->n);
        if (d)
            perturbed_slope_step(t, folded, turn, p->zr, p->zi, d);
        perturbed_screen_tail(t, folded, turn, p);
        perturbed_direct_step(t, folded, turn, &p->zr, &p->zi, cr, ci);
        if (d)
            perturbed_error_tail(t, folded, p->zr, p->zi, cr, ci, d);
        p->n++;
    }
    return PERTURBED_ESCAPED;
}

/* Makes a block of steps away from the reference. Most orbits do not escape in a block; where
 * escaped orbits never come back, one test after it is enough. */
INLINE enum perturbed_end perturbed_tail_block(const struct perturbed_tables *t, const bool folded,
                                               struct perturbed_point *p, struct perturbed_slope *d,
                                               bool cycles, struct perturbed_cycle *cycle,
                                               uint32_t *steps) {
    const uint32_t before = p->n;
    double cr, ci;
    perturbed_screen_block(p);
    struct perturbed_point to = *p;
    struct perturbed_slope ahead = {{0.0, 0.0, 0.0, 0.0}, 0.0, 0.0, 0.0, {0.0, 0.0}};
    if (d)
        ahead = *d;
    perturbed_place_of(t, p, &cr, &ci);
    for (int i = 0; i < PERTURBED_TAIL_STEPS; i++) {
        const uint32_t turn = perturbed_turn(t, folded, before + (uint32_t)i);
        if (d)
            perturbed_slope_step(t, folded, turn, to.zr, to.zi, &ahead);
        perturbed_screen_tail(t, folded, turn, &to);
        perturbed_direct_step(t, folded, turn, &to.zr, &to.zi, cr, ci);
        if (d)
            perturbed_error_tail(t, folded, to.zr, to.zi, cr, ci, &ahead);
    }
    if (!perturbed_escapes(to.zr, to.zi) && double_fma(cr, cr, ci * ci) < PERTURBED_TAIL_SAFE) {
        *p = to;
        p->n += PERTURBED_TAIL_STEPS;
        if (d)
            *d = ahead;
    } else if (perturbed_tail_singly(t, folded, p, d, cr, ci) == PERTURBED_ESCAPED) {
        *steps += p->n - before;
        if (p->n > before)
            perturbed_screen_block_end(p);
        return PERTURBED_ESCAPED;
    }
    perturbed_screen_block_end(p);
    *steps += PERTURBED_TAIL_STEPS;
    if (d)
        perturbed_slope_fit(t, folded, d);
    const uint32_t turn = perturbed_turn(t, folded, p->n);
    if (extended_most(p->zr, p->zi) < t->tail_from) {
        p->m = perturbed_begin_of(t, turn);
        perturbed_screen_turn(p);
    } else if (cycles && perturbed_returns(t, p, turn, cycle)) {
        return PERTURBED_RETURNS;
    }
    return PERTURBED_GOES_ON;
}

/* Makes one round around the reference, or a run of single steps. Adds the number of executed steps
 * to *steps. */
INLINE enum perturbed_end perturbed_round(const struct perturbed_tables *t, const bool folded,
                                          struct perturbed_point *p, struct perturbed_slope *d,
                                          bool cycles, struct perturbed_cycle *cycle,
                                          uint32_t *steps) {
    struct perturbed_index index = perturbed_index_at(t, p->m);
    double Zr = index.re, Zi = index.im;
    const double wr = Zr + p->zr, wi = Zi + p->zi;
    const double most_w = extended_most(wr, wi);
    double most_z = extended_most(p->zr, p->zi);
    if (perturbed_leaves(t, wr, wi)) {
        perturbed_screen_turn(p);
        p->zr = wr;
        p->zi = wi;
        return PERTURBED_ESCAPED;
    }
    const bool rebases = most_w < most_z || p->m == t->last;
    const uint32_t turn = rebases ? perturbed_turn(t, folded, p->n) : 0;
    if (rebases) {
        if (d)
            perturbed_error_add(t, folded, extended_most(Zr, Zi) / 4, d);
        perturbed_screen_land(wr, wi, p);
        p->zr = wr;
        p->zi = wi;
        p->m = perturbed_begin_of(t, turn);
        index = perturbed_index_at(t, p->m);
        Zr = Zi = 0.0;
        most_z = most_w;
        if (cycles && perturbed_returns(t, p, turn, cycle))
            return PERTURBED_RETURNS;
    }
    if (most_w >= t->tail_from && most_z >= PERTURBED_TAIL_SHARE * most_w) {
        if (d)
            perturbed_error_add(t, folded, most_w / 4, d);
        perturbed_screen_leave(wr, wi, p);
        p->zr = wr;
        p->zi = wi;
        p->m = PERTURBED_TAIL;
        return PERTURBED_GOES_ON;
    }
    if (rebases)
        perturbed_screen_restart(t, folded, turn, p);
    if (index.usable == 0 && index.first > 1) {
        const uint32_t done = perturbed_single_steps(t, folded, p, d, Zr, Zi, index.first);
        *steps += done;
        if (done > 0)
            return PERTURBED_GOES_ON;
    } else if (perturbed_step(t, folded, &index, p, d, Zr, Zi)) {
        ++*steps;
        return PERTURBED_GOES_ON;
    }
    const struct extended z = extended_make(p->zr, p->zi, 0);
    p->zr = z.re;
    p->zi = z.im;
    p->log2 = z.log2;
    return PERTURBED_GOES_ON;
}

/* Returns whether a point at the limit has escaped with its last step. */
INLINE enum perturbed_end perturbed_at_limit(const struct perturbed_tables *t,
                                             struct perturbed_point *p) {
    const struct perturbed_index index = perturbed_index_at(t, p->m);
    const double wr = index.re + p->zr, wi = index.im + p->zi;
    if (!perturbed_leaves(t, wr, wi))
        return PERTURBED_GOES_ON;
    p->zr = wr;
    p->zi = wi;
    return PERTURBED_ESCAPED;
}

INLINE bool perturbed_runs(const struct perturbed_point *p, enum perturbed_end end, uint32_t until,
                           uint32_t steps, uint32_t most) {
    return end == PERTURBED_GOES_ON && p->n < until && steps < most;
}

/* Iterates a point that has begun and is below the limit to its end, to at least `until` steps, or
 * for about *steps executed steps. A segment is one executed step; *steps receives their number.
 * Threads in lockstep stay together around the reference, then away from it. `folded` is a
 * compile-time constant: false for z^2 + c. `d` is the point's derivative, or NULL. */
INLINE enum perturbed_end perturbed_run_with(const struct perturbed_tables *t, const bool folded,
                                             struct perturbed_point *p, struct perturbed_slope *d,
                                             uint32_t until, bool cycles,
                                             struct perturbed_cycle *cycle, uint32_t *steps) {
    enum perturbed_end end = PERTURBED_GOES_ON;
    const uint32_t most = *steps;
    *steps = 0;
    if (t->julia)
        p->cr = p->ci = 0.0;
    while (perturbed_runs(p, end, until, *steps, most)) {
        while (p->m != PERTURBED_TAIL && perturbed_runs(p, end, until, *steps, most))
            end = p->log2 != 0 ? perturbed_extended_point(t, folded, p, d, steps)
                               : perturbed_round(t, folded, p, d, cycles, cycle, steps);
        while (p->m == PERTURBED_TAIL && perturbed_runs(p, end, until, *steps, most))
            end = perturbed_tail_block(t, folded, p, d, cycles, cycle, steps);
    }
    if (end == PERTURBED_GOES_ON && p->n >= until && p->m != PERTURBED_TAIL) {
        perturbed_screen_turn(p);
        end = p->log2 == 0 ? perturbed_at_limit(t, p) : end;
    }
    return end;
}

INLINE enum perturbed_end perturbed_run(const struct perturbed_tables *t, const bool folded,
                                        struct perturbed_point *p, uint32_t until, bool cycles,
                                        struct perturbed_cycle *cycle, uint32_t *steps) {
    return perturbed_run_with(t, folded, p, NULL, until, cycles, cycle, steps);
}

/* Returns the slope of a point that has escaped after `count` steps, or 0 if doubles have another
 * count or need too many rounds. `folded` as in perturbed_run_with. */
INLINE struct slope perturbed_slope_walk(const struct perturbed_tables *t, const bool folded,
                                         double cr, double ci, uint32_t count, uint32_t limit) {
    const struct slope none = {0, 0, 0};
    struct perturbed_point o = {0};
    struct perturbed_cycle cycle = {0.0, 0.0, 0, PERTURBED_CYCLE_FIRST, 0};
    struct perturbed_slope d;
    uint32_t rounds = SLOPE_ROUNDS_MAX + 1;
    o.cr = cr;
    o.ci = ci;
    perturbed_begin_with(t, &o, &d);
    const enum perturbed_end end =
        perturbed_run_with(t, folded, &o, &d, limit, false, &cycle, &rounds);
    if (end != PERTURBED_ESCAPED || o.n != count || rounds > SLOPE_ROUNDS_MAX)
        return none;
    perturbed_place_of(t, &o, &cr, &ci);
    for (int i = 0; i < SMOOTH_STEPS && double_fma(o.zr, o.zr, o.zi * o.zi) < SMOOTH_NORM2; i++) {
        const uint32_t turn = perturbed_turn(t, folded, o.n + (uint32_t)i);
        perturbed_slope_step(t, folded, turn, o.zr, o.zi, &d);
        perturbed_direct_step(t, folded, turn, &o.zr, &o.zi, cr, ci);
    }
    return perturbed_slope_end(o.zr, o.zi, perturbed_any_folds(t, folded), &d);
}

#endif

#endif
