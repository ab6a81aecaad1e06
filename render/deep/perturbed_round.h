/* One perturbed orbit, round by round. What vectors do in stages (cpu/deep/perturbed_tmpl.c) is here in
 * one loop, to the same bits. The includer has defined `real`, real_fma and FORMULA_KERNEL as for
 * formula.h. */
#ifndef FATHOM_RENDER_DEEP_PERTURBED_ROUND_H
#define FATHOM_RENDER_DEEP_PERTURBED_ROUND_H

#include "render/deep/perturbed_point.h"
#include "render/deep/perturbed_steps.h"

#ifdef FORMULA_KERNEL

/* The step of a round, from z: a segment or a single one. False: a double has too few bits for it. */
INLINE bool perturbed_step(const struct perturbed_tables *t, struct perturbed_point *p, double Zr,
                           double Zi) {
    double xr, xi, zr, zi;
    uint32_t length = 1;
    perturbed_product(Zr, Zi, p->zr, p->zi, &xr, &xi);
    const double most = extended_most(xr, xi);
    if (t->c_log2 != 0 && most < PERTURBED_X_LEAST)
        return false;
    const int64_t found = perturbed_find(t, p->m, perturbed_log2(most));
    if (found < 0) {
        const double unit = extended_any_power(t->c_log2);
        zr = xr + p->cr * unit;
        zi = xi + p->ci * unit;
    } else {
        const struct segment *s = &t->segment[found];
        const double scale = extended_power(-s->t_log2);
        const double tr = xr * scale, ti = xi * scale;
        double sr = s->p[SEGMENT_DEGREE - 1][0], si = s->p[SEGMENT_DEGREE - 1][1];
        for (int k = SEGMENT_DEGREE - 2; k >= 0; k--)
            perturbed_term(&sr, &si, tr, ti, s->p[k][0], s->p[k][1]);
        perturbed_land(sr, si, tr, ti, t->c[found][0], t->c[found][1], p->cr, p->ci, &zr, &zi);
        length = (uint32_t)s->length;
    }
    if (t->c_log2 != 0 && extended_most(zr, zi) < PERTURBED_Z_LEAST)
        return false;
    p->zr = zr;
    p->zi = zi;
    p->m += length;
    p->n += length;
    return true;
}

/* Takes a point to the end of the common beginning. */
INLINE void perturbed_begin(const struct perturbed_tables *t, struct perturbed_point *p) {
    const struct series *s = &t->series;
    const double ur = p->cr * s->unit, ui = p->ci * s->unit;
    double zr = s->a[SERIES_DEGREE][0], zi = s->a[SERIES_DEGREE][1];
    for (int k = SERIES_DEGREE - 1; k >= 0; k--)
        perturbed_term(&zr, &zi, ur, ui, s->a[k][0], s->a[k][1]);
    p->m = s->m;
    p->n = s->n;
    perturbed_start(t, zr, zi, &p->zr, &p->zi, &p->log2);
}

/* One round around the reference. */
INLINE enum perturbed_end perturbed_round(const struct perturbed_tables *t,
                                          struct perturbed_point *p, bool cycles,
                                          struct perturbed_cycle *cycle) {
    double Zr = t->orbit[2 * (size_t)p->m], Zi = t->orbit[2 * (size_t)p->m + 1];
    const double wr = Zr + p->zr, wi = Zi + p->zi;
    const double most_w = extended_most(wr, wi);
    double most_z = extended_most(p->zr, p->zi);
    if (perturbed_escapes(wr, wi)) {
        p->zr = wr;
        p->zi = wi;
        return PERTURBED_ESCAPED;
    }
    if (most_w < most_z || p->m == t->last) {
        p->zr = wr;
        p->zi = wi;
        p->m = 0;
        Zr = Zi = 0.0;
        most_z = most_w;
        if (cycles && perturbed_returns(cycle, wr, wi))
            return PERTURBED_RETURNS;
    }
    if (most_w >= PERTURBED_TAIL_FROM && most_z >= PERTURBED_TAIL_SHARE * most_w) {
        p->zr = wr;
        p->zi = wi;
        p->m = PERTURBED_TAIL;
    } else if (!perturbed_step(t, p, Zr, Zi)) {
        const struct extended z = extended_make(p->zr, p->zi, 0);
        p->zr = z.re;
        p->zi = z.im;
        p->log2 = z.log2;
    }
    return PERTURBED_GOES_ON;
}

/* Takes a point that has not got to the limit to its end, or to `until` steps or somewhat over that. */
INLINE enum perturbed_end perturbed_run(const struct perturbed_tables *t, struct perturbed_point *p,
                                        uint32_t until, bool cycles) {
    struct perturbed_cycle cycle = {0.0, 0.0, 0, PERTURBED_CYCLE_FIRST};
    enum perturbed_end end = PERTURBED_GOES_ON;
    while (end == PERTURBED_GOES_ON && p->n < until)
        end = p->m == PERTURBED_TAIL ? perturbed_tail_block(t, p, cycles, &cycle)
              : p->log2 != 0         ? perturbed_extended_point(t, p)
                                     : perturbed_round(t, p, cycles, &cycle);
    return end;
}

#endif

#endif
