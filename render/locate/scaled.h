/* Scaled numbers: complex numbers with double mantissas and a separate exponent, for derivatives
 * and distances far beyond the range of doubles. The relative error of each operation is a few
 * units in the last place of a double. A nonnegative real number has im = 0. */
#ifndef FATHOM_RENDER_LOCATE_SCALED_H
#define FATHOM_RENDER_LOCATE_SCALED_H

#include <math.h>
#include <mpfr.h>
#include <stdint.h>

/* (re + i im) 2^exponent; the larger part is about 1, or both are 0. */
struct scaled {
    double re, im;
    int64_t exponent;
};

static inline struct scaled scaled_normalise(struct scaled x) {
    const double most = fmax(fabs(x.re), fabs(x.im));
    if ((most >= 0x1p-64 && most < 0x1p64) || !(most < INFINITY))
        return x;
    if (most == 0)
        return (struct scaled){0};
    const int exponent = ilogb(most);
    return (struct scaled){scalbn(x.re, -exponent), scalbn(x.im, -exponent), x.exponent + exponent};
}

static inline struct scaled scaled_of(double re, double im) {
    return scaled_normalise((struct scaled){re, im, 0});
}

static inline struct scaled scaled_power(int64_t exponent) { /* 2^exponent */
    return (struct scaled){1, 0, exponent};
}

static inline struct scaled scaled_of_mpfr(mpfr_srcptr re, mpfr_srcptr im) {
    long re_exponent = 0, im_exponent = 0;
    const double r = mpfr_get_d_2exp(&re_exponent, re, MPFR_RNDN);
    const double i = mpfr_get_d_2exp(&im_exponent, im, MPFR_RNDN);
    const long down = re_exponent - im_exponent;
    if (i == 0 || (r != 0 && down > 1000))
        return (struct scaled){r, 0, r != 0 ? re_exponent : 0};
    if (r == 0 || down < -1000)
        return (struct scaled){0, i, im_exponent};
    if (down >= 0)
        return (struct scaled){r, scalbn(i, -(int)down), re_exponent};
    return (struct scaled){scalbn(r, (int)down), i, im_exponent};
}

static inline struct scaled scaled_times(struct scaled x, double factor) {
    return scaled_normalise((struct scaled){x.re * factor, x.im * factor, x.exponent});
}

static inline struct scaled scaled_mul(struct scaled a, struct scaled b) {
    return scaled_normalise((struct scaled){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re,
                                            a.exponent + b.exponent});
}

/* b is not 0 */
static inline struct scaled scaled_div(struct scaled a, struct scaled b) {
    const double norm = b.re * b.re + b.im * b.im;
    return scaled_normalise((struct scaled){(a.re * b.re + a.im * b.im) / norm,
                                            (a.im * b.re - a.re * b.im) / norm,
                                            a.exponent - b.exponent});
}

static inline struct scaled scaled_add(struct scaled a, struct scaled b) {
    if (a.exponent < b.exponent || (a.re == 0 && a.im == 0)) {
        const struct scaled other = a;
        a = b;
        b = other;
    }
    if ((b.re == 0 && b.im == 0) || a.exponent - b.exponent > 900)
        return a.re == 0 && a.im == 0 ? b : a;
    const double factor = scalbn(1, (int)(b.exponent - a.exponent));
    return scaled_normalise(
        (struct scaled){a.re + b.re * factor, a.im + b.im * factor, a.exponent});
}

static inline struct scaled scaled_sub(struct scaled a, struct scaled b) {
    return scaled_add(a, (struct scaled){-b.re, -b.im, b.exponent});
}

static inline struct scaled scaled_abs(struct scaled x) {
    return (struct scaled){hypot(x.re, x.im), 0, x.exponent};
}

/* Returns true if a < b, for real numbers. */
static inline int scaled_less(struct scaled a, struct scaled b) {
    return scaled_sub(a, b).re < 0;
}

/* Returns log2 |x|, or -infinity for 0. */
static inline double scaled_log2(struct scaled x) {
    return log2(hypot(x.re, x.im)) + (double)x.exponent;
}

/* Returns the nearest double; 0 or infinity beyond its range. */
static inline double scaled_double(double mantissa, int64_t exponent) {
    return scalbn(mantissa, exponent > 4000 ? 4000 : exponent < -4000 ? -4000 : (int)exponent);
}

#endif
