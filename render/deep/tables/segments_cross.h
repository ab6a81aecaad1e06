/* Terms in x c and c^2 of segments while they are made (struct segment_cross). A part of
 * segments_tmpl.c.
 *
 * With p(x) = sum of P_k x^k and q(x) = C + sum of Q_k x^k, a distance is p(x) + c q(x) + C2 c^2.
 * Terms in x c^2 and c^3 are left out. The product of the next step, (2 Z + z) z, has instead of
 * p, q and C2:
 *     e = (2 Z + p) p,  f = 2 (Z + p) q,  g = 2 Z C2 + C^2
 * A segment that begins with that step, with coefficients of its own, turns these into:
 *     p(e),  p'(e) f + q(e),  P_1 g + P_2 f_0^2 + Q_1 f_0 + C2
 * So these terms need no others. Products are cut like those of p. Doubles are enough for wide
 * tables, too, since the terms are below 2^-51 of the whole there. */
#ifndef FATHOM_RENDER_DEEP_TABLES_SEGMENTS_CROSS_H
#define FATHOM_RENDER_DEEP_TABLES_SEGMENTS_CROSS_H

#include "render/deep/tables/segments_step.h"

#define CROSS_MOST 0x1p900 /* larger numbers are not used, so that products have room */

/* Coefficients of 1, x, x^2 and so on. */
typedef struct point row[SEGMENT_DEGREE];

static struct point point_of(struct number z) {
    return (struct point){high(z.re), high(z.im)};
}

/* Returns s + a b. */
static struct point point_add_product(struct point s, struct point a, struct point b) {
    return (struct point){s.re + (a.re * b.re - a.im * b.im), s.im + (a.re * b.im + a.im * b.re)};
}

static struct extended extended_of(struct point z, int32_t log2) {
    return extended_make(z.re, z.im, log2);
}

/* Reads p without its power of x, and q. */
static void read_rows(const struct draft *d, row p, row q) {
    for (int k = 0; k < SEGMENT_DEGREE; k++)
        p[k] = point_of(d->p[k]);
    q[0] = point_of(d->c[0]);
    memcpy(q + 1, d->q, sizeof d->q);
}

/* Follows a step's product; d->p and d->c are those before it. */
static void cross_step(struct draft *d, struct number z) {
    const struct point twice = point_of(sum(z, z));
    row p, q;
    read_rows(d, p, q);
    const struct extended c = extended_of(q[0], d->c_log2);
    d->c2 = extended_sum(extended_product(extended_of(twice, 0), d->c2), extended_product(c, c));
    for (int k = 1; k < SEGMENT_DEGREE; k++) {
        struct point f = {0, 0};
        for (int i = 0; i < k; i++)
            f = point_add_product(f, p[i], q[k - 1 - i]);
        d->q[k - 1] = point_add_product((struct point){f.re + f.re, f.im + f.im}, twice, q[k]);
    }
}

/* Makes one step of Horner's scheme: s = s e + a. */
static void row_term(row s, const row e, struct point a) {
    for (int k = SEGMENT_DEGREE - 1; k > 0; k--) {
        struct point next = {0, 0};
        for (int i = 0; i < k; i++)
            next = point_add_product(next, e[i], s[k - 1 - i]);
        s[k] = next;
    }
    s[0] = a;
}

/* Appends `next`. On entry d->p is e in units of the T of `next`, and d->c is f_0. Sets d->q to
 * p'(e) f times that T, and `other` to q(e) without its constant term. */
static void cross_merge(struct draft *d, const struct draft *next, struct point *other) {
    row e, f, p, q, along = {{0, 0}}, across = {{0, 0}};
    read_rows(d, e, f);
    read_rows(next, p, q);
    const struct extended f0 = extended_of(f[0], d->c_log2);
    const struct extended p1 = extended_of(p[0], -next->t_log2);
    const struct extended p2 = extended_of(p[1], -2 * next->t_log2);
    const struct extended q1 = extended_of(q[1], next->c_log2 - next->t_log2);
    const struct extended by = extended_sum(extended_product(p2, f0), q1);
    d->c2 =
        extended_sum(extended_sum(extended_product(p1, d->c2), extended_product(by, f0)), next->c2);
    for (int k = SEGMENT_DEGREE; k > 0; k--) {
        row_term(along, e, (struct point){k * p[k - 1].re, k * p[k - 1].im});
        row_term(across, e, q[k - 1]);
    }
    for (int k = 1; k < SEGMENT_DEGREE; k++) {
        struct point whole = {0, 0};
        for (int i = 0; i <= k; i++)
            whole = point_add_product(whole, along[i], f[k - i]);
        d->q[k - 1] = whole;
        other[k - 1] = across[k];
    }
}

/* Adds `other` 2^log2_other to q, which is multiplied by 2^log2. */
static void cross_add(struct draft *d, int log2, const struct point *other, int log2_other) {
    for (int k = 0; k < SEGMENT_DEGREE - 1; k++) {
        d->q[k].re = scaled(d->q[k].re, log2) + scaled(other[k].re, log2_other);
        d->q[k].im = scaled(d->q[k].im, log2) + scaled(other[k].im, log2_other);
    }
}

/* Multiplies q by 2^log2, and by 2^shift for each power of x. */
static void cross_scale(struct draft *d, int shift, int log2) {
    for (int k = 0; k < SEGMENT_DEGREE - 1; k++) {
        d->q[k].re = scaled(d->q[k].re, (k + 1) * shift + log2);
        d->q[k].im = scaled(d->q[k].im, (k + 1) * shift + log2);
    }
}

#ifdef SEGMENTS_BOUND_GROWTH
/* Returns the least g with |p_k| <= |p_1| 2^(g (k - 1)) for all k. */
static int growth_log2(const struct draft *d) {
    int growth = -1000, first, log2;
    const double m1 = frexp(size(d->p[0]), &first);
    for (int k = 1; k < SEGMENT_DEGREE; k++) {
        const double m = frexp(size(d->p[k]), &log2);
        const int apart = log2 - first + (m > m1);
        const int each = apart > 0 ? (apart + k - 1) / k : -(-apart / k);
        growth = m > 0 && each > growth ? each : growth;
    }
    return growth;
}
#endif

static void put_cross(struct segment_cross *to, const struct draft *d) {
    struct extended c2 = d->c2;
    double whole = 0;
    *to = (struct segment_cross){.t_c_log2 = SEGMENT_CROSS_NONE};
    if (!d->cross)
        return;
    for (int k = 0; k < SEGMENT_DEGREE - 1; k++) {
        to->q[k][0] = d->q[k].re;
        to->q[k][1] = d->q[k].im;
        whole += fabs(d->q[k].re) + fabs(d->q[k].im);
    }
    c2.log2 -= 2 * d->c_log2;
    double *last = to->q[SEGMENT_DEGREE - 1];
    extended_get(c2, &last[0], &last[1]);
    if (whole + fabs(last[0]) + fabs(last[1]) < CROSS_MOST)
        to->t_c_log2 = d->t_cross.log2 - 1;
}

#endif
