/* The derivative of an orbit of z^2 + c, by c or by where it begins. */
#ifndef FATHOM_RENDER_DEEP_DERIVATIVE_H
#define FATHOM_RENDER_DEEP_DERIVATIVE_H

#include "render/deep/orbit.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A derivative (re + i im) * 2^exponent, which no orbit is too long for. One by c has exponent >= 0, and
 * `one` is 2^-exponent; one by the start has one = 0. */
struct derivative {
    double re, im, one;
    int64_t exponent;
    bool by_start;
};

/* Makes the larger part of a number that is not 0 lie in [0.5, 1), and returns the exponent for that. */
static inline int normalise(double *re, double *im) {
    int exponent;
    frexp(fmax(fabs(*re), fabs(*im)), &exponent);
    *re = ldexp(*re, -exponent);
    *im = ldexp(*im, -exponent);
    return exponent;
}

/* The larger part's size. */
static inline double larger(double re, double im) {
    return fabs(re) > fabs(im) ? fabs(re) : fabs(im);
}

static inline void derivative_fit(struct derivative *d) {
    const double size = larger(d->re, d->im);
    if (size < 0x1p400 && (size > 0x1p-100 || (d->exponent == 0 && !d->by_start)))
        return;
    if (size == 0)
        d->exponent = 0;
    else
        d->exponent += normalise(&d->re, &d->im);
    if (d->by_start)
        return;
    if (d->exponent < 0) {
        d->re = ldexp(d->re, (int)d->exponent);
        d->im = ldexp(d->im, (int)d->exponent);
        d->exponent = 0;
    }
    d->one = d->exponent > 1074 ? 0 : ldexp(1, -(int)d->exponent);
}

/* D <- 2 Z D + 1, or 2 Z D. */
static inline void derivative_step(struct derivative *d, const struct orbit_point *z) {
    const double re = 2 * (z->re * d->re - z->im * d->im);
    const double im = 2 * (z->re * d->im + z->im * d->re);
    d->re = re;
    d->im = im;
    if (d->by_start) {
        d->exponent += z->exponent;
    } else if (z->exponent != 0) {
        const int64_t exponent = d->exponent + z->exponent, low = exponent < 0 ? exponent : 0;
        d->re = ldexp(re, low < -3000 ? -3000 : (int)low);
        d->im = ldexp(im, low < -3000 ? -3000 : (int)low);
        d->exponent = exponent - low;
        d->one = d->exponent > 1074 ? 0 : ldexp(1, -(int)d->exponent);
    }
    d->re += d->one;
    derivative_fit(d);
}

/* log2 of the larger part, rounded down. */
static inline int64_t derivative_log2(const struct derivative *d) {
    const double size = larger(d->re, d->im);
    if (size < 0x1p-1000)
        return 0; /* it is as good as 0 */
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits);
    return d->exponent + (int64_t)(bits >> 52) - 1023;
}

#endif
