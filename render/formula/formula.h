/* Formulas: a table with one row of traits for each. The enum, names, kernels, options and files
 * are generated from the table.
 *
 * A step folds z, raises z to a power and adds c. An orbit of a set starts at z = 0, and c is the
 * point. An orbit of a Julia set starts at the point, and all orbits share c (fractal.h). The steps
 * for kernels are in formula_step.h. The last formulas are maps of other kinds: map.h. */
#ifndef FATHOM_RENDER_FORMULA_FORMULA_H
#define FATHOM_RENDER_FORMULA_FORMULA_H

#include "render/inline.h"

/* Bits of a set of folds: changes of the parts of z = x + iy before the power, or of the parts of
 * the power. FOLD_NEGATE comes after FOLD_Y. */
#define FOLD_NONE   0u
#define FOLD_X      1u  /* x becomes |x| */
#define FOLD_Y      2u  /* y becomes |y| */
#define FOLD_NEGATE 4u  /* y becomes -y */
#define FOLD_RE     8u  /* the real part of the power becomes its absolute value */
#define FOLD_IM     16u /* the imaginary part of the power becomes its absolute value */

/* Powers: name (in files and options), text, and the traits:
 *   folds     FOLD_ bits
 *   interior  1 if interior.h can prove points of the second power to be interior
 * Every formula has all powers up to FORMULA_POWER_MAX. All orbits stay at 0 if c = 0: kernels park
 * inactive lanes there. Formulas with folds have their names in Kalles Fraktaler and
 * Fraktaler-3. */
/* clang-format off */
#define FORMULA_LIST(X)                                                                            \
    /*   name, text, folds, interior */                                                   \
    X(mandelbrot, "z^p + c", FOLD_NONE, 1)                                                      \
    X(tricorn, "conj(z)^p + c", FOLD_NEGATE, 0)                                                 \
    X(burning_ship, "(|x| + i|y|)^p + c", FOLD_X | FOLD_Y, 0)                                   \
    X(heart, "(|x| + iy)^p + c", FOLD_X, 0)                                                     \
    X(perpendicular, "(|x| - iy)^p + c", FOLD_X | FOLD_NEGATE, 0)                               \
    X(perpendicular_ship, "(x - i|y|)^p + c", FOLD_Y | FOLD_NEGATE, 0)                          \
    X(celtic, "z^p with |real part|, + c", FOLD_RE, 0)                                          \
    X(perpendicular_celtic, "(|x| - iy)^p with |real part|, + c", FOLD_RE | FOLD_X | FOLD_NEGATE,  \
      0)                                                                                        \
    X(buffalo, "z^p with |real part| and |imaginary part|, + c", FOLD_RE | FOLD_IM, 0)          \
    X(perpendicular_buffalo, "(x - i|y|)^p with |real part|, + c",                                 \
      FOLD_RE | FOLD_Y | FOLD_NEGATE, 0)
/* clang-format on */

/* Maps: name, text, and these traits, which map.h explains:
 *   begins    start of the orbits of the set
 *   ends      way in which orbits end
 *   escape    escape radius of the set as |z|^2, exact in a float
 *   second    number that a step needs besides z and c
 * Maps have no folds; p is the power, if the text has one. Maps have their names in Fractint. */
