/* One perturbed orbit in wide numbers, round by round: to the same bits as the vectors of
 * cpu/deep/wide_tmpl.c. render/deep/perturbed.h says what a round is. */
#ifndef FATHOM_RENDER_NUMBER_WIDE_ROUND_H
#define FATHOM_RENDER_NUMBER_WIDE_ROUND_H

#include "render/number/wide_point.h"

#ifdef WIDE_KERNEL

/* The step of a round: a segment or a single one. */
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

/* One round around the reference. */
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

/* As perturbed_at_limit. */
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

/* As perturbed_run. */
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
