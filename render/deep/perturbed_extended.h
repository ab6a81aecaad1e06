/* Rounds of perturbed orbits whose distance from the reference is beyond a double's range. */
#ifndef FATHOM_RENDER_DEEP_PERTURBED_EXTENDED_H
#define FATHOM_RENDER_DEEP_PERTURBED_EXTENDED_H

#include "render/deep/perturbed_index.h"

struct perturbed_orbit {
    struct extended z;
    uint32_t m, n;
};

INLINE struct extended perturbed_reference(const struct perturbed_tables *t, uint32_t m) {
    uint32_t low = 0, high = t->smalls;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (t->small[middle].index < m)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < t->smalls && t->small[low].index == m)
        return t->small[low].z;
    if (PERTURBED_HAS_INDEX(t))
        return extended_make(t->index[m].re, t->index[m].im, 0);
    return extended_make(t->orbit[2 * (size_t)m], t->orbit[2 * (size_t)m + 1], 0);
}

/* The sum of a point's series as its orbit's distance: (zr + i zi) 2^log2; 0: a plain double. */
INLINE void perturbed_start(const struct perturbed_tables *t, double sr, double si, double *zr,
                            double *zi, int32_t *log2) {
    const bool zero = t->series.log2 == EXTENDED_ZERO;
    const struct extended z = extended_make(zero ? 0.0 : sr, zero ? 0.0 : si, t->series.log2);
    const bool held = t->c_log2 == 0 || z.log2 > PERTURBED_DOUBLE_FROM;
    const double scale = held ? extended_any_power(z.log2) : 1.0;
    *zr = z.re * scale;
    *zi = z.im * scale;
    *log2 = held ? 0 : z.log2;
}

/* What a segment makes of D, which is the derivative where W is, and of c's: as slope_segment, in extended numbers. */
INLINE struct extended perturbed_extended_derivative(const GLOBAL struct segment *s,
                                                     struct extended at, struct extended twice_w,
                                                     struct extended d, struct extended unit) {
    const struct extended C = {s->c_r, s->c_i, s->c_log2};
    struct extended sum =
        extended_make(s->p[SEGMENT_DEGREE - 1][0], s->p[SEGMENT_DEGREE - 1][1], 0);
    struct extended slope = {0.0, 0.0, EXTENDED_ZERO};
    for (int k = SEGMENT_DEGREE - 2; k >= 0; k--) {
        slope = extended_sum(extended_product(slope, at), sum);
        sum = extended_sum(extended_product(sum, at), extended_make(s->p[k][0], s->p[k][1], 0));
    }
    slope = extended_product(extended_sum(extended_product(slope, at), sum),
                             extended_product(twice_w, d));
    slope.log2 -= slope.log2 == EXTENDED_ZERO ? 0 : s->t_log2;
    return extended_sum(slope, extended_product(C, unit));
}

/* z after a segment, from x. */
INLINE struct extended perturbed_extended_land(const GLOBAL struct segment *s, struct extended x,
                                               struct extended c) {
    const struct extended at = {x.re, x.im, x.log2 - s->t_log2};
    const struct extended C = {s->c_r, s->c_i, s->c_log2};
    struct extended sum =
        extended_make(s->p[SEGMENT_DEGREE - 1][0], s->p[SEGMENT_DEGREE - 1][1], 0);
    for (int k = SEGMENT_DEGREE - 2; k >= 0; k--)
        sum = extended_sum(extended_product(sum, at), extended_make(s->p[k][0], s->p[k][1], 0));
    return extended_sum(extended_product(sum, at), extended_product(C, c));
}

/* One round from where z is too small for a double. c is in units of 2^c_log2. True: the orbit has
 * escaped, to *wr + i *wi. D, of which a step adds `unit`, goes along where it is not NULL. */
INLINE bool perturbed_extended_round(const struct perturbed_tables *t, struct perturbed_orbit *o,
                                     double cr, double ci, double *wr, double *wi,
                                     struct extended *d, struct extended unit) {
    const struct extended c = extended_make(cr, ci, t->c_log2);
    struct extended Z = perturbed_reference(t, o->m);
    const struct extended W = extended_sum(Z, o->z);
    extended_get(W, wr, wi);
    if (!(double_fma(*wr, *wr, *wi * *wi) < 4.0))
        return true;
    if (extended_less(W, o->z) || o->m == t->last) {
        o->z = W;
        o->m = 0;
        Z = perturbed_reference(t, 0);
    }
    const struct extended x = extended_product(extended_sum(extended_twice(Z), o->z), o->z);
    const struct perturbed_index index = perturbed_index_at(t, o->m);
    const uint32_t found =
        x.log2 == EXTENDED_ZERO ? PERTURBED_SINGLE : perturbed_find_in(t, &index, x.log2);
    if (found == PERTURBED_SINGLE) {
        if (d)
            *d = extended_sum(extended_product(extended_twice(W), *d), unit);
        o->z = extended_sum(x, c);
        o->m++;
        o->n++;
        return false;
    }
    const GLOBAL struct segment *s = &t->segment[found];
    const struct extended at = {x.re, x.im, x.log2 - s->t_log2};
    if (d)
        *d = perturbed_extended_derivative(s, at, extended_twice(W), *d, unit);
    o->z = perturbed_extended_land(s, x, c);
    o->m += (uint32_t)s->length;
    o->n += (uint32_t)s->length;
    return false;
}

#endif