/* clang-format off */
#define FORMULA_MAP_LIST(X)                                                                        \
    /*   name, text, begins, ends, escape, second */                                               \
    X(lambda, "c z(1 - z)", BEGINS_HALF, ENDS_SQUARED, 4.0, SECOND_NONE)                           \
    X(phoenix, "z^2 + re c + im c times the z before", BEGINS_ZERO, ENDS_SQUARED, 4.0,             \
      SECOND_BEFORE)                                                                               \
    X(spider, "z^2 + c, then c = c/2 + z", BEGINS_POINT, ENDS_SQUARED, 4.0, SECOND_PARAMETER)      \
    X(barnsley, "c(z - 1), or c(z + 1) where re z < 0", BEGINS_POINT, ENDS_SCALED, 4.0,            \
      SECOND_NONE)                                                                                 \
    X(newton, "Newton's method for z^(p+1) = 1", BEGINS_FREE, ENDS_SETTLED, 0x1p120,               \
      SECOND_BEFORE)                                                                               \
    X(nova, "Newton's method for z^(p+1) = 1, + c", BEGINS_ONE, ENDS_SETTLED, 0x1p120,             \
      SECOND_BEFORE)                                                                               \
    X(magnet1, "((z^2 + c - 1)/(2z + c - 2))^2", BEGINS_ZERO, ENDS_AT_ONE, 16384.0, SECOND_NONE)   \
    X(magnet2, "((z^3 + 3(c-1)z + (c-1)(c-2))/(3z^2 + 3(c-2)z + (c-1)(c-2) + 1))^2", BEGINS_ZERO,  \
      ENDS_AT_ONE, 16384.0, SECOND_NONE)                                                           \
    X(collatz, "(2 + 7z - (2 + 5z) cos(pi z))/4, + c", BEGINS_FREE, ENDS_SCALED, 1024.0,           \
      SECOND_NONE)
/* clang-format on */

#define FORMULA_POWER_MAX 8

enum formula {
#define FORMULA_ENUM(name, text, folds, interior)                  FORMULA_##name,
#define FORMULA_MAP_ENUM(name, text, begins, ends, escape, second) FORMULA_##name,
    FORMULA_LIST(FORMULA_ENUM) FORMULA_POWERS, /* number of powers, the formulas of FORMULA_LIST */
    FORMULA_LAST_POWER = FORMULA_POWERS - 1,
    FORMULA_MAP_LIST(FORMULA_MAP_ENUM) FORMULA_COUNT
#undef FORMULA_ENUM
#undef FORMULA_MAP_ENUM
};

#define FORMULA_MAPS (FORMULA_COUNT - FORMULA_POWERS)

INLINE bool formula_is_map(const int formula) {
    return formula >= FORMULA_POWERS;
}

/* Square of the escape radius: an orbit has escaped once |z|^2 is at least the larger of this and
 * |c|^2. */
#define FORMULA_ESCAPE 4.0
/* Upper bound of |c|^2 at which a test at the end of each block of steps misses no escape inside
 * the block. Orbits with larger |c|^2 are tested at every step. |z| >= 2 and |c| < 1.99 give |z^2 +
 * c| >= |z|^2 - |c| > 2.01, and |z| grows from there on, even faster for higher powers. At larger
 * |c| (near c = -2) rounding might bring an escaped orbit back inside. Folds only change signs. */
#define FORMULA_SAFE 3.96
/* Lower bound of |c|^2 from which such tests are enough with |c| as the escape radius. */
#define FORMULA_SAFE_BEYOND 4.05

/* Formulas that have their own iteration kernels: the second power of the first formula, and one
 * kernel for all other powers. The shared kernel looks up each step for each block of steps, so
 * that a formula adds only its steps to a program. Maps have kernels of their own. */
#define FORMULA_KERNELS(X) X(mandelbrot) X(folded)
#define FORMULA_folded     FORMULA_COUNT /* any of the other powers */

/* Sets of formulas, one bit for each formula. */
#define FORMULA_INTERIOR_BIT(name, text, folds, interior) | (unsigned)(interior) << FORMULA_##name
#define FORMULAS_ALL                                      ((1u << FORMULA_COUNT) - 1)
#define FORMULAS_INTERIOR                                 (0u FORMULA_LIST(FORMULA_INTERIOR_BIT))
#define FORMULA_IS_OF(formulas, formula)                  ((formulas) >> (formula)&1u)

INLINE unsigned formula_folds(const int formula) {
    const unsigned folds[] = {
#define FORMULA_FOLDS(name, text, folds, interior) folds,
        FORMULA_LIST(FORMULA_FOLDS)
#undef FORMULA_FOLDS
    };
    return folds[formula];
}

#endif
