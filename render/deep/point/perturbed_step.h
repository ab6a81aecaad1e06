/* The steps of one perturbed orbit around its reference: a segment, a single step, or a run of those. */
#ifndef FATHOM_RENDER_DEEP_POINT_PERTURBED_STEP_H
#define FATHOM_RENDER_DEEP_POINT_PERTURBED_STEP_H

#include "render/deep/point/perturbed_point.h"
#include "render/deep/point/step_slope.h"

#ifdef FORMULA_KERNEL

/* x of the step of that turn, of z^2 + c or `folded`: of another formula. */
INLINE void perturbed_first(const struct perturbed_tables *t, const bool folded, uint32_t turn,
                            double Zr, double Zi, double zr, double zi, double *xr, double *xi) {
    if (folded)
        perturbed_difference(perturbed_power(t, folded, turn), perturbed_folds(t, folded, turn), Zr,
                             Zi, zr, zi, xr, xi);
    else
        perturbed_product(Zr, Zi, zr, zi, xr, xi);
}

/* z after segment number `found`, from x. */
INLINE void perturbed_segment(const struct perturbed_tables *t, const bool folded, uint32_t found,
                              double xr, double xi, double cr, double ci, double *zr, double *zi) {
    const GLOBAL struct segment *s = &t->segment[found];
    const double scale = extended_power(-s->t_log2);
    const double unit = extended_any_power(s->c_log2 + t->c_log2);
    const double tr = xr * scale, ti = xi * (folded ? scale * t->bar[found].sign : scale);
    double sr = s->p[SEGMENT_DEGREE - 1][0], si = s->p[SEGMENT_DEGREE - 1][1];
    for (int k = SEGMENT_DEGREE - 2; k >= 0; k--)
        perturbed_term(&sr, &si, tr, ti, s->p[k][0], s->p[k][1]);
    perturbed_land(sr, si, tr, ti, s->c_r * unit, s->c_i * unit, cr, ci, zr, zi);
    if (folded)
        perturbed_land_bar(t->bar[found].c_r * unit, t->bar[found].c_i * unit, cr, ci, zr, zi);
}

/* The step of a round, from z: a segment or a single one; of the derivative, too, if `d` is not NULL. False: a double has too few bits for it. */
INLINE bool perturbed_step(const struct perturbed_tables *t, const bool folded,
                           const struct perturbed_index *index, struct perturbed_point *p,
                           struct perturbed_slope *d, double Zr, double Zi) {
    const uint32_t turn = perturbed_turn(t, folded, p->n);
    double xr, xi, zr, zi;
    uint32_t length = 1;
    perturbed_first(t, folded, turn, Zr, Zi, p->zr, p->zi, &xr, &xi);
    const double most = extended_most(xr, xi);
    if (t->c_log2 != 0 && most < PERTURBED_X_LEAST)
        return false;
    const uint32_t found = perturbed_find_by_keys(t, index, perturbed_log2(most));
    if (found == PERTURBED_SINGLE) {
        const double unit = extended_any_power(t->c_log2);
        zr = xr + p->cr * unit;
        zi = xi + p->ci * unit;
    } else {
        perturbed_segment(t, folded, found, xr, xi, p->cr, p->ci, &zr, &zi);
        length = (uint32_t)t->segment[found].length;
    }
    if (t->c_log2 != 0 && extended_most(zr, zi) < PERTURBED_Z_LEAST)
        return false;
    if (d && found == PERTURBED_SINGLE)
        perturbed_slope_single(t, folded, turn, Zr + p->zr, Zi + p->zi, d);
    else if (d)
        perturbed_slope_segment(t, folded, turn, found, Zr + p->zr, Zi + p->zi, xr, xi, d);
    p->zr = zr;
    p->zi = zi;
    p->m += length;
    p->n += length;
    return true;
}

/* Single steps where there is nothing else to take, `run` of them or fewer: as long as it is plain that
 * the next round would be another. `Z` is that of p->m. Returns how many. */
INLINE uint32_t perturbed_single_steps(const struct perturbed_tables *t, const bool folded,
                                       struct perturbed_point *p, struct perturbed_slope *d,
                                       double Zr, double Zi, uint32_t run) {
    const double unit = extended_any_power(t->c_log2);
    const double cr = p->cr * unit, ci = p->ci * unit;
    const double x_least = t->c_log2 != 0 ? PERTURBED_X_LEAST : 0.0;
    const double z_least = t->c_log2 != 0 ? PERTURBED_Z_LEAST : 0.0;
    uint32_t done = 0;
    for (;;) {
        const uint32_t turn = perturbed_turn(t, folded, p->n + done);
        double xr, xi;
        perturbed_first(t, folded, turn, Zr, Zi, p->zr, p->zi, &xr, &xi);
        const double zr = xr + cr, zi = xi + ci;
        const double most_z = extended_most(zr, zi);
        if (extended_most(xr, xi) < x_least || most_z < z_least)
            break;
        if (d)
            perturbed_slope_single(t, folded, turn, Zr + p->zr, Zi + p->zi, d);
        p->zr = zr;
        p->zi = zi;
        if (++done == run)
            break;
        Zr = t->index[p->m + done].re;
        Zi = t->index[p->m + done].im;
        const double most_w = extended_most(Zr + zr, Zi + zi);
        if (most_w < most_z || most_w >= PERTURBED_SURELY_INSIDE ||
            (most_w >= PERTURBED_TAIL_FROM && most_z >= PERTURBED_TAIL_SHARE * most_w))
            break;
    }
    p->m += done;
    p->n += done;
    return done;
}

#endif

#endif
