/* Extended numbers: complex numbers beyond a double's range, a pair of doubles with one exponent.
 * All scaling is by exact powers of two, so every compiler gives the same bits. */
#ifndef FATHOM_RENDER_DEEP_EXTENDED_H
#define FATHOM_RENDER_DEEP_EXTENDED_H

#include "render/inline.h"

/* (re + i im) 2^log2, 0.5 <= max(|re|, |im|) < 1; zero has EXTENDED_ZERO. */
struct extended {
    double re, im;
    int32_t log2;
};

#define EXTENDED_ZERO  (-0x40000000)
#define EXTENDED_APART 1000 /* a sum ignores a number that is 2^-1000 of the other one */

/* Returns 2^log2, for -1022 .. 1023. */
INLINE double extended_power(int32_t log2) {
    return bits_double((uint64_t)(log2 + 1023) << 52);
}

/* Returns 2^log2, for any log2; 0 and infinity beyond the range of normal doubles. */
INLINE double extended_any_power(int32_t log2) {
    return log2 < -1022 ? 0.0 : extended_power(log2 > 1024 ? 1024 : log2);
}

/* Returns x 2^log2 for a log2 of -2000 .. 2000; other values count as these. */
INLINE double extended_scaled(double x, int32_t log2) {
    const int32_t within = log2 < -2000 ? -2000 : log2 > 2000 ? 2000 : log2;
    const int32_t part = within / 2;
    return x * extended_any_power(part) * extended_any_power(within - part);
}

INLINE double extended_most(double a, double b) {
    a = double_abs(a);
    b = double_abs(b);
    return a > b ? a : b;
}

/* Makes an extended number of normal doubles. */
INLINE struct extended extended_make(double re, double im, int32_t log2) {
    const double most = extended_most(re, im);
    const int32_t more = (int32_t)(double_bits(most) >> 52) - 1022;
    const double scale = extended_power(-more);
    const struct extended zero = {0.0, 0.0, EXTENDED_ZERO};
    const struct extended a = {re * scale, im * scale, log2 + more};
    return most == 0.0 ? zero : a;
}

INLINE struct extended extended_twice(struct extended a) {
    a.log2 += a.log2 != EXTENDED_ZERO;
    return a;
}

INLINE struct extended extended_product(struct extended a, struct extended b) {
    const struct extended zero = {0.0, 0.0, EXTENDED_ZERO};
    if (a.log2 == EXTENDED_ZERO || b.log2 == EXTENDED_ZERO)
        return zero;
    return extended_make(double_fma(a.re, b.re, -(a.im * b.im)),
                         double_fma(a.re, b.im, a.im * b.re), a.log2 + b.log2);
}

INLINE struct extended extended_sum(struct extended a, struct extended b) {
    const struct extended large = a.log2 < b.log2 ? b : a, small = a.log2 < b.log2 ? a : b;
    const int32_t apart = large.log2 - small.log2;
    const double scale = apart > EXTENDED_APART ? 0.0 : extended_power(-apart);
    return large.log2 == EXTENDED_ZERO
               ? large
               : extended_make(double_fma(small.re, scale, large.re),
                               double_fma(small.im, scale, large.im), large.log2);
}

/* Compares max-norms. */
INLINE bool extended_less(struct extended a, struct extended b) {
    return a.log2 < b.log2 ||
           (a.log2 == b.log2 && extended_most(a.re, a.im) < extended_most(b.re, b.im));
}

/* Returns doubles, for a log2 that is far within their range. */
INLINE void extended_get(struct extended a, double *re, double *im) {
    const double scale = extended_any_power(a.log2);
    *re = a.re * scale;
    *im = a.im * scale;
}

#endif
