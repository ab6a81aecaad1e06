/* Segments while they are made: their numbers and polynomials. A part of segments_tmpl.c.
 *
 * Numbers are doubles, or wide numbers with SEGMENTS_WIDE. */
#ifndef FATHOM_RENDER_DEEP_TABLES_SEGMENTS_DRAFT_H
#define FATHOM_RENDER_DEEP_TABLES_SEGMENTS_DRAFT_H

#include "render/deep/extended.h"
#include "render/deep/tables/tables.h"
#include "render/formula/formula_step.h"
#include <math.h>
#include <string.h>

#ifdef SEGMENTS_WIDE
typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define WIDE_KERNEL
#include "render/number/wide.h"
#endif

/* Returns x 2^log2, several times as fast as ldexp. */
INLINE double scaled(double x, int log2) {
    return log2 >= -1022 && log2 <= 1023 ? x * extended_power(log2) : ldexp(x, log2);
}

#ifdef SEGMENTS_WIDE
typedef struct wide coefficient;

static coefficient plain(double x) {
    return (struct wide){x, 0};
}

static double high(coefficient x) {
    return x.hi;
}

static coefficient add(coefficient a, coefficient b) {
    return wide_add(a, b);
}

static coefficient subtract(coefficient a, coefficient b) {
    return wide_add(a, wide_negative(b));
}

static coefficient product(coefficient a, coefficient b) {
    return wide_product(a, b);
}

INLINE coefficient shifted(coefficient x, int log2) {
    return (struct wide){scaled(x.hi, log2), scaled(x.lo, log2)};
}

INLINE coefficient signed_by(double sign, coefficient x) {
    return (struct wide){sign * x.hi, sign * x.lo};
}
#else
typedef double coefficient;

static coefficient plain(double x) {
    return x;
}

static double high(coefficient x) {
    return x;
}

static coefficient add(coefficient a, coefficient b) {
    return a + b;
}

static coefficient subtract(coefficient a, coefficient b) {
    return a - b;
}

static coefficient product(coefficient a, coefficient b) {
    return a * b;
}

INLINE coefficient shifted(coefficient x, int log2) {
    return scaled(x, log2);
}

INLINE coefficient signed_by(double sign, coefficient x) {
    return sign * x;
}
#endif

/* A complex number. */
struct number {
    coefficient re, im;
};

INLINE struct number sum(struct number a, struct number b) {
    return (struct number){add(a.re, b.re), add(a.im, b.im)};
}

INLINE struct number times(struct number a, struct number b) {
    return (struct number){subtract(product(a.re, b.re), product(a.im, b.im)),
                           add(product(a.re, b.im), product(a.im, b.re))};
}

INLINE struct number shifted_number(struct number a, int log2) {
    return (struct number){shifted(a.re, log2), shifted(a.im, log2)};
}

static double size(struct number a) {
    const double re = high(a.re), im = high(a.im);
    return sqrt(re * re + im * im);
}

/* --- polynomials without constant terms --- */

typedef struct number poly[SEGMENT_DEGREE];

/* Number of coefficients that are wide in wide tables. The fourth is at most 2^-51 of the first
 * (bound_by_growth), so doubles are precise enough from there on. */
#define EXACT SEGMENT_LOW_DEGREE

/* Returns s + a b, in doubles if `rough`. */
INLINE struct number add_product(struct number s, struct number a, struct number b, bool rough) {
#ifdef SEGMENTS_WIDE
    if (rough)
        return (struct number){plain(s.re.hi + (a.re.hi * b.re.hi - a.im.hi * b.im.hi)),
                               plain(s.im.hi + (a.re.hi * b.im.hi + a.im.hi * b.re.hi))};
#else
    (void)rough;
#endif
    return sum(s, times(a, b));
}

/* to += a b, cut; the first `exact` coefficients are exact. */
INLINE void poly_add_product(poly to, const poly a, const poly b, int exact) {
    for (int i = 0; i < SEGMENT_DEGREE - 1; i++)
        for (int j = 0; i + j + 1 < SEGMENT_DEGREE; j++)
            to[i + j + 1] = add_product(to[i + j + 1], a[i], b[j], i + j + 1 >= exact);
}

INLINE void poly_add_scaled(poly to, struct number by, const poly a, int exact) {
    for (int k = 0; k < SEGMENT_DEGREE; k++)
        to[k] = add_product(to[k], by, a[k], k >= exact);
}

/* Computes (2 Z + p) p. */
static void poly_step(poly p, struct number z) {
    poly e = {{plain(0), plain(0)}};
    poly_add_scaled(e, sum(z, z), p, EXACT);
    poly_add_product(e, p, p, EXACT);
    memcpy(p, e, sizeof e);
}

static void poly_compose(poly to, const poly outer, const poly inner) {
    poly whole = {{plain(0), plain(0)}};
    poly_add_scaled(whole, outer[SEGMENT_DEGREE - 1], inner, 0);
    for (int k = SEGMENT_DEGREE - 2; k >= 0; k--) {
        poly next = {{plain(0), plain(0)}};
        poly_add_product(next, whole, inner, EXACT - k);
        poly_add_scaled(next, outer[k], inner, EXACT - k);
        memcpy(whole, next, sizeof whole);
    }
    memcpy(to, whole, sizeof whole);
}

#ifdef SEGMENTS_FOLDED
/* Compute (a + e)^2 - a^2 and (a + e) (u + d) - a u. */
static void square_over(poly e, struct number *a) {
    poly_step(e, *a);
    *a = times(*a, *a);
}

static void times_over(poly e, struct number *a, const poly d, struct number u) {
    poly next = {{plain(0), plain(0)}};
    poly_add_scaled(next, u, e, EXACT);
    poly_add_scaled(next, *a, d, EXACT);
    poly_add_product(next, e, d, EXACT);
    memcpy(e, next, sizeof next);
    *a = times(*a, u);
}

/* Computes (u + d)^p - u^p, by the chain of step_power. Returns u^p. */
static struct number power_over(unsigned power, poly d, struct number u) {
    struct number a = u;
    poly e;
    memcpy(e, d, sizeof e);
    POWER_CHAIN(power, square_over(e, &a), times_over(e, &a, d, u));
    memcpy(d, e, sizeof e);
    return a;
}
#endif

/* --- segments --- */

/* m 2^log2, 0.5 <= m < 1. */
struct positive {
    double m;
    int log2;
};

static struct positive positive(double x, int log2) {
    int more;
    const double m = frexp(x, &more);
    return (struct positive){m, log2 + more};
}

static struct positive lesser(struct positive a, struct positive b) {
    return a.log2 < b.log2 || (a.log2 == b.log2 && a.m < b.m) ? a : b;
}

/* A step: a power, and its folds (formula.h). */
struct form {
    unsigned power, folds;
};

#ifdef SEGMENTS_FOLDED
#define C_TERMS   2 /* of c, and of its conjugate */
#define C_SQUARES 3 /* of c^2, of its conjugate, and of |c|^2 */
#else
#define C_TERMS   1
#define C_SQUARES 1
#endif

/* A complex number in doubles, also in wide tables. */
struct point {
    double re, im;
};

/* A segment in the making: struct segment, and struct segment_cross. */
struct draft {
    int32_t t_log2, c_log2;
    poly p;
    struct number c[C_TERMS];
    struct positive t_c;
    bool conjugate; /* p is of x's conjugate */
    bool cross;     /* it has what follows: T_c, Q_k T^k in units of 2^c_log2, and C2 */
    struct positive t_cross;
    struct point q[C_TERMS][SEGMENT_DEGREE - 1];
    struct extended c2[C_SQUARES];
};

#endif
