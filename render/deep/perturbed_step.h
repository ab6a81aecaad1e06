/* Perturbation, one orbit: its beginning, its steps around the reference, and a step away from the
 * reference. The includer defines the same names as for perturbed_round.h. */
#ifndef FATHOM_RENDER_DEEP_PERTURBED_STEP_H
#define FATHOM_RENDER_DEEP_PERTURBED_STEP_H

#include "render/deep/perturbed_error.h"
#include "render/number/screen_point.h"

#ifdef FORMULA_KERNEL

/* Takes a point to the end of the common beginning; D goes along if `d` is not NULL. */
INLINE void perturbed_begin_with(const struct perturbed_tables *t, struct perturbed_point *p,
                                 struct perturbed_slope *d) {
    const struct series *s = &t->series;
    const double ur = p->cr * s->unit, ui = p->ci * s->unit;
    double zr = s->a[SERIES_DEGREE][0], zi = s->a[SERIES_DEGREE][1], gr = 0.0, gi = 0.0;
    for (int k = SERIES_DEGREE - 1; k >= 0; k--) {
        if (d)
            perturbed_term(&gr, &gi, ur, ui, zr, zi);
        perturbed_term(&zr, &zi, ur, ui, s->a[k][0], s->a[k][1]);
    }
    perturbed_begin_at(t, zr, zi, gr, gi, p, d);
    if (d)
        perturbed_error_begin(t, p, d);
    perturbed_screen_begin(t, p);
}

INLINE void perturbed_begin(const struct perturbed_tables *t, struct perturbed_point *p) {
    perturbed_begin_with(t, p, NULL);
}

/* Scales D to where doubles have room on both sides, after a round. */
INLINE void perturbed_slope_fit(const struct perturbed_tables *t, const bool folded,
                                struct perturbed_slope *d) {
    const bool folds = perturbed_any_folds(t, folded);
    const double most = slope_size(folds, d->d);
    if (!(most >= SLOPE_LEAST && most < SLOPE_MOST))
        slope_fit(folds, t->unit, t->unit_log2, d->d, &d->log2, &d->by);
}

/* Follows D through step number `turn` from W, without scaling. */
INLINE void perturbed_slope_step(const struct perturbed_tables *t, const bool folded, uint32_t turn,
                                 double wr, double wi, struct perturbed_slope *d) {
    slope_single(perturbed_power(t, folded, turn), perturbed_any_folds(t, folded),
                 perturbed_folds(t, folded, turn), wr, wi, d->by, d->d);
}

INLINE void perturbed_slope_single(const struct perturbed_tables *t, const bool folded,
                                   uint32_t turn, double wr, double wi, struct perturbed_slope *d) {
    perturbed_slope_step(t, folded, turn, wr, wi, d);
    perturbed_slope_fit(t, folded, d);
}

/* Sums terms in x c and c^2 at t = x / T and y = c 2^c_log2. */
INLINE struct perturbed_cross perturbed_cross_of(const GLOBAL double (*from)[2], double tr,
                                                 double ti, double yr, double yi) {
    double q[SEGMENT_DEGREE][2];
    for (int k = 0; k < SEGMENT_DEGREE; k++) {
        q[k][0] = from[k][0];
        q[k][1] = from[k][1];
    }
    return perturbed_cross_sum(q, tr, ti, yr, yi);
}

/* Terms of a segment in x c and c^2: of c, and with folds of its conjugate. y = c 2^c_log2. */
struct perturbed_crosses {
    struct perturbed_cross c, bar;
    double yr, yi;
};

/* Sums those of segment number `found`, in a view whose c_log2 is 0. */
INLINE struct perturbed_crosses perturbed_cross_at(const struct perturbed_tables *t,
                                                   const bool folded, uint32_t found, double tr,
                                                   double ti, double cr, double ci) {
    const double unit = extended_power(t->segment[found].c_log2);
    struct perturbed_crosses s;
    s.yr = cr * unit;
    s.yi = ci * unit;
    s.c = perturbed_cross_of(t->cross[found].q, tr, ti, s.yr, s.yi);
    if (folded) {
        const GLOBAL struct segment_cross_bar *bar = &t->cross_bar[found];
        s.bar = perturbed_cross_of(bar->q, tr, ti, s.yr, -s.yi);
        perturbed_cross_both(bar->both[0], bar->both[1], s.yr, s.yi, &s.c, &s.bar);
    }
    return s;
}

/* Follows D through segment number `found` from W; tr + i ti is x / T, or its conjugate. */
INLINE void perturbed_slope_segment(const struct perturbed_tables *t, const bool folded,
                                    uint32_t turn, uint32_t found, double wr, double wi, double tr,
                                    double ti, const struct perturbed_point *p,
                                    struct perturbed_slope *d) {
    const bool folds = perturbed_any_folds(t, folded);
    const GLOBAL struct segment *s = &t->segment[found];
    double numbers[SEGMENT_NUMBERS];
    segment_numbers(t, folded, found, numbers);
    double sr = s->p[SEGMENT_DEGREE - 1][0], si = s->p[SEGMENT_DEGREE - 1][1];
    double gr = sr, gi = si;
    for (int k = SEGMENT_DEGREE - 2; k >= 0; k--) {
        perturbed_term(&sr, &si, tr, ti, s->p[k][0], s->p[k][1]);
        perturbed_term(&gr, &gi, tr, ti, sr, si);
    }
    if (perturbed_crosses(t, s)) {
        const struct perturbed_crosses more =
            perturbed_cross_at(t, folded, found, tr, ti, p->cr, p->ci);
        slope_cross(&more.c, 1.0, more.yr, more.yi, numbers, &gr, &gi);
        if (folded)
            slope_cross(&more.bar, -1.0, more.yr, more.yi, numbers, &gr, &gi);
    }
    slope_single(perturbed_power(t, folded, turn), folds, perturbed_folds(t, folded, turn), wr, wi,
                 0.0, d->d);
    slope_segment(folds, gr, gi, numbers, t->unit, t->unit_log2, d->d, &d->log2, &d->by);
    perturbed_slope_fit(t, folded, d);
}

