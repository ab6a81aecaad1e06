/* Perturbation in wide numbers, one orbit: its state, and its rounds below a double's range
 * (wide_round.h has the others). The includer has defined the names that wide_round.h needs. */
#ifndef FATHOM_RENDER_NUMBER_WIDE_POINT_H
#define FATHOM_RENDER_NUMBER_WIDE_POINT_H

#include "render/deep/perturbed_extended.h"
#include "render/number/wide_difference.h"
#include "render/number/wide_extended.h"

#ifdef WIDE_KERNEL

/* State of a point's orbit in wide numbers; the members are as in struct perturbed_point. */
struct wide_point {
    struct wide zr, zi, cr, ci;
    uint32_t m, n;
    int32_t log2;
};

/* Returns true if |W| >= 2. Near c = -2 orbits stay so close to 2 that the low part decides. */
INLINE bool wide_escapes(const struct wide wr, const struct wide wi) {
    return perturbed_escapes(wr.hi, wi.hi) && !(wide_norm2_above(wr, wi, 4.0) < 0.0);
}

/* Sums the polynomial of segment number `found` at t = x / T, up to its last product with t. */
INLINE void wide_segment_sum(const struct perturbed_tables *t, uint32_t found, const struct wide tr,
                             const struct wide ti, struct wide *sr, struct wide *si) {
    const GLOBAL struct segment *s = &t->segment[found];
    const GLOBAL struct segment_low *low = &t->low[found];
    double hr = s->p[SEGMENT_DEGREE - 1][0], hi = s->p[SEGMENT_DEGREE - 1][1];
    for (int k = SEGMENT_DEGREE - 2; k >= SEGMENT_LOW_DEGREE; k--)
        perturbed_term(&hr, &hi, tr.hi, ti.hi, s->p[k][0], s->p[k][1]);
    *sr = wide_of(hr, 0.0);
    *si = wide_of(hi, 0.0);
    for (int k = SEGMENT_LOW_DEGREE - 1; k >= 0; k--)
        wide_complex_term(sr, si, tr, ti, wide_of(s->p[k][0], low->p[k][0]),
                          wide_of(s->p[k][1], low->p[k][1]));
}

/* Sets a point's distance: to plain wide numbers if doubles have room for them (`held`). */
INLINE void wide_put(const struct wide_extended z, bool held, struct wide_point *p) {
    const double scale = held ? extended_any_power(z.log2) : 1.0;
    p->zr = wide_scaled(z.re, scale);
    p->zi = wide_scaled(z.im, scale);
    p->log2 = held ? 0 : z.log2;
}

/* Begins an orbit whose c is set: at z = 0, in a Julia set at z = c. Points of perturbed_outside
 * begin in the tail. */
INLINE void wide_begin(const struct perturbed_tables *t, struct wide_point *p) {
    const struct wide none = wide_of(0.0, 0.0);
    const struct wide_extended z =
        wide_extended_make(t->julia ? p->cr : none, t->julia ? p->ci : none, t->c_log2);
    p->m = t->series.m;
    p->n = 0;
    wide_put(z, t->c_log2 == 0 || z.log2 > PERTURBED_DOUBLE_FROM, p);
    if (perturbed_outside(t, p->cr.hi, p->ci.hi)) {
        p->zr = wide_of(perturbed_outside_z(t, t->from_re, p->cr.hi), 0.0);
        p->zi = wide_of(perturbed_outside_z(t, t->from_im, p->ci.hi), 0.0);
        p->m = PERTURBED_TAIL;
        p->log2 = 0;
    }
}

/* Returns |Z + z| - |Z|, in units of z's. */
INLINE struct wide wide_extended_fold(const struct wide Z, int32_t Z_log2, const struct wide z,
                                      int32_t z_log2) {
    const int32_t log2 = Z_log2 - z_log2;
    return wide_fold(wide_of(extended_scaled(Z.hi, log2), extended_scaled(Z.lo, log2)), z);
}

