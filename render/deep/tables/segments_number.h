/* The numbers that segments are made in: doubles, or with SEGMENTS_WIDE wide ones. A part of
 * segments_tmpl.c. */
#ifndef FATHOM_RENDER_DEEP_TABLES_SEGMENTS_NUMBER_H
#define FATHOM_RENDER_DEEP_TABLES_SEGMENTS_NUMBER_H

#include "render/deep/extended.h"
#include <math.h>

#ifdef SEGMENTS_WIDE
typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define WIDE_KERNEL
#include "render/number/wide.h"
#endif

/* As ldexp, which takes several times as long. */
static double scaled(double x, int log2) {
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

static coefficient shifted(coefficient x, int log2) {
    return (struct wide){scaled(x.hi, log2), scaled(x.lo, log2)};
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

static coefficient shifted(coefficient x, int log2) {
    return scaled(x, log2);
}
#endif

/* Real and imaginary part. */
struct number {
    coefficient re, im;
};

static struct number sum(struct number a, struct number b) {
    return (struct number){add(a.re, b.re), add(a.im, b.im)};
}

static struct number times(struct number a, struct number b) {
    return (struct number){subtract(product(a.re, b.re), product(a.im, b.im)),
                           add(product(a.re, b.im), product(a.im, b.re))};
}

static struct number shifted_number(struct number a, int log2) {
    return (struct number){shifted(a.re, log2), shifted(a.im, log2)};
}

static double size(struct number a) {
    const double re = high(a.re), im = high(a.im);
    return sqrt(re * re + im * im);
}

#endif
