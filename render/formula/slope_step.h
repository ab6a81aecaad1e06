/* Slope step: one step of an orbit's derivative, per pixel. The includer defines the macros of
 * formula_step.h, and real_flip(x, by): x, negated if the sign bit of `by` is set. */
#ifndef FATHOM_RENDER_FORMULA_SLOPE_STEP_H
#define FATHOM_RENDER_FORMULA_SLOPE_STEP_H

#include "render/formula/formula_step.h"

#ifdef FORMULA_KERNEL

/* Raises w = x + iy to the power - 1. */
INLINE void slope_power(const int power, real *x, real *y) {
    const real a = *x, b = *y;
    if (power > 2)
        power_square(x, y);
    if (power == 4 || power == 7 || power == 8)
        power_times(x, y, a, b);
    if (power > 4)
        power_square(x, y);
    if (power == 6 || power == 8)
        power_times(x, y, a, b);
}

/* Multiplies (a + ib) by m = mr + i mi. */
INLINE void slope_turn(const real mr, const real mi, real *a, real *b) {
    const real ib = mi * *b, ia = mi * *a, r = *a;
    *a = real_fma(mr, r, -ib);
    *b = real_fma(mr, *b, ia);
}

/* Computes power w^(power - 1) for w = x + iy. */
INLINE void slope_factor(const int power, real x, real y, real *mr, real *mi) {
    slope_power(power, &x, &y);
    *mr = x;
    *mi = y;
    for (int k = 1; k < power; k++) {
        *mr = *mr + x;
        *mi = *mi + y;
    }
}

/* Updates the derivative (a + ib) for a step from z without folds. `unit` is the pixel step, or 0
 * if all points share c. */
INLINE void slope_step(const int power, const real zr, const real zi, const real unit, real *a,
                       real *b) {
    real mr, mi;
    slope_factor(power, zr, zi, &mr, &mi);
    slope_turn(mr, mi, a, b);
    *a = *a + unit;
}

/* Updates the derivative for a step from z with folds, where it is a matrix. (xa + i ya) is the
 * change of z by a pixel step to the right, (xb + i yb) by a pixel step upwards. */
INLINE void slope_step_folded(const int power, const unsigned folds, const real zr, const real zi,
                              const real unit, real *xa, real *ya, real *xb, real *yb) {
    real x = zr, y = zi, mr, mi;
    if (folds & FOLD_X) {
        *xa = real_flip(*xa, x);
        *xb = real_flip(*xb, x);
        x = real_flip(x, x);
    }
    if (folds & FOLD_Y) {
        *ya = real_flip(*ya, y);
        *yb = real_flip(*yb, y);
        y = real_flip(y, y);
    }
    if (folds & FOLD_NEGATE) {
        *ya = -*ya;
        *yb = -*yb;
        y = -y;
    }
    slope_factor(power, x, y, &mr, &mi);
    slope_turn(mr, mi, xa, ya);
    slope_turn(mr, mi, xb, yb);
    slope_turn(mr, mi, &x, &y); /* `power` times the power of z */
    if (folds & FOLD_RE) {
        *xa = real_flip(*xa, x);
        *xb = real_flip(*xb, x);
    }
    if (folds & FOLD_IM) {
        *ya = real_flip(*ya, y);
        *yb = real_flip(*yb, y);
    }
    *xa = *xa + unit;
    *yb = *yb + unit;
}

#endif

#endif