EXTENDED_DIFFERENCE(wide_extended, wide_abs, wide_negative)

/* Returns z after segment number `found`, from x. */
INLINE struct wide_extended wide_extended_land(const struct perturbed_tables *t, const bool folded,
                                               uint32_t found, const struct wide_extended x,
                                               struct wide_extended c) {
    const GLOBAL struct segment *s = &t->segment[found];
    const GLOBAL struct segment_low *low = &t->low[found];
    const double sign = folded ? t->bar[found].sign : 1.0;
    const struct wide_extended at = {x.re, wide_scaled(x.im, sign), x.log2 - s->t_log2};
    const struct wide_extended C =
        wide_extended_make(wide_of(s->c_r, low->c_r), wide_of(s->c_i, low->c_i), s->c_log2);
    struct wide r, i;
    /* If doubles lack range for t, only the first coefficient of the sum matters. */
    wide_segment_sum(t, found, wide_scaled(at.re, extended_any_power(at.log2)),
                     wide_scaled(at.im, extended_any_power(at.log2)), &r, &i);
    const struct wide_extended z = wide_extended_sum(
        wide_extended_product(wide_extended_make(r, i, 0), at), wide_extended_product(C, c));
    if (!folded)
        return z;
    const GLOBAL struct segment_bar *bar = &t->bar[found];
    c.im = wide_negative(c.im);
    return wide_extended_sum(
        z, wide_extended_product(wide_extended_make(wide_of(bar->c_r, bar->low_r),
                                                    wide_of(bar->c_i, bar->low_i), s->c_log2),
                                 c));
}

/* Returns x of step number `turn`. */
INLINE struct wide_extended wide_extended_first(const struct perturbed_tables *t, const bool folded,
                                                uint32_t turn, const struct wide_extended Z,
                                                const struct wide_extended z) {
    if (folded)
        return wide_extended_difference(perturbed_power(t, folded, turn),
                                        perturbed_folds(t, folded, turn), Z, z);
    const struct wide_extended twice = {Z.re, Z.im, Z.log2 + (Z.log2 != EXTENDED_ZERO)};
    return wide_extended_product(wide_extended_sum(twice, z), z);
}

/* Makes one round while z is too small for doubles, as perturbed_extended_point. */
INLINE enum perturbed_end wide_extended_point(const struct perturbed_tables *t, const bool folded,
                                              struct wide_point *p) {
    const struct wide_extended c = wide_extended_make(p->cr, p->ci, t->c_log2);
    struct wide_extended z = {p->zr, p->zi, p->log2}, Z = wide_extended_at(t, p->m);
    const struct wide_extended W = wide_extended_sum(Z, z);
    const struct wide wr = wide_scaled(W.re, extended_any_power(W.log2)),
                      wi = wide_scaled(W.im, extended_any_power(W.log2));
    const uint32_t turn = perturbed_turn(t, folded, p->n);
    uint32_t length = 1;
    if (wide_escapes(wr, wi)) {
        p->zr = wr;
        p->zi = wi;
        p->log2 = 0;
        return PERTURBED_ESCAPED;
    }
    if (wide_extended_less(W, z) || p->m == t->last) {
        z = W;
        p->m = perturbed_begin_of(t, turn);
        Z = wide_extended_at(t, p->m);
    }
    const struct wide_extended x = wide_extended_first(t, folded, turn, Z, z);
    const struct perturbed_index index = perturbed_index_at(t, p->m);
    const uint32_t found =
        x.log2 == EXTENDED_ZERO ? PERTURBED_SINGLE : perturbed_find_in(t, &index, x.log2);
    if (found == PERTURBED_SINGLE) {
        z = wide_extended_sum(x, c);
    } else {
        z = wide_extended_land(t, folded, found, x, c);
        length = (uint32_t)t->segment[found].length;
    }
    wide_put(z, z.log2 > PERTURBED_DOUBLE_FROM, p);
    p->m += length;
    p->n += length;
    return PERTURBED_GOES_ON;
}

#endif

#endif
