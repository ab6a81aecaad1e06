/* Exact powers: the formulas' powers of z, without c, computed by definition in MPFR. */
#ifndef FATHOM_TESTS_SHARED_EXACT_POWER_H
#define FATHOM_TESTS_SHARED_EXACT_POWER_H

#include "tests/shared/judge.h"
#include <mpfr.h>
#include <stdlib.h>

/* Sets (re, im) to the formula's power of (x, y), which is folded first: repeated products by z. */
static void exact_power(enum formula formula, int power, mpfr_ptr re, mpfr_ptr im, mpfr_ptr x,
                        mpfr_ptr y) {
    const struct judge_form *form = judge_form(formula);
    mpfr_t a, b;
    mpfr_inits2(mpfr_get_prec(re), a, b, (mpfr_ptr)NULL);
    if (form->x)
        mpfr_abs(x, x, MPFR_RNDN);
    if (form->y)
        mpfr_abs(y, y, MPFR_RNDN);
    if (form->minus)
        mpfr_neg(y, y, MPFR_RNDN);
    mpfr_set(re, x, MPFR_RNDN);
    mpfr_set(im, y, MPFR_RNDN);
    for (int i = 1; i < power; i++) {
        mpfr_fmms(a, re, x, im, y, MPFR_RNDN);
        mpfr_fmma(b, re, y, im, x, MPFR_RNDN);
        mpfr_swap(re, a);
        mpfr_swap(im, b);
    }
    if (form->re)
        mpfr_abs(re, re, MPFR_RNDN);
    if (form->im)
        mpfr_abs(im, im, MPFR_RNDN);
    mpfr_clears(a, b, (mpfr_ptr)NULL);
}

#endif
