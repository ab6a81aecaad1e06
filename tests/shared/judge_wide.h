/* A step of any formula on wide numbers, {high, low}: what judge.h has of floats and doubles, with what
 * sums lose found the other way than the kernels do it. */
#ifndef FATHOM_TESTS_SHARED_JUDGE_WIDE_H
#define FATHOM_TESTS_SHARED_JUDGE_WIDE_H

#include "tests/shared/judge.h"

/* What a sum loses: from the larger of the two. Exact, so that it is the same number. */
static inline double judge_lost(double a, double b) {
    const double s = a + b;
    return fabs(a) >= fabs(b) ? b - (s - a) : a - (s - b);
}

static inline void judge_nearest(double x[2], double hi, double lo) {
    x[0] = hi + lo;
    x[1] = lo - (x[0] - hi);
}

static inline void judge_minus(double x[2], bool minus) {
    for (int i = 0; minus && i < 2; i++)
        x[i] = -x[i];
}

static inline void judge_step_wide(enum formula formula, double zr[2], double zi[2],
                                   const double cr[2], const double ci[2]) {
    const struct judge_form *form = judge_form(formula);
    judge_minus(zr, form->x && zr[0] < 0);
    judge_minus(zi, form->y && zi[0] < 0);
    judge_minus(zi, form->minus);
    judge_minus(zi, form->im && (zr[0] < 0) != (zi[0] < 0));
    const double rr = zr[0] * zr[0], ii = zi[0] * zi[0], ri = 2 * zr[0] * zi[0];
    const double rr_low = fma(2 * zr[0], zr[1], fma(zr[0], zr[0], -rr));
    const double ii_low = fma(2 * zi[0], zi[1], fma(zi[0], zi[0], -ii));
    const double ri_lost = fma(2 * zr[0], zi[0], -ri);
    const double ri_low = fma(2 * zr[0], zi[1], fma(2 * zi[0], zr[1], ri_lost));
    const double t = rr - ii;
    if (form->re) {
        double d[2];
        judge_nearest(d, t, (rr_low - ii_low) + judge_lost(rr, -ii));
        judge_minus(d, d[0] < 0);
        judge_nearest(zr, d[0] + cr[0], (d[1] + cr[1]) + judge_lost(d[0], cr[0]));
    } else {
        judge_nearest(zr, t + cr[0],
                      ((rr_low - ii_low) + cr[1]) + (judge_lost(rr, -ii) + judge_lost(t, cr[0])));
    }
    judge_nearest(zi, ri + ci[0], (ri_low + ci[1]) + judge_lost(ri, ci[0]));
}

#endif
