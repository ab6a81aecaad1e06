/* Perturbation in wide numbers, one orbit per thread (GPUs), to the same bits as the vectors of
 * cpu/deep/. render/deep/perturbed.h says what a round is. The includer has defined `real` as
 * double, real_fma, and FORMULA_KERNEL and WIDE_KERNEL as for formula_step.h and wide.h. */
#ifndef FATHOM_RENDER_NUMBER_WIDE_ROUND_H
#define FATHOM_RENDER_NUMBER_WIDE_ROUND_H

#include "render/number/wide_point.h"

#ifdef WIDE_KERNEL

struct wide_cycle {
    struct wide zr, zi;
    uint32_t events, next, turn;
};

INLINE bool wide_is(const struct wide a, const struct wide b) {
    return a.hi == b.hi && a.lo == b.lo;
}

INLINE bool wide_returns(const struct perturbed_tables *t, const struct wide_point *p,
                         uint32_t turn, struct wide_cycle *c) {
    if (c->events > 0 && wide_is(p->zr, c->zr) && wide_is(p->zi, c->zi) && turn == c->turn)
        return true;
    if (++c->events < c->next)
        return false;
    c->next *= 2;
    c->turn = turn;
    c->zr = p->zr;
    c->zi = p->zi;
    return minibrot_decides(&t->minibrot, c->events, p->cr.hi, p->ci.hi);
}

/* Finds c as it is. */
INLINE void wide_place_of(const struct perturbed_tables *t, const struct wide_point *p,
                          struct wide *cr, struct wide *ci) {
    const double unit = extended_any_power(t->c_log2);
    *cr = wide_add(wide_of(t->re, t->re_low), wide_scaled(p->cr, unit));
    *ci = wide_add(wide_of(t->im, t->im_low), wide_scaled(p->ci, unit));
}

INLINE void wide_direct_step(const struct perturbed_tables *t, const bool folded, uint32_t turn,
                             struct wide *zr, struct wide *zi, const struct wide cr,
                             const struct wide ci) {
    const int power = perturbed_power(t, folded, turn);
    const unsigned folds = perturbed_folds(t, folded, turn);
    if (power == 2)
        wide_step_square(folds, zr, zi, cr, ci);
    else
        wide_step_power(power, folds, zr, zi, cr, ci);
}

/* Makes a block of steps away from the reference. */
INLINE enum perturbed_end wide_tail_block(const struct perturbed_tables *t, const bool folded,
                                          struct wide_point *p, bool cycles,
                                          struct wide_cycle *cycle) {
    struct wide cr, ci;
    wide_place_of(t, p, &cr, &ci);
    if (perturbed_escapes(p->zr.hi, p->zi.hi)) /* it had escaped over an earlier limit */
        return PERTURBED_ESCAPED;
    for (int i = 0; i < PERTURBED_TAIL_STEPS; i++) {
        wide_direct_step(t, folded, perturbed_turn(t, folded, p->n), &p->zr, &p->zi, cr, ci);
        p->n++;
        if (perturbed_escapes(p->zr.hi, p->zi.hi))
            return PERTURBED_ESCAPED;
    }
    const uint32_t turn = perturbed_turn(t, folded, p->n);
    if (extended_most(p->zr.hi, p->zi.hi) < t->tail_from)
        p->m = perturbed_begin_of(t, turn);
    else if (cycles && wide_returns(t, p, turn, cycle))
        return PERTURBED_RETURNS;
    return PERTURBED_GOES_ON;
}

