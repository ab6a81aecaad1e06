/* What a reference keeps besides what is read (render/deep/reference.h), and the derivative of its orbit, by c or by where it
 * begins. For render/deep/ alone. */
#ifndef FATHOM_RENDER_DEEP_REFERENCE_REST_H
#define FATHOM_RENDER_DEEP_REFERENCE_REST_H

#include "render/deep/orbit.h"
#include <math.h>
#include <stdatomic.h>
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

struct reference_want;

struct reference_rest {
    atomic_uint holders;
    unsigned limbs_most;          /* its full precision */
    uint64_t bytes;               /* of everything */
    struct derivative derivative; /* at the last index */
    int64_t lowest;               /* the last cut's radius_log2 * 8 */
    int64_t least_log2;           /* of the derivative by the start */
    struct orbit_value value;     /* Z at the last index, with all its bits */
};

/* The least step inwards from |Z| = 2 in doubles, where W = Z + z would have escaped whatever z is:
 * close to c = -2 orbits stay about there for long. */
static inline bool orbit_leave_circle(struct orbit_point *z) {
    if (z->exponent || fma(z->re, z->re, z->im * z->im) != 4.0)
        return false;
    double *larger = fabs(z->re) >= fabs(z->im) ? &z->re : &z->im;
    *larger = nextafter(*larger, 0);
    return true;
}

/* What a reference may take. */
uint64_t reference_bytes_most(const struct reference_want *want);
/* As reference_make for other formulas than z^2 + c, in numbers of one precision: to the escape or the limit, of each of
 * its orbits. */
const struct reference *reference_make_folded(const struct reference_want *want,
                                              const atomic_bool *stop, atomic_uint *progress);

#endif
