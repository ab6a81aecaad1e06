/* The formulas: a row of traits each, from which enum, names, kernels, options and files follow.
 *
 * An orbit starts from z = 0, unless a kernel is told another start; c is its parameter throughout.
 * formula_step.h has their steps, for kernels. */
#ifndef FATHOM_RENDER_FORMULA_H
#define FATHOM_RENDER_FORMULA_H

#include "render/inline.h"

/* What becomes of the parts of z^2 = x^2 - y^2 + 2ixy before c is added; a set. FOLD_NEGATE comes
 * after FOLD_X and FOLD_Y. */
#define FOLD_NONE   0u
#define FOLD_X      1u /* 2|x|y */
#define FOLD_Y      2u /* 2x|y| */
#define FOLD_RE     4u /* |x^2 - y^2| */
#define FOLD_NEGATE 8u /* -2xy */

/* Name (in files and options), text, and the traits:
 *   degree    |z| grows like |z|^degree far out, so that the fraction is smooth (sample.h), 2 .. 8
 *   folds     see above
 *   escape    an orbit has escaped once |z|^2 is not below it
 *   safe      |c|^2 below which an orbit that has escaped surely stays out, so that a test at the
 *             end of a block of steps misses no escape inside it; the others are tested every step
 *   unfused   whether the unfused arithmetic exists, too
 *   interior  whether interior.h knows points that never escape
 * All orbits stay at 0 for c = 0: kernels park lanes there. Those that fold are named as in Kalles
 * Fraktaler and Fraktaler-3. */
/* clang-format off */
#define FORMULA_LIST(X)                                                                            \
    /*   name, text, degree, folds, escape, safe, unfused, interior */                             \
    X(mandelbrot, "z^2 + c", 2, FOLD_NONE, 4, FORMULA_SAFE_SQUARE, 1, 1)                           \
    X(tricorn, "conj(z)^2 + c", 2, FOLD_NEGATE, 4, FORMULA_SAFE_SQUARE, 0, 0)                      \
    X(burning_ship, "(|x| + i|y|)^2 + c", 2, FOLD_X | FOLD_Y, 4, FORMULA_SAFE_SQUARE, 0, 0)        \
    X(heart, "(|x| + iy)^2 + c", 2, FOLD_X, 4, FORMULA_SAFE_SQUARE, 0, 0)                          \
    X(perpendicular, "(|x| - iy)^2 + c", 2, FOLD_X | FOLD_NEGATE, 4, FORMULA_SAFE_SQUARE, 0, 0)    \
    X(perpendicular_ship, "(x - i|y|)^2 + c", 2, FOLD_Y | FOLD_NEGATE, 4, FORMULA_SAFE_SQUARE,     \
      0, 0)                                                                                        \
    X(celtic, "|x^2 - y^2| + 2ixy + c", 2, FOLD_RE, 4, FORMULA_SAFE_SQUARE, 0, 0)                  \
    X(perpendicular_celtic, "|x^2 - y^2| - 2i|x|y + c", 2, FOLD_RE | FOLD_X | FOLD_NEGATE, 4,      \
      FORMULA_SAFE_SQUARE, 0, 0)                                                                   \
    X(buffalo, "|x^2 - y^2| + 2i|xy| + c", 2, FOLD_RE | FOLD_X | FOLD_Y, 4, FORMULA_SAFE_SQUARE,   \
      0, 0)                                                                                        \
    X(perpendicular_buffalo, "|x^2 - y^2| - 2ix|y| + c", 2, FOLD_RE | FOLD_Y | FOLD_NEGATE, 4,     \
      FORMULA_SAFE_SQUARE, 0, 0)
/* clang-format on */

/* |z| >= 2 and |c| < 1.99 give |z^2 + c| >= |z|^2 - |c| > 2.01, and growth from there on. Past it
 * (near c = -2) an escaped orbit might come back inside by rounding. Folding changes nothing but
 * signs. */
#define FORMULA_SAFE_SQUARE 3.96

enum formula {
#define FORMULA_ENUM(name, ...) FORMULA_##name,
    FORMULA_LIST(FORMULA_ENUM)
#undef FORMULA_ENUM
        FORMULA_COUNT
};

/* Whose iteration kernels there are: the first formula's, and those that all others share, which look up
 * for each block of steps what a step is, so that a formula adds its steps and nothing else to a program. All
 * formulas but the first have the same traits, apart from their folds. */
#define FORMULA_KERNELS(X) X(mandelbrot) X(folded)
#define FORMULA_folded     FORMULA_COUNT /* any of the others */
/* Whose traits those have. */
#define FORMULA_LIKE(formula) ((formula) == FORMULA_folded ? FORMULA_tricorn : (formula))

/* Sets of formulas, a bit for each. */
#define FORMULA_UNFUSED_BIT(name, text, degree, folds, escape, safe, unfused, interior)            \
    | (unsigned)(unfused) << FORMULA_##name
#define FORMULA_INTERIOR_BIT(name, text, degree, folds, escape, safe, unfused, interior)           \
    | (unsigned)(interior) << FORMULA_##name
#define FORMULAS_ALL                     ((1u << FORMULA_COUNT) - 1)
#define FORMULAS_UNFUSED                 (0u FORMULA_LIST(FORMULA_UNFUSED_BIT))
#define FORMULAS_INTERIOR                (0u FORMULA_LIST(FORMULA_INTERIOR_BIT))
#define FORMULA_IS_OF(formulas, formula) ((formulas) >> (formula)&1u)

/* The numbers among the traits. */
struct formula_traits {
    int degree;
    unsigned folds;
    double escape, safe;
};

INLINE struct formula_traits formula_traits(const int formula) {
    const struct formula_traits traits[] = {
#define FORMULA_TRAITS(name, text, degree, folds, escape, safe, unfused, interior)                 \
    {degree, folds, escape, safe},
        FORMULA_LIST(FORMULA_TRAITS)
#undef FORMULA_TRAITS
    };
    return traits[formula];
}

#endif