/* Returns z after segment number `found`, from x. */
INLINE void wide_segment(const struct perturbed_tables *t, const bool folded, uint32_t found,
                         const struct wide xr, const struct wide xi, const struct wide cr,
                         const struct wide ci, struct wide *zr, struct wide *zi) {
    const GLOBAL struct segment *s = &t->segment[found];
    const GLOBAL struct segment_low *low = &t->low[found];
    const double scale = extended_power(-s->t_log2);
    const double unit = extended_any_power(s->c_log2 + t->c_log2);
    const struct wide tr = wide_scaled(xr, scale);
    const struct wide ti = wide_scaled(xi, folded ? scale * t->bar[found].sign : scale);
    struct wide Cr = wide_of(s->c_r, low->c_r), Ci = wide_of(s->c_i, low->c_i), r, i;
    struct wide Br = wide_of(0.0, 0.0), Bi = Br;
    if (folded) {
        Br = wide_of(t->bar[found].c_r, t->bar[found].low_r);
        Bi = wide_of(t->bar[found].c_i, t->bar[found].low_i);
    }
    wide_segment_sum(t, found, tr, ti, zr, zi);
    if (perturbed_crosses(t, s)) {
        const struct perturbed_crosses more =
            perturbed_cross_at(t, folded, found, tr.hi, ti.hi, cr.hi, ci.hi);
        Cr = wide_add(Cr, wide_of(more.c.kr, 0.0));
        Ci = wide_add(Ci, wide_of(more.c.ki, 0.0));
        if (folded) {
            Br = wide_add(Br, wide_of(more.bar.kr, 0.0));
            Bi = wide_add(Bi, wide_of(more.bar.ki, 0.0));
        }
    }
    wide_complex_product(wide_scaled(Cr, unit), wide_scaled(Ci, unit), cr, ci, &r, &i);
    wide_complex_term(zr, zi, tr, ti, r, i);
    if (folded) {
        wide_complex_product(wide_scaled(Br, unit), wide_scaled(Bi, unit), cr, wide_negative(ci),
                             &r, &i);
        *zr = wide_add(*zr, r);
        *zi = wide_add(*zi, i);
    }
}

/* Returns x of step number `turn`. */
INLINE void wide_first(const struct perturbed_tables *t, const bool folded, uint32_t turn,
                       const struct wide Zr, const struct wide Zi, const struct wide zr,
                       const struct wide zi, struct wide *xr, struct wide *xi) {
    if (folded) {
        wide_difference(perturbed_power(t, folded, turn), perturbed_folds(t, folded, turn), Zr, Zi,
                        zr, zi, xr, xi);
        return;
    }
    const struct wide ar = wide_add(wide_of(Zr.hi + Zr.hi, Zr.lo + Zr.lo), zr);
    const struct wide ai = wide_add(wide_of(Zi.hi + Zi.hi, Zi.lo + Zi.lo), zi);
    wide_complex_product(ar, ai, zr, zi, xr, xi);
}

/* Makes the step of a round, a segment or a single one. Returns false if doubles have too few bits
 * for it; nothing has changed then. */
INLINE bool wide_round_step(const struct perturbed_tables *t, const bool folded,
                            const struct perturbed_index *index, struct wide_point *p,
                            const struct wide Zr, const struct wide Zi) {
    struct wide xr, xi, zr, zi;
    uint32_t length = 1;
    wide_first(t, folded, perturbed_turn(t, folded, p->n), Zr, Zi, p->zr, p->zi, &xr, &xi);
    const double most = extended_most(xr.hi, xi.hi);
    if (t->c_log2 != 0 && most < PERTURBED_X_LEAST)
        return false;
    const uint32_t found = perturbed_find_by_keys(t, index, perturbed_log2(most));
    if (found == PERTURBED_SINGLE) {
        const double unit = extended_any_power(t->c_log2);
        zr = wide_add(xr, wide_scaled(p->cr, unit));
        zi = wide_add(xi, wide_scaled(p->ci, unit));
    } else {
        wide_segment(t, folded, found, xr, xi, p->cr, p->ci, &zr, &zi);
        length = (uint32_t)t->segment[found].length;
    }
    if (t->c_log2 != 0 && extended_most(zr.hi, zi.hi) < PERTURBED_Z_LEAST)
        return false;
    p->zr = zr;
    p->zi = zi;
    p->m += length;
    p->n += length;
    return true;
}

