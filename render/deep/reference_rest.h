/* Reference orbits: state that only their making needs, and the derivative of an orbit, by c or by
 * its start. For render/deep/ alone. */
#ifndef FATHOM_RENDER_DEEP_REFERENCE_REST_H
#define FATHOM_RENDER_DEEP_REFERENCE_REST_H

#include "render/deep/orbit.h"
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A derivative (re + i im) * 2^exponent, for orbits of any length. A derivative by c has exponent
 * >= 0, and `one` is 2^-exponent; a derivative by the start has one = 0. */
struct derivative {
    double re, im, one;
    int64_t exponent;
    bool by_start;
};

/* Scales a number that is not 0 so that its larger part lies in [0.5, 1), and returns the exponent
 * for that. */
static inline int normalise(double *re, double *im) {
    int exponent;
    frexp(fmax(fabs(*re), fabs(*im)), &exponent);
    *re = ldexp(*re, -exponent);
    *im = ldexp(*im, -exponent);
    return exponent;
}

/* Returns the size of the larger part. */
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

/* D <- 2 Z D + 1, or 2 Z D by the start. */
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

/* Returns log2 of the larger part, rounded down. */
static inline int64_t derivative_log2(const struct derivative *d) {
    const double size = larger(d->re, d->im);
    if (size < 0x1p-1000)
        return 0; /* as small as 0 */
    uint64_t bits;
    memcpy(&bits, &size, sizeof bits);
    return d->exponent + (int64_t)(bits >> 52) - 1023;
}

#define REFERENCE_GUARD_BITS 80
#define REFERENCE_BITS_LEAST 64
#define REFERENCE_ROOM_LEAST 64 /* entries of an array */
#define DO_WITHOUT_BITS      8  /* log2 of 1 / PERTURBED_TAIL_SHARE */
#define LOST_STEPS           2

struct reference_want;

struct reference_rest {
    atomic_uint holders;
    unsigned limbs_most;          /* full precision */
    uint64_t bytes;               /* all memory of the reference */
    struct derivative derivative; /* at the last index */
    int64_t lowest;               /* radius_log2 * 8 of the last cut */
    int64_t least_log2;           /* least log2 of the derivative by the start */
    struct orbit_value value;     /* Z at the last index, with all bits */
};

/* Moves |Z| = 2 in doubles by the smallest step inwards, since W = Z + z would have escaped there
 * for any z: near c = -2 orbits stay there for long. Returns true if it did. */
static inline bool orbit_leave_circle(struct orbit_point *z) {
    if (z->exponent || fma(z->re, z->re, z->im * z->im) != 4.0)
        return false;
    double *larger = fabs(z->re) >= fabs(z->im) ? &z->re : &z->im;
    *larger = nextafter(*larger, 0);
    return true;
}

#define LOW_LEAST 0x1p-1000 /* low part of a 2 whose own is below a double's range */

/* Returns a low part that moves 2 inwards, if it is less than a double holds. */
static inline double orbit_low_part(double z, double low) {
    return fabs(z) == 2 && fabs(low) < LOW_LEAST ? copysign(LOW_LEAST, -z) : low;
}

/* Returns a reference with the point and the steps of `want` and nothing else. Returns NULL if
 * there is no memory; the reason is logged. */
struct reference *reference_create_empty(const struct reference_want *want);
/* Returns the limit of a reference's memory. */
uint64_t reference_bytes_most(const struct reference_want *want);
/* Makes references as reference_make does, for formulas other than z^2 + c. Numbers have one
 * precision, and each orbit continues to its escape or the limit. */
const struct reference *reference_make_folded(const struct reference_want *want,
                                              const atomic_bool *stop, atomic_uint *progress);

#endif
