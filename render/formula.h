/* The formulas: one short function each, written once for scalars, vectors and CUDA.
 *
 * Inside a kernel (FORMULA_KERNEL defined) the includer has defined `real`, the number or vector of
 * numbers that the step works on (under nvcc a template's parameter), and real_fma(a, b, c) with
 * one rounding. `fused` is always a compile-time constant. Everything else sees only the list. */
#ifndef FATHOM_RENDER_FORMULA_H
#define FATHOM_RENDER_FORMULA_H

#include "render/inline.h"

#define FORMULA_LIST(X) X(mandelbrot, "z^2 + c")

enum formula {
#define FORMULA_ENUM(name, text) FORMULA_##name,
    FORMULA_LIST(FORMULA_ENUM)
#undef FORMULA_ENUM
        FORMULA_COUNT
};

#endif

#if defined(FORMULA_KERNEL) && !defined(FATHOM_RENDER_FORMULA_STEPS)
#define FATHOM_RENDER_FORMULA_STEPS

/* Fused: t = fma(zr, zr, cr); zi' = fma(zr + zr, zi, ci); zr' = fma(-zi, zi, t).
 * Unfused: zr' = (zr zr - zi zi) + cr; zi' = ((2 zr) zi) + ci. */
INLINE_REAL void step_mandelbrot(const bool fused, real *zr, real *zi, const real cr,
                                 const real ci) {
    if (fused) {
        const real t = real_fma(*zr, *zr, cr);
        const real twice = *zr + *zr;
        const real i = *zi;
        *zi = real_fma(twice, i, ci);
        *zr = real_fma(-i, i, t);
    } else {
        const real rr = *zr * *zr;
        const real ii = *zi * *zi;
        const real ri = (*zr + *zr) * *zi;
        *zr = (rr - ii) + cr;
        *zi = ri + ci;
    }
}

/* One step of any formula; `formula` is a compile-time constant too. */
INLINE_REAL void formula_step(const int formula, const bool fused, real *zr, real *zi,
                              const real cr, const real ci) {
    switch (formula) {
#define FORMULA_CASE(name, text)                                                                   \
    case FORMULA_##name:                                                                           \
        step_##name(fused, zr, zi, cr, ci);                                                        \
        break;
        FORMULA_LIST(FORMULA_CASE)
#undef FORMULA_CASE
    }
}

/* Past this |c|^2 an escaped orbit might come back inside by rounding (only near c = -2; elsewhere
 * |z| >= 2 and |c| < 1.99 give |z^2 + c| > 2.01 and growth from there on), so that a test at the
 * end of a block of steps could miss an escape inside it: such points are tested every step. */
#define FORMULA_SAFE_NORM2 3.96

/* |z|^2 */
INLINE_REAL real norm2(const bool fused, const real zr, const real zi) {
    const real ii = zi * zi;
    if (fused)
        return real_fma(zr, zr, ii);
    return zr * zr + ii;
}

#endif