INLINE void wide_orbit_at(const struct perturbed_tables *t, const struct perturbed_index *index,
                          uint32_t m, struct wide *Zr, struct wide *Zi) {
    const GLOBAL double *low = t->orbit_low + 2 * (size_t)m;
    *Zr = wide_of(index->re, low[0]);
    *Zi = wide_of(index->im, low[1]);
}

/* Makes one round around the reference. */
INLINE enum perturbed_end wide_round(const struct perturbed_tables *t, const bool folded,
                                     struct wide_point *p, bool cycles, struct wide_cycle *cycle) {
    struct perturbed_index index = perturbed_index_at(t, p->m);
    struct wide Zr, Zi;
    wide_orbit_at(t, &index, p->m, &Zr, &Zi);
    const struct wide wr = wide_add(Zr, p->zr), wi = wide_add(Zi, p->zi);
    const double most_w = extended_most(wr.hi, wi.hi);
    double most_z = extended_most(p->zr.hi, p->zi.hi);
    if (wide_escapes(wr, wi)) {
        p->zr = wr;
        p->zi = wi;
        return PERTURBED_ESCAPED;
    }
    if (most_w < most_z || p->m == t->last) {
        const uint32_t turn = perturbed_turn(t, folded, p->n);
        p->zr = wr;
        p->zi = wi;
        p->m = perturbed_begin_of(t, turn);
        index = perturbed_index_at(t, p->m);
        Zr = Zi = wide_of(0.0, 0.0);
        most_z = most_w;
        if (cycles && wide_returns(t, p, turn, cycle))
            return PERTURBED_RETURNS;
    }
    if (most_w >= t->tail_from && most_z >= PERTURBED_TAIL_SHARE * most_w) {
        p->zr = wr;
        p->zi = wi;
        p->m = PERTURBED_TAIL;
    } else if (!wide_round_step(t, folded, &index, p, Zr, Zi)) {
        wide_put(wide_extended_make(p->zr, p->zi, 0), false, p);
    }
    return PERTURBED_GOES_ON;
}

/* Returns whether a point at the limit has escaped with its last step. */
INLINE enum perturbed_end wide_at_limit(const struct perturbed_tables *t, struct wide_point *p) {
    const struct perturbed_index index = perturbed_index_at(t, p->m);
    struct wide Zr, Zi;
    wide_orbit_at(t, &index, p->m, &Zr, &Zi);
    const struct wide wr = wide_add(Zr, p->zr), wi = wide_add(Zi, p->zi);
    if (!wide_escapes(wr, wi))
        return PERTURBED_GOES_ON;
    p->zr = wr;
    p->zi = wi;
    return PERTURBED_ESCAPED;
}

/* Iterates a point in wide numbers; the arguments and the result are as in perturbed_run_with. */
INLINE enum perturbed_end wide_run(const struct perturbed_tables *t, const bool folded,
                                   struct wide_point *p, uint32_t until, bool cycles,
                                   struct wide_cycle *cycle, uint32_t *steps) {
    enum perturbed_end end = PERTURBED_GOES_ON;
    const uint32_t most = *steps;
    *steps = 0;
    if (t->julia)
        p->cr = p->ci = wide_of(0.0, 0.0);
    while (end == PERTURBED_GOES_ON && p->n < until && *steps < most) {
        const uint32_t before = p->n;
        const bool away = p->m == PERTURBED_TAIL;
        end = away           ? wide_tail_block(t, folded, p, cycles, cycle)
              : p->log2 != 0 ? wide_extended_point(t, folded, p)
                             : wide_round(t, folded, p, cycles, cycle);
        *steps += away ? p->n - before : p->n > before;
    }
    if (end == PERTURBED_GOES_ON && p->n >= until && p->log2 == 0 && p->m != PERTURBED_TAIL)
        end = wide_at_limit(t, p);
    return end;
}

#endif

#endif
