/* Perturbation, one orbit: rounds while its distance is too small for a double. The includer
 * defines the same names as for perturbed_round.h. */
#ifndef FATHOM_RENDER_DEEP_PERTURBED_EXTENDED_H
#define FATHOM_RENDER_DEEP_PERTURBED_EXTENDED_H

#include "render/deep/perturbed_step.h"

#ifdef FORMULA_KERNEL

/* Returns |Z + z| - |Z|, in units of z's. */
INLINE double extended_fold(double Z, int32_t Z_log2, double z, int32_t z_log2) {
    return perturbed_fold(extended_scaled(Z, Z_log2 - z_log2), z);
}

/* Defines number##_difference: x = f(Z + z) - f(Z) for numbers with an exponent, as
 * perturbed_difference. The type's functions are number##_sum, _product, _make and _fold. */
#define EXTENDED_DIFFERENCE(number, absolute, negative)                                            \
    INLINE void number##_square_over(struct number *a, struct number *x) {                         \
        const struct number twice = {a->re, a->im, a->log2 + (a->log2 != EXTENDED_ZERO)};          \
        *x = number##_product(number##_sum(twice, *x), *x);                                        \
        *a = number##_product(*a, *a);                                                             \
    }                                                                                              \
    INLINE void number##_times_over(struct number *a, struct number *x, const struct number u,     \
                                    const struct number z) {                                       \
        *x = number##_sum(number##_product(*x, number##_sum(u, z)), number##_product(*a, z));      \
        *a = number##_product(*a, u);                                                              \
    }                                                                                              \
    INLINE struct number number##_difference(const int power, const unsigned folds,                \
                                             const struct number Z, struct number z) {             \
        struct number u = Z;                                                                       \
        if (folds & FOLD_X) {                                                                      \
            z.re = number##_fold(Z.re, Z.log2, z.re, z.log2);                                      \
            u.re = absolute(Z.re);                                                                 \
        }                                                                                          \
        if (folds & FOLD_Y) {                                                                      \
            z.im = number##_fold(Z.im, Z.log2, z.im, z.log2);                                      \
            u.im = absolute(Z.im);                                                                 \
        }                                                                                          \
        if (folds & FOLD_NEGATE) {                                                                 \
            z.im = negative(z.im);                                                                 \
            u.im = negative(u.im);                                                                 \
        }                                                                                          \
        z = number##_make(z.re, z.im, z.log2);                                                     \
        struct number a = u, x = z;                                                                \
        POWER_CHAIN(power, number##_square_over(&a, &x), number##_times_over(&a, &x, u, z));       \
        if (folds & FOLD_RE)                                                                       \
            x.re = number##_fold(a.re, a.log2, x.re, x.log2);                                      \
        if (folds & FOLD_IM)                                                                       \
            x.im = number##_fold(a.im, a.log2, x.im, x.log2);                                      \
        return number##_make(x.re, x.im, x.log2);                                                  \
    }
#define EXTENDED_NEGATIVE(x) (-(x))
EXTENDED_DIFFERENCE(extended, double_abs, EXTENDED_NEGATIVE)

/* Returns x of step number `turn`. */
INLINE struct extended perturbed_extended_first(const struct perturbed_tables *t, const bool folded,
                                                uint32_t turn, const struct extended Z,
                                                const struct extended z) {
    if (!folded)
        return extended_product(extended_sum(extended_twice(Z), z), z);
    return extended_difference(perturbed_power(t, folded, turn), perturbed_folds(t, folded, turn),
                               Z, z);
}

/* Returns z after segment number `found`, from x. */
INLINE struct extended perturbed_extended_land(const struct perturbed_tables *t, const bool folded,
                                               uint32_t found, struct extended x,
                                               struct extended c) {
    const GLOBAL struct segment *s = &t->segment[found];
    const double sign = folded ? t->bar[found].sign : 1.0;
    const struct extended at = {x.re, sign * x.im, x.log2 - s->t_log2};
    const struct extended C = extended_make(s->c_r, s->c_i, s->c_log2);
    struct extended sum =
        extended_make(s->p[SEGMENT_DEGREE - 1][0], s->p[SEGMENT_DEGREE - 1][1], 0);
    for (int k = SEGMENT_DEGREE - 2; k >= 0; k--)
        sum = extended_sum(extended_product(sum, at), extended_make(s->p[k][0], s->p[k][1], 0));
    const struct extended z = extended_sum(extended_product(sum, at), extended_product(C, c));
    if (!folded)
        return z;
    const struct extended bar = extended_make(t->bar[found].c_r, t->bar[found].c_i, s->c_log2);
    c.im = -c.im;
    return extended_sum(z, extended_product(bar, c));
}

/* Follows D through the step of a round from W. D is multiplied by a power of W, whose own power of
 * two becomes a part of D's; so W is 0.5 to 1 large. */
INLINE void perturbed_extended_slope(const struct perturbed_tables *t, const bool folded,
                                     uint32_t turn, uint32_t found, const struct extended W,
                                     const struct extended x, const struct perturbed_point *p,
                                     struct perturbed_slope *d) {
    const double least = t->unit_log2 - 900.0;
    if (W.log2 != EXTENDED_ZERO)
        d->log2 = d->log2 + (perturbed_power(t, folded, turn) - 1) * W.log2;
    if (found == PERTURBED_SINGLE && d->log2 < least) { /* nearly 0 next to what c adds */
        slope_scale_by(perturbed_any_folds(t, folded), slope_power_of_2(d->log2 - least), d->d);
        d->log2 = least;
    }
    d->by = t->unit * slope_power_of_2(t->unit_log2 - d->log2);
    if (found == PERTURBED_SINGLE) {
        perturbed_slope_single(t, folded, turn, W.re, W.im, d);
    } else {
        const int32_t log2 = x.log2 - t->segment[found].t_log2;
        const double sign = folded ? t->bar[found].sign : 1.0;
        perturbed_slope_segment(t, folded, turn, found, W.re, W.im, extended_scaled(x.re, log2),
                                extended_scaled(sign * x.im, log2), p, d);
    }
}

/* Sets a point's distance: to plain doubles if they have room for it (`held`). */
INLINE void perturbed_extended_put(const struct extended z, bool held, struct perturbed_point *p) {
    p->zr = z.re;
    p->zi = z.im;
    p->log2 = z.log2;
    if (held) {
        extended_get(z, &p->zr, &p->zi);
        p->log2 = 0;
    }
}

/* Makes one round. D goes along if `d` is not NULL. */
INLINE enum perturbed_end perturbed_extended_point(const struct perturbed_tables *t,
                                                   const bool folded, struct perturbed_point *p,
                                                   struct perturbed_slope *d, uint32_t *steps) {
    const struct extended c = extended_make(p->cr, p->ci, t->c_log2);
    const uint32_t turn = perturbed_turn(t, folded, p->n);
    struct extended z = {p->zr, p->zi, p->log2}, Z = perturbed_reference(t, p->m);
    const struct extended was = z, W = extended_sum(Z, z);
    double wr, wi;
    extended_get(W, &wr, &wi);
    if (perturbed_leaves(t, wr, wi)) {
        perturbed_screen_turn(p);
        perturbed_extended_put(W, true, p);
        return PERTURBED_ESCAPED;
    }
    const bool rebases = extended_less(W, z) || p->m == t->last;
    if (rebases) {
        z = W;
        p->m = perturbed_begin_of(t, turn);
        Z = perturbed_reference(t, p->m);
    }
    const struct extended x = perturbed_extended_first(t, folded, turn, Z, z);
    const struct perturbed_index index = perturbed_index_at(t, p->m);
    const uint32_t found =
        x.log2 == EXTENDED_ZERO ? PERTURBED_SINGLE : perturbed_find_in(t, &index, x.log2);
    const uint32_t length = found == PERTURBED_SINGLE ? 1 : (uint32_t)t->segment[found].length;
    if (d)
        perturbed_extended_slope(t, folded, turn, found, W, x, p, d);
    perturbed_screen_extended(t, folded, turn, length, was, Z, W, z, x, rebases, p);
    z = found == PERTURBED_SINGLE ? extended_sum(x, c)
                                  : perturbed_extended_land(t, folded, found, x, c);
    perturbed_extended_put(z, z.log2 > PERTURBED_DOUBLE_FROM, p);
    p->m += length;
    p->n += length;
    ++*steps;
    return PERTURBED_GOES_ON;
}

#endif

#endif
