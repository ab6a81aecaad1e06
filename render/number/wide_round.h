/* Perturbation in wide numbers, one orbit per thread (GPUs), to the same bits as the vectors of
 * cpu/deep/. render/deep/perturbed.h says what a round is. The includer has defined `real` as
 * double, real_fma and WIDE_KERNEL as for wide.h. */
#ifndef FATHOM_RENDER_NUMBER_WIDE_ROUND_H
#define FATHOM_RENDER_NUMBER_WIDE_ROUND_H

#include "render/deep/perturbed_point.h"
#include "render/number/formula_wide.h"

#ifdef WIDE_KERNEL

/* State of a point's orbit in wide numbers; the members are named as in struct perturbed_point. */
struct wide_point {
    struct wide zr, zi, cr, ci;
    uint32_t m, n;
};

struct wide_cycle {
    struct wide zr, zi;
    uint32_t events, next;
};

INLINE bool wide_is(const struct wide a, const struct wide b) {
    return a.hi == b.hi && a.lo == b.lo;
}

INLINE bool wide_returns(struct wide_cycle *c, const struct wide zr, const struct wide zi) {
    if (c->events > 0 && wide_is(zr, c->zr) && wide_is(zi, c->zi))
        return true;
    if (++c->events == c->next) {
        c->next *= 2;
        c->zr = zr;
        c->zi = zi;
    }
    return false;
}

INLINE struct wide wide_of(const double hi, const double lo) {
    struct wide x;
    x.hi = hi;
    x.lo = lo;
    return x;
}

/* Computes (ar + i ai) (br + i bi). */
INLINE void wide_complex_product(const struct wide ar, const struct wide ai, const struct wide br,
                                 const struct wide bi, struct wide *re, struct wide *im) {
    *re = wide_add(wide_product(ar, br), wide_negative(wide_product(ai, bi)));
    *im = wide_add(wide_product(ar, bi), wide_product(ai, br));
}

/* s = s t + p */
INLINE void wide_complex_term(struct wide *sr, struct wide *si, const struct wide tr,
                              const struct wide ti, const struct wide pr, const struct wide pi) {
    const struct wide r =
        wide_add3(wide_product(*sr, tr), wide_negative(wide_product(*si, ti)), pr);
    *si = wide_add3(wide_product(*sr, ti), wide_product(*si, tr), pi);
    *sr = r;
}

/* Finds c as it is. */
INLINE void wide_place_of(const struct perturbed_tables *t, const struct wide_point *p,
                          struct wide *cr, struct wide *ci) {
    *cr = wide_add(wide_of(t->re, t->re_low), p->cr);
    *ci = wide_add(wide_of(t->im, t->im_low), p->ci);
}

/* Begins an orbit, with m, n and z at 0; points of perturbed_outside begin in the tail. */
INLINE void wide_begin(const struct perturbed_tables *t, struct wide_point *p) {
    if (perturbed_outside(t, p->cr.hi, p->ci.hi))
        p->m = PERTURBED_TAIL;
}

/* Makes a block of steps away from the reference. */
INLINE enum perturbed_end wide_tail_block(const struct perturbed_tables *t, struct wide_point *p,
                                          bool cycles, struct wide_cycle *cycle) {
    struct wide cr, ci;
    wide_place_of(t, p, &cr, &ci);
    if (perturbed_escapes(p->zr.hi, p->zi.hi)) /* it had escaped over an earlier limit */
        return PERTURBED_ESCAPED;
    for (int i = 0; i < PERTURBED_TAIL_STEPS; i++) {
        wide_step_square(FOLD_NONE, &p->zr, &p->zi, cr, ci);
        p->n++;
        if (perturbed_escapes(p->zr.hi, p->zi.hi))
            return PERTURBED_ESCAPED;
    }
    if (extended_most(p->zr.hi, p->zi.hi) < PERTURBED_TAIL_FROM)
        p->m = 0;
    else if (cycles && wide_returns(cycle, p->zr, p->zi))
        return PERTURBED_RETURNS;
    return PERTURBED_GOES_ON;
}

