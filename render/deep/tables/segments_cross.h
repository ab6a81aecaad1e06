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
 * tables, too, since the terms are below 2^-51 of the whole there.
 *
 * The power n of another formula has f = n (Z + p)^(n-1) q and g = n Z^(n-1) C2 + n (n - 1) / 2
 * Z^(n-2) C^2. Where steps fold, the conjugate of c has a q and a C2 of its own, and |c|^2 a
 * third C2; folding exchanges c and its conjugate. */
#ifndef FATHOM_RENDER_DEEP_TABLES_SEGMENTS_CROSS_H
#define FATHOM_RENDER_DEEP_TABLES_SEGMENTS_CROSS_H

#include "render/deep/tables/segments_draft.h"

#define CROSS_MOST 0x1p900 /* larger numbers are not used, so that products have room */

/* Coefficients of 1, x, x^2 and so on. */
typedef struct point row[SEGMENT_DEGREE];
/* Coefficients of c and of its conjugate, without the first ones. */
typedef struct point rows[C_TERMS][SEGMENT_DEGREE - 1];

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

/* Reads p without its power of x. */
static void read_p(const struct draft *d, row p) {
    for (int k = 0; k < SEGMENT_DEGREE; k++)
        p[k] = point_of(d->p[k]);
}

/* Reads q of c, or of its conjugate. */
static void read_q(const struct draft *d, int which, row q) {
    q[0] = point_of(d->c[which]);
    memcpy(q + 1, d->q[which], sizeof d->q[which]);
}

/* Returns coefficient k of a b. */
static struct point row_product(const row a, const row b, int k) {
    struct point whole = {0, 0};
    for (int i = 0; i <= k; i++)
        whole = point_add_product(whole, a[i], b[k - i]);
    return whole;
}

/* Sets `to` to the power of a. */
static void row_power(row to, const row a, unsigned power) {
    memset(to, 0, sizeof(row));
    to[0].re = 1;
    for (; power > 0; power--) {
        row next;
        for (int k = 0; k < SEGMENT_DEGREE; k++)
            next[k] = row_product(a, to, k);
        memcpy(to, next, sizeof next);
    }
}

/* Returns a number times x. */
static struct point point_times(double by, struct point x) {
    return (struct point){by * x.re, by * x.im};
}

/* Combines C2 of c^2, of its conjugate, and of |c|^2: multiplies them by p1, and adds p2 times the
 * products of f. */
static void cross_squares(struct draft *d, struct extended p1, struct extended p2,
                          const struct extended f[C_TERMS]) {
    for (int i = 0; i < C_SQUARES; i++) {
        struct extended both = extended_product(f[i % C_TERMS], f[i > 0]);
        both = extended_product(p2, i < C_TERMS ? both : extended_twice(both));
        d->c2[i] = extended_sum(extended_product(p1, d->c2[i]), both);
    }
}