/* Returns x of step number `turn`. */
INLINE void perturbed_first(const struct perturbed_tables *t, const bool folded, uint32_t turn,
                            double Zr, double Zi, double zr, double zi, double *xr, double *xi) {
    if (folded)
        perturbed_difference(perturbed_power(t, folded, turn), perturbed_folds(t, folded, turn), Zr,
                             Zi, zr, zi, xr, xi);
    else
        perturbed_product(Zr, Zi, zr, zi, xr, xi);
}

/* Returns z after segment number `found`, from x. `crosses`: its terms in x c and c^2 may be used;
 * tables in doubles have none of other formulas. */
INLINE void perturbed_segment(const struct perturbed_tables *t, const bool folded,
                              const bool crosses, uint32_t found, double xr, double xi, double cr,
                              double ci, double *zr, double *zi) {
    const GLOBAL struct segment *s = &t->segment[found];
    const double scale = extended_power(-s->t_log2);
    const double unit = extended_any_power(s->c_log2 + t->c_log2);
    const double tr = xr * scale, ti = xi * (folded ? scale * t->bar[found].sign : scale);
    double sr = s->p[SEGMENT_DEGREE - 1][0], si = s->p[SEGMENT_DEGREE - 1][1];
    for (int k = SEGMENT_DEGREE - 2; k >= 0; k--)
        perturbed_term(&sr, &si, tr, ti, s->p[k][0], s->p[k][1]);
    double Cr = s->c_r, Ci = s->c_i;
    double Br = folded ? t->bar[found].c_r : 0.0, Bi = folded ? t->bar[found].c_i : 0.0;
    if (crosses && perturbed_crosses(t, s)) {
        const struct perturbed_crosses more = perturbed_cross_at(t, folded, found, tr, ti, cr, ci);
        Cr = Cr + more.c.kr;
        Ci = Ci + more.c.ki;
        if (folded) {
            Br = Br + more.bar.kr;
            Bi = Bi + more.bar.ki;
        }
    }
    perturbed_land(sr, si, tr, ti, Cr * unit, Ci * unit, cr, ci, zr, zi);
    if (folded)
        perturbed_land_bar(Br * unit, Bi * unit, cr, ci, zr, zi);
}

/* Makes the step of a round, a segment or a single one; D goes along if `d` is not NULL. Returns
 * false if doubles have too few bits for it; nothing has changed then. */
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
        perturbed_segment(t, folded, !folded || d, found, xr, xi, p->cr, p->ci, &zr, &zi);
        length = (uint32_t)t->segment[found].length;
    }
    if (t->c_log2 != 0 && extended_most(zr, zi) < PERTURBED_Z_LEAST)
        return false;
    if (d && found == PERTURBED_SINGLE) {
        perturbed_slope_single(t, folded, turn, Zr + p->zr, Zi + p->zi, d);
        perturbed_error_single(t, folded, Zr, Zi, p->zr, p->zi, extended_most(zr, zi), d);
    } else if (d) {
        const double scale = extended_power(-t->segment[found].t_log2);
        const double bar_scale = folded ? scale * t->bar[found].sign : scale;
        perturbed_slope_segment(t, folded, turn, found, Zr + p->zr, Zi + p->zi, xr * scale,
                                xi * bar_scale, p, d);
        perturbed_error_segment(t, folded, length, extended_most(zr, zi), d);
    }
    perturbed_screen_round(t, folded, turn, length, Zr, Zi, xr, xi, p);
    p->zr = zr;
    p->zi = zi;
    p->m += length;
    p->n += length;
    return true;
}

/* Makes up to `run` single steps where there are no segments, as long as the next round is certain
 * to be one. `Z` is that of p->m. Returns their number. */
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
        if (d) {
            perturbed_slope_single(t, folded, turn, Zr + p->zr, Zi + p->zi, d);
            perturbed_error_single(t, folded, Zr, Zi, p->zr, p->zi, most_z, d);
        }
        perturbed_screen_round(t, folded, turn, 1, Zr, Zi, xr, xi, p);
        p->zr = zr;
        p->zi = zi;
        if (++done == run)
            break;
        Zr = t->index[p->m + done].re;
        Zi = t->index[p->m + done].im;
        const double most_w = extended_most(Zr + zr, Zi + zi);
        if (most_w < most_z || most_w >= PERTURBED_SURELY_INSIDE ||
            (most_w >= t->tail_from && most_z >= PERTURBED_TAIL_SHARE * most_w))
            break;
    }
    p->m += done;
    p->n += done;
    return done;
}

INLINE void perturbed_direct_step(const struct perturbed_tables *t, const bool folded,
                                  uint32_t turn, double *zr, double *zi, double cr, double ci) {
    const int power = perturbed_power(t, folded, turn);
    const unsigned folds = perturbed_folds(t, folded, turn);
    if (power == 2)
        step_square(folds, zr, zi, cr, ci);
    else
        step_power(power, folds, zr, zi, cr, ci);
}

#endif

#endif
