/* A step of any formula, in the arithmetic that all devices share. The includer has defined
 * FORMULA_KERNEL and `real`, the number or vector of numbers that the step works on (under nvcc a
 * template's parameter), and for vectors real_fma(a, b, c), with one rounding, and real_abs(a).
 * `formula` and `fused` are always compile-time constants. */
#ifndef FATHOM_RENDER_FORMULA_STEP_H
#define FATHOM_RENDER_FORMULA_STEP_H

#include "render/formula.h"
#include "render/inline.h"

#ifdef FORMULA_KERNEL

#ifndef real_abs
#define real_abs(x) double_abs(x)
#endif

/* t = fma(zr, zr, cr); zi' = fma(zr + zr, zi, ci); zr' = fma(-zi, zi, t), or with FOLD_RE
 * zr' = |fma(zr, zr, -(zi zi))| + cr. */
INLINE_REAL void step_square(const unsigned folds, real *zr, real *zi, const real cr,
                             const real ci) {
    const real r = *zr, i = *zi;
    real twice = r + r, other = i;
    if (folds & FOLD_X)
        twice = real_abs(twice);
    if (folds & FOLD_Y)
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

/* zr' = (zr zr - zi zi) + cr; zi' = ((2 zr) zi) + ci; there are no folds. */
INLINE_REAL void step_square_unfused(real *zr, real *zi, const real cr, const real ci) {
    const real rr = *zr * *zr;
    const real ii = *zi * *zi;
    const real ri = (*zr + *zr) * *zi;
    *zr = (rr - ii) + cr;
    *zi = ri + ci;
}

INLINE_REAL void formula_step(const int formula, const bool fused, real *zr, real *zi,
                              const real cr, const real ci) {
    if (fused)
        step_square(formula_traits(formula).folds, zr, zi, cr, ci);
    else
        step_square_unfused(zr, zi, cr, ci);
}

/* |z|^2 */
INLINE_REAL real norm2(const bool fused, const real zr, const real zi) {
    const real ii = zi * zi;
    if (fused)
        return real_fma(zr, zr, ii);
    return zr * zr + ii;
}

#endif

#endif
