/* Wide numbers: measures the error of single steps against exact arithmetic, along orbits of random
 * points. Checks that mirrored points have mirrored orbits. */
#include "render/files/scene.h"
#include "tests/shared/check.h"
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#define WIDE_KERNEL
#include "render/number/formula_wide.h"
#include "tests/shared/exact_power.h"
#include "tests/shared/judge.h"
#include "tests/shared/random.h"

#define ORBITS 3000
#define STEPS  60

static struct wide random_wide(double low, double high) {
    const double x = random_between(low, high);
    return wide_nearest(x, x * random_between(-1, 1) * 0x1p-53);
}

static void set(mpfr_ptr to, struct wide x) {
    mpfr_set_d(to, x.hi, MPFR_RNDN);
    mpfr_add_d(to, to, x.lo, MPFR_RNDN);
}

static double minus(mpfr_ptr exact, struct wide x) {
    mpfr_sub_d(exact, exact, x.hi, MPFR_RNDN);
    mpfr_sub_d(exact, exact, x.lo, MPFR_RNDN);
    return mpfr_get_d(exact, MPFR_RNDN);
}

/* Replaces z by the next point of its orbit, and returns the step's error. */
static double step_error(enum formula formula, struct wide *zr, struct wide *zi, struct wide cr,
                         struct wide ci) {
    mpfr_t re, im, r, i;
    mpfr_inits2(400, re, im, r, i, (mpfr_ptr)NULL);
    set(r, *zr);
    set(i, *zi);
    exact_power(formula, 2, re, im, r, i);
    set(r, cr);
    set(i, ci);
    mpfr_add(re, re, r, MPFR_RNDN);
    mpfr_add(im, im, i, MPFR_RNDN);
    wide_step_square(formula_folds((int)formula), zr, zi, cr, ci);
    const double error = hypot(minus(re, *zr), minus(im, *zi));
    mpfr_clears(re, im, r, i, (mpfr_ptr)NULL);
    return error;
}

static void check_steps(enum formula formula) {
    double squares = 0, worst = 0;
    long steps = 0;
    for (int k = 0; k < ORBITS; k++) {
        const struct wide cr = random_wide(-2, 0.5), ci = random_wide(-1.2, 1.2);
        struct wide zr = {0, 0}, zi = {0, 0}, mr = {0, 0}, mi = {0, 0};
        for (int n = 0; n < STEPS && zr.hi * zr.hi + zi.hi * zi.hi < 4; n++, steps++) {
            const double error = step_error(formula, &zr, &zi, cr, ci);
            wide_step_square(formula_folds((int)formula), &mr, &mi, cr, wide_negative(ci));
            if (judge_mirrors(formula))
                CHECK(mr.hi == zr.hi && mr.lo == zr.lo && mi.hi == -zi.hi && mi.lo == -zi.lo);
            CHECK(zr.hi + zr.lo == zr.hi && zi.hi + zi.lo == zi.hi);
            squares += error * error;
            worst = fmax(worst, error);
        }
    }
    const double rms = sqrt(squares / (double)steps);
    printf("%s: steps are 2^%.2f off, root mean square, and 2^%.2f at most\n",
           formula_names[formula], log2(rms), log2(worst));
    CHECK(rms < 0x1p-106 && rms > 0x1p-109 && worst < 0x1p-100);
}

int main(void) {
    random_seed(20261123);
    for (int formula = 0; formula < FORMULA_POWERS; formula++)
        check_steps((enum formula)formula);
    return failures > 0;
}
