/* Formula step: one step of any power, in the arithmetic that all devices share. The includer
 * defines FORMULA_KERNEL and `real`, the type of a number or a vector of numbers (under nvcc a
 * parameter of a template). For vectors the includer also defines real_abs(a), and real_fma(a, b,
 * c) with one rounding. `formula` and `power` are always compile-time constants. */
#ifndef FATHOM_RENDER_FORMULA_FORMULA_STEP_H
#define FATHOM_RENDER_FORMULA_FORMULA_STEP_H

#include "render/formula/formula.h"
#include "render/inline.h"

/* Makes a power of z from z, by expressions that square it or multiply it by the first z: z^2,
 * z^2 z, (z^2)^2, (z^2)^2 z, (z^2 z)^2, (z^2 z)^2 z, ((z^2)^2)^2. */
#define POWER_CHAIN(power, square, times)                                                          \
    do {                                                                                           \
        square;                                                                                    \
        if ((power) == 3 || (power) == 6 || (power) == 7)                                          \
            times;                                                                                 \
        if ((power) > 3)                                                                           \
            square;                                                                                \
        if ((power) == 8)                                                                          \
            square;                                                                                \
        if ((power) == 5 || (power) == 7)                                                          \
            times;                                                                                 \
    } while (0)

#ifdef FORMULA_KERNEL

#ifndef real_abs
#define real_abs(x) double_abs(x)
#endif

/* Squares z: t = fma(zr, zr, cr); zi' = fma(zr + zr, zi, ci); zr' = fma(-zi, zi, t). With FOLD_RE
 * zr' = |fma(zr, zr, -(zi zi))| + cr. */
INLINE void step_square(const unsigned folds, real *zr, real *zi, const real cr, const real ci) {
    const real r = *zr, i = *zi;
    real twice = r + r, other = i;
    if (folds & (FOLD_X | FOLD_IM))
        twice = real_abs(twice);
    if (folds & (FOLD_Y | FOLD_IM))
        other = real_abs(other);
    if (folds & FOLD_NEGATE)
        twice = -twice;
    if (folds & FOLD_RE) {
        const real ii = i * i;
        *zr = real_abs(real_fma(r, r, -ii)) + cr;
    } else {
        const real t = real_fma(r, r, cr);
        *zr = real_fma(-i, i, t);
    }
    *zi = real_fma(twice, other, ci);
}

/* Multiplies (x + iy)(a + ib): x' = fma(x, a, -(y b)); y' = fma(x, b, y a). */
INLINE void power_times(real *x, real *y, const real a, const real b) {
    const real yb = *y * b, ya = *y * a, r = *x;
    *x = real_fma(r, a, -yb);
    *y = real_fma(r, b, ya);
}

/* Squares (x + iy): x' = fma(x, x, -(y y)); y' = (x + x) y. */
INLINE void power_square(real *x, real *y) {
    const real yy = *y * *y, r = *x;
    *y = (r + r) * *y;
    *x = real_fma(r, r, -yy);
}

/* Raises z to the third or a higher power. c is added in a separate operation. `folds` may be a
 * run-time value. */
INLINE void step_power(const int power, const unsigned folds, real *zr, real *zi, const real cr,
                       const real ci) {
    real x = *zr, y = *zi;
    if (folds & FOLD_X)
        x = real_abs(x);
    if (folds & FOLD_Y)
        y = real_abs(y);
    if (folds & FOLD_NEGATE)
        y = -y;
    const real a = x, b = y;
    POWER_CHAIN(power, power_square(&x, &y), power_times(&x, &y, a, b));
    if (folds & FOLD_RE)
        x = real_abs(x);
    if (folds & FOLD_IM)
        y = real_abs(y);
    *zr = x + cr;
    *zi = y + ci;
}

/* Returns |z|^2. */
INLINE real norm2(const real zr, const real zi) {
    const real ii = zi * zi;
    return real_fma(zr, zr, ii);
}

#endif

#endif
