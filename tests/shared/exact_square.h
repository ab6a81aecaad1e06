/* What formulas make of z before they add c, exactly, as they are written. */
#ifndef FATHOM_TESTS_SHARED_EXACT_SQUARE_H
#define FATHOM_TESTS_SHARED_EXACT_SQUARE_H

#include "render/formula.h"
#include <mpfr.h>
#include <stdlib.h>

/* (re, im) = the formula's square of (x, y), which becomes anything. */
static void exact_square(enum formula formula, mpfr_ptr re, mpfr_ptr im, mpfr_ptr x, mpfr_ptr y) {
    switch (formula) {
    case FORMULA_mandelbrot:
    case FORMULA_celtic:
    case FORMULA_buffalo:
        break;
    case FORMULA_tricorn:
        mpfr_neg(y, y, MPFR_RNDN);
        break;
    case FORMULA_burning_ship:
        mpfr_abs(x, x, MPFR_RNDN);
        mpfr_abs(y, y, MPFR_RNDN);
        break;
    case FORMULA_heart:
        mpfr_abs(x, x, MPFR_RNDN);
        break;
    case FORMULA_perpendicular:
    case FORMULA_perpendicular_celtic:
        mpfr_abs(x, x, MPFR_RNDN);
        mpfr_neg(y, y, MPFR_RNDN);
        break;
    case FORMULA_perpendicular_ship:
    case FORMULA_perpendicular_buffalo:
        mpfr_abs(y, y, MPFR_RNDN);
        mpfr_neg(y, y, MPFR_RNDN);
        break;
    case FORMULA_COUNT:
        abort();
    }
    mpfr_mul(im, x, y, MPFR_RNDN);
    mpfr_mul_2ui(im, im, 1, MPFR_RNDN);
    mpfr_sqr(x, x, MPFR_RNDN);
    mpfr_sqr(y, y, MPFR_RNDN);
    mpfr_sub(re, x, y, MPFR_RNDN);
    if (formula == FORMULA_celtic || formula == FORMULA_buffalo ||
        formula == FORMULA_perpendicular_celtic || formula == FORMULA_perpendicular_buffalo)
        mpfr_abs(re, re, MPFR_RNDN);
    if (formula == FORMULA_buffalo)
        mpfr_abs(im, im, MPFR_RNDN);
}

#endif
