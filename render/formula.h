/* The formulas: a row of traits and one short function each, from which enum, names, kernels,
 * options, files and the tests' judges follow.
 *
 * An orbit starts from z = 0, unless a kernel is told another start; c is its parameter throughout.
 * Inside a kernel (FORMULA_KERNEL defined) the includer has defined `real`, the number or vector
 * of numbers that the step works on (under nvcc a template's parameter), and real_fma(a, b, c) with
 * one rounding. `fused` and `formula` are always compile-time constants. Everything else sees only
 * the list and the traits. */
#ifndef FATHOM_RENDER_FORMULA_H
#define FATHOM_RENDER_FORMULA_H

#include "render/inline.h"

/* Name (of step_NAME, in files and options), text, and the traits:
 *   degree    |z| grows like |z|^degree far out, so that the fraction is smooth (sample.h), 2 .. 8
 *   escape    an orbit has escaped once |z|^2 is not below it
 *   safe      |c|^2 below which an orbit that has escaped surely stays out, so that a test at the
 *             end of a block of steps misses no escape inside it; the others are tested every step
 *   unfused   whether the unfused arithmetic exists, too
 *   interior  whether interior.h knows points that never escape
 * All orbits stay at 0 for c = 0: kernels park lanes there. */
#define FORMULA_LIST(X)                                                                            \
    /*   name, text, degree, escape, safe, unfused, interior */                                    \
    X(mandelbrot, "z^2 + c", 2, 4, FORMULA_SAFE_SQUARE, 1, 1)                                      \
    X(tricorn, "conj(z)^2 + c", 2, 4, FORMULA_SAFE_SQUARE, 0, 0)

/* |z| >= 2 and |c| < 1.99 give |z^2 + c| >= |z|^2 - |c| > 2.01, and growth from there on. Past it
 * (near c = -2) an escaped orbit might come back inside by rounding. conj(z)^2 + c is
 * conj(z^2 + conj(c)), to the bit, as rounding knows no signs, and conj(c) is as large as c. */
#define FORMULA_SAFE_SQUARE 3.96

enum formula {
#define FORMULA_ENUM(name, ...) FORMULA_##name,
    FORMULA_LIST(FORMULA_ENUM)
#undef FORMULA_ENUM
        FORMULA_COUNT
};

/* Sets of formulas, a bit for each. */
#define FORMULA_UNFUSED_BIT(name, text, degree, escape, safe, unfused, interior)                   \
    | (unsigned)(unfused) << FORMULA_##name
#define FORMULA_INTERIOR_BIT(name, text, degree, escape, safe, unfused, interior)                  \
    | (unsigned)(interior) << FORMULA_##name
#define FORMULAS_ALL                     ((1u << FORMULA_COUNT) - 1)
#define FORMULAS_UNFUSED                 (0u FORMULA_LIST(FORMULA_UNFUSED_BIT))
#define FORMULAS_INTERIOR                (0u FORMULA_LIST(FORMULA_INTERIOR_BIT))
#define FORMULA_IS_OF(formulas, formula) ((formulas) >> (formula)&1u)

/* The numbers among the traits. */
struct formula_traits {
    int degree;
    double escape, safe;
};

INLINE struct formula_traits formula_traits(const int formula) {
    const struct formula_traits traits[] = {
#define FORMULA_TRAITS(name, text, degree, escape, safe, unfused, interior) {degree, escape, safe},
        FORMULA_LIST(FORMULA_TRAITS)
#undef FORMULA_TRAITS
    };
    return traits[formula];
}

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

/* The same with the other sign of the imaginary part's product. */
INLINE_REAL void step_tricorn(const bool fused, real *zr, real *zi, const real cr, const real ci) {
    const real t = real_fma(*zr, *zr, cr);
    const real twice = *zr + *zr;
    const real i = *zi;
    (void)fused;
    *zi = real_fma(-twice, i, ci);
    *zr = real_fma(-i, i, t);
}

/* One step of any formula. */
INLINE_REAL void formula_step(const int formula, const bool fused, real *zr, real *zi,
                              const real cr, const real ci) {
    switch (formula) {
#define FORMULA_CASE(name, ...)                                                                    \
    case FORMULA_##name:                                                                           \
        step_##name(fused, zr, zi, cr, ci);                                                        \
        break;
        FORMULA_LIST(FORMULA_CASE)
#undef FORMULA_CASE
    }
}

/* |z|^2 */
INLINE_REAL real norm2(const bool fused, const real zr, const real zi) {
    const real ii = zi * zi;
    if (fused)
        return real_fma(zr, zr, ii);
    return zr * zr + ii;
}

#endif