/* Follows the power of a step at u; d->p and d->c are those before it. */
static void cross_step(struct draft *d, unsigned power, struct number u) {
    struct extended c[C_TERMS];
    row a, q, along;
    read_p(d, a);
    memmove(a + 1, a, sizeof a - sizeof *a);
    a[0] = point_of(u);
    row_power(along, a, power - 2);
    const struct extended p2 = extended_of(point_times(power * (power - 1) / 2, along[0]), 0);
    row_power(along, a, power - 1);
    for (int i = 0; i < C_TERMS; i++) {
        read_q(d, i, q);
        c[i] = extended_of(q[0], d->c_log2);
        for (int k = 1; k < SEGMENT_DEGREE; k++)
            d->q[i][k - 1] = point_times(power, row_product(along, q, k));
    }
    cross_squares(d, extended_of(point_times(power, along[0]), 0), p2, c);
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
static void cross_merge(struct draft *d, const struct draft *next, rows other) {
    struct extended f0[C_TERMS], q1[C_TERMS];
    row e, f, p, q, along = {{0, 0}};
    read_p(d, e);
    read_p(next, p);
    for (int k = SEGMENT_DEGREE; k > 0; k--)
        row_term(along, e, point_times(k, p[k - 1]));
    for (int i = 0; i < C_TERMS; i++) {
        row across = {{0, 0}};
        read_q(d, i, f);
        read_q(next, i, q);
        f0[i] = extended_of(f[0], d->c_log2);
        q1[i] = extended_of(q[1], next->c_log2 - next->t_log2);
        for (int k = SEGMENT_DEGREE; k > 0; k--)
            row_term(across, e, q[k - 1]);
        for (int k = 1; k < SEGMENT_DEGREE; k++)
            d->q[i][k - 1] = row_product(along, f, k);
        memcpy(other[i], across + 1, sizeof other[i]);
    }
    cross_squares(d, extended_of(p[0], -next->t_log2), extended_of(p[1], -2 * next->t_log2), f0);
    for (int i = 0; i < C_SQUARES; i++) {
        const struct extended own = extended_product(q1[i > 0], f0[i % C_TERMS]);
        const struct extended mixed = extended_product(q1[0], f0[C_TERMS - 1]);
        const struct extended more = i < C_TERMS ? own : extended_sum(own, mixed);
        d->c2[i] = extended_sum(extended_sum(d->c2[i], more), next->c2[i]);
    }
}

/* Adds `other` 2^log2_other to q, which is multiplied by 2^log2. */
static void cross_add(struct draft *d, int log2, rows other, int log2_other) {
    for (int i = 0; i < C_TERMS; i++)
        for (int k = 0; k < SEGMENT_DEGREE - 1; k++) {
            struct point *q = &d->q[i][k];
            q->re = scaled(q->re, log2) + scaled(other[i][k].re, log2_other);
            q->im = scaled(q->im, log2) + scaled(other[i][k].im, log2_other);
        }
}

/* Multiplies q by 2^log2, and by 2^shift for each power of x. */
static void cross_scale(struct draft *d, int shift, int log2) {
    for (int i = 0; i < C_TERMS; i++)
        for (int k = 0; k < SEGMENT_DEGREE - 1; k++) {
            struct point *q = &d->q[i][k];
            q->re = scaled(q->re, (k + 1) * shift + log2);
            q->im = scaled(q->im, (k + 1) * shift + log2);
        }
}

#ifdef SEGMENTS_FOLDED
/* Multiplies the signs of the parts, as flip. */
static void cross_flip(struct draft *d, double re, double im) {
    rows q;
    const struct extended c2 = d->c2[0];
    for (int i = 0; i < C_TERMS; i++)
        for (int k = 0; k < SEGMENT_DEGREE - 1; k++)
            q[i][k] = (struct point){re * d->q[i][k].re, im * d->q[i][k].im};
    memcpy(d->q[0], q[re != im], sizeof q[0]);
    memcpy(d->q[1], q[re == im], sizeof q[1]);
    if (re != im) {
        d->c2[0] = d->c2[1];
        d->c2[1] = c2;
    }
    for (int i = 0; i < C_SQUARES; i++) {
        d->c2[i].re *= re;
        d->c2[i].im *= im;
    }
}
#endif

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

/* Stores C2 number `which`. */
static void put_square(const struct draft *d, int which, double to[2]) {
    struct extended c2 = d->c2[which];
    c2.log2 -= 2 * d->c_log2;
    extended_get(c2, &to[0], &to[1]);
}

static void put_row(const struct draft *d, int which, double q[SEGMENT_DEGREE][2]) {
    for (int k = 0; k < SEGMENT_DEGREE - 1; k++) {
        q[k][0] = d->q[which][k].re;
        q[k][1] = d->q[which][k].im;
    }
    put_square(d, which, q[SEGMENT_DEGREE - 1]);
}

static double row_size(double q[SEGMENT_DEGREE][2]) {
    double whole = 0;
    for (int k = 0; k < SEGMENT_DEGREE; k++)
        whole += fabs(q[k][0]) + fabs(q[k][1]);
    return whole;
}

/* `bar` is read with SEGMENTS_FOLDED only. */
static void put_cross(struct segment_cross *to, struct segment_cross_bar *bar,
                      const struct draft *d) {
    double whole = 0;
    *to = (struct segment_cross){.t_c_log2 = SEGMENT_CROSS_NONE};
    (void)bar;
    if (!d->cross)
        return;
    put_row(d, 0, to->q);
    whole += row_size(to->q);
#ifdef SEGMENTS_FOLDED
    put_row(d, 1, bar->q);
    put_square(d, 2, bar->both);
    whole += row_size(bar->q) + fabs(bar->both[0]) + fabs(bar->both[1]);
#endif
    if (whole < CROSS_MOST)
        to->t_c_log2 = d->t_cross.log2 - 1;
}

#endif