/* Makes the step of a round: a segment or a single one. */
INLINE void wide_round_step(const struct perturbed_tables *t, const struct perturbed_index *index,
                            struct wide_point *p, const struct wide Zr, const struct wide Zi) {
    struct wide xr, xi, zr, zi, sr, si;
    const struct wide ar = wide_add(wide_of(Zr.hi + Zr.hi, Zr.lo + Zr.lo), p->zr);
    const struct wide ai = wide_add(wide_of(Zi.hi + Zi.hi, Zi.lo + Zi.lo), p->zi);
    wide_complex_product(ar, ai, p->zr, p->zi, &xr, &xi);
    const uint32_t found =
        perturbed_find_by_keys(t, index, perturbed_log2(extended_most(xr.hi, xi.hi)));
    if (found == PERTURBED_SINGLE) {
        p->zr = wide_add(xr, p->cr);
        p->zi = wide_add(xi, p->ci);
        p->m++;
        p->n++;
        return;
    }
    const GLOBAL struct segment *s = &t->segment[found];
    const GLOBAL struct segment_low *low = &t->low[found];
    const double scale = extended_power(-s->t_log2);
    const double unit = extended_any_power(s->c_log2 + t->c_log2);
    const struct wide tr = wide_of(xr.hi * scale, xr.lo * scale),
                      ti = wide_of(xi.hi * scale, xi.lo * scale);
    sr = wide_of(s->p[SEGMENT_DEGREE - 1][0], low->p[SEGMENT_DEGREE - 1][0]);
    si = wide_of(s->p[SEGMENT_DEGREE - 1][1], low->p[SEGMENT_DEGREE - 1][1]);
    for (int k = SEGMENT_DEGREE - 2; k >= 0; k--)
        wide_complex_term(&sr, &si, tr, ti, wide_of(s->p[k][0], low->p[k][0]),
                          wide_of(s->p[k][1], low->p[k][1]));
    wide_complex_product(wide_of(s->c_r * unit, low->c_r * unit),
                         wide_of(s->c_i * unit, low->c_i * unit), p->cr, p->ci, &zr, &zi);
    wide_complex_term(&sr, &si, tr, ti, zr, zi);
    p->zr = sr;
    p->zi = si;
    p->m += (uint32_t)s->length;
    p->n += (uint32_t)s->length;
}

INLINE void wide_orbit_at(const struct perturbed_tables *t, const struct perturbed_index *index,
                          uint32_t m, struct wide *Zr, struct wide *Zi) {
    const GLOBAL double *low = t->orbit_low + 2 * (size_t)m;
    *Zr = wide_of(index->re, low[0]);
    *Zi = wide_of(index->im, low[1]);
}

/* Makes one round around the reference. */
INLINE enum perturbed_end wide_round(const struct perturbed_tables *t, struct wide_point *p,
                                     bool cycles, struct wide_cycle *cycle) {
    struct perturbed_index index = perturbed_index_at(t, p->m);
    struct wide Zr, Zi;
    wide_orbit_at(t, &index, p->m, &Zr, &Zi);
    const struct wide wr = wide_add(Zr, p->zr), wi = wide_add(Zi, p->zi);
    const double most_w = extended_most(wr.hi, wi.hi);
    double most_z = extended_most(p->zr.hi, p->zi.hi);
    if (perturbed_escapes(wr.hi, wi.hi)) {
        p->zr = wr;
        p->zi = wi;
        return PERTURBED_ESCAPED;
    }
    if (most_w < most_z || p->m == t->last) {
        p->zr = wr;
        p->zi = wi;
        p->m = 0;
        index = perturbed_index_at(t, 0);
        Zr = Zi = wide_of(0.0, 0.0);
        most_z = most_w;
        if (cycles && wide_returns(cycle, wr, wi))
            return PERTURBED_RETURNS;
    }
    if (most_w >= PERTURBED_TAIL_FROM && most_z >= PERTURBED_TAIL_SHARE * most_w) {
        p->zr = wr;
        p->zi = wi;
        p->m = PERTURBED_TAIL;
    } else {
        wide_round_step(t, &index, p, Zr, Zi);
    }
    return PERTURBED_GOES_ON;
}

/* Returns whether a point at the limit has escaped with its last step. */
INLINE enum perturbed_end wide_at_limit(const struct perturbed_tables *t, struct wide_point *p) {
    const struct perturbed_index index = perturbed_index_at(t, p->m);
    struct wide Zr, Zi;
    wide_orbit_at(t, &index, p->m, &Zr, &Zi);
    const struct wide wr = wide_add(Zr, p->zr), wi = wide_add(Zi, p->zi);
    if (!perturbed_escapes(wr.hi, wi.hi))
        return PERTURBED_GOES_ON;
    p->zr = wr;
    p->zi = wi;
    return PERTURBED_ESCAPED;
}

/* Iterates a point in wide numbers; the arguments and the result are as in perturbed_run_with. */
INLINE enum perturbed_end wide_run(const struct perturbed_tables *t, struct wide_point *p,
                                   uint32_t until, bool cycles, struct wide_cycle *cycle,
                                   uint32_t *steps) {
    enum perturbed_end end = PERTURBED_GOES_ON;
    const uint32_t most = *steps;
    *steps = 0;
    while (end == PERTURBED_GOES_ON && p->n < until && *steps < most) {
        const uint32_t before = p->n;
        const bool away = p->m == PERTURBED_TAIL;
        end = away ? wide_tail_block(t, p, cycles, cycle) : wide_round(t, p, cycles, cycle);
        *steps += away ? p->n - before : p->n > before;
    }
    if (end == PERTURBED_GOES_ON && p->n >= until && p->m != PERTURBED_TAIL)
        end = wide_at_limit(t, p);
    return end;
}

#endif

#endif
