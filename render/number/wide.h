/* Wide numbers: unevaluated sums of two doubles, `hi` the double nearest to the sum.
 *
 * Where WIDE_KERNEL is defined, the includer has defined `real`, a double or a vector of doubles,
 * and for those real_fma(a, b, c) with one rounding. Every operation is rounded once and none may
 * be contracted, so that all machines get the same bits.
 *
 * The building blocks are Dekker's and Knuth's: what a sum loses takes six additions, what a
 * product loses one fma (Joldes, Muller and Popescu, "Tight and rigorous error bounds for basic
 * building blocks of double-word arithmetic", 2017). A step is a sum of pairs whose high parts are
 * added without loss and whose low parts are added as they are; it is made nearest once, at its
 * end: 42 instructions for z^2 + c, against about 70 of whole additions and products one after
 * another.
 *
 * With u = 2^-53 and |z|, |c| < 2, the low parts and what the high ones lose add up to less than
 * 20u. Rounding them on the way is less than 64 u u, including the squares of low parts, which are
 * left out: so a step is off by less than 2^-99. Along orbits the error is about 2^-106.5 in the
 * root mean square and 2^-102 at most (tests/backend/check_wide.c), a third of a bit more than
 * with whole operations. Those are more precise near 0, which helps little, since c is added to
 * the square. */
#ifndef FATHOM_RENDER_NUMBER_WIDE_H
#define FATHOM_RENDER_NUMBER_WIDE_H

#include "render/inline.h"

#ifdef WIDE_KERNEL

struct wide {
    real hi, lo;
};

/* Returns a + b, exactly, for any two numbers (Knuth). */
INLINE struct wide wide_sum(const real a, const real b) {
    struct wide s;
    s.hi = a + b;
    const real v = s.hi - a;
    s.lo = (a - (s.hi - v)) + (b - v);
    return s;
}

/* Returns x^2, not made nearest. */
INLINE struct wide wide_square(const struct wide x) {
    struct wide s;
    s.hi = x.hi * x.hi;
    s.lo = real_fma(x.hi + x.hi, x.lo, real_fma(x.hi, x.hi, -s.hi));
    return s;
}

/* Returns 2 x y, not made nearest. */
INLINE struct wide wide_twice_product(const struct wide x, const struct wide y) {
    const real x2 = x.hi + x.hi, y2 = y.hi + y.hi;
    struct wide s;
    s.hi = x2 * y.hi;
    s.lo = real_fma(x2, y.lo, real_fma(y2, x.lo, real_fma(x2, y.hi, -s.hi)));
    return s;
}

/* Returns x y, not made nearest. */
INLINE struct wide wide_product(const struct wide x, const struct wide y) {
    struct wide s;
    s.hi = x.hi * y.hi;
    s.lo = real_fma(x.hi, y.lo, real_fma(y.hi, x.lo, real_fma(x.hi, y.hi, -s.hi)));
    return s;
}

INLINE struct wide wide_negative(const struct wide x) {
    struct wide s;
    s.hi = -x.hi;
    s.lo = -x.lo;
    return s;
}

/* Returns the nearest form of a sum whose low part is the smaller one (Dekker); otherwise an
 * equally good one. */
INLINE struct wide wide_nearest(const real hi, const real lo) {
    struct wide s;
    s.hi = hi + lo;
    s.lo = lo - (s.hi - hi);
    return s;
}

/* Returns x + y, which need not be nearest. */
INLINE struct wide wide_add(const struct wide x, const struct wide y) {
    const struct wide s = wide_sum(x.hi, y.hi);
    return wide_nearest(s.hi, (x.lo + y.lo) + s.lo);
}

/* Returns |x + i y|^2 - norm2, with the right sign where the high parts' |x + i y|^2 is rounded to
 * norm2. */
INLINE real wide_norm2_above(const struct wide x, const struct wide y, const real norm2) {
    const real low = real_fma(x.hi + x.hi, x.lo, (y.hi + y.hi) * y.lo);
    return real_fma(x.hi, x.hi, real_fma(y.hi, y.hi, -norm2)) + low;
}

/* Returns x + y + z, which need not be nearest. */
INLINE struct wide wide_add3(const struct wide x, const struct wide y, const struct wide z) {
    const struct wide s = wide_sum(x.hi, y.hi), t = wide_sum(s.hi, z.hi);
    return wide_nearest(t.hi, ((x.lo + y.lo) + z.lo) + (s.lo + t.lo));
}

#endif

#endif
