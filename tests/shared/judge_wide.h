/* Reference for wide numbers, {high, low}: a step of any formula, as judge.h has it for floats and
 * doubles. Rounding errors of sums are computed in another way than in the kernels. */
#ifndef FATHOM_TESTS_SHARED_JUDGE_WIDE_H
#define FATHOM_TESTS_SHARED_JUDGE_WIDE_H

#include "tests/shared/judge.h"
#include <string.h>

/* Returns the rounding error of a + b, computed from the larger operand. It is exact, so equal to
 * the kernels' error. */
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

/* Sets x = x + y in two sums, as kernels do for whole numbers. */
static inline void judge_sum(double x[2], const double y[2]) {
    judge_nearest(x, x[0] + y[0], (x[1] + y[1]) + judge_lost(x[0], y[0]));
}

/* Sets p to the product; its low part need not be small. */
static inline void judge_product(double p[2], const double x[2], const double y[2]) {
    const double hi = x[0] * y[0];
    p[1] = fma(x[0], y[1], fma(y[0], x[1], fma(x[0], y[0], -hi)));
    p[0] = hi;
}

static inline void judge_power_wide(enum formula formula, int power, double zr[2], double zi[2],
                                    const double cr[2], const double ci[2]) {
    const struct judge_form *form = judge_form(formula);
    judge_minus(zr, form->x && zr[0] < 0);
    judge_minus(zi, form->y && zi[0] < 0);
    judge_minus(zi, form->minus);
    double u[2] = {zr[0], zr[1]}, v[2] = {zi[0], zi[1]};
    for (const char *way = judge_chains[power]; *way; way++) {
        double re[2], im[2], other[2];
        if (*way == 's') {
            const double rr = u[0] * u[0], ii = v[0] * v[0], u2 = 2 * u[0], v2 = 2 * v[0];
            re[0] = rr;
            re[1] = fma(u2, u[1], fma(u[0], u[0], -rr));
            other[0] = -ii;
            other[1] = -fma(v2, v[1], fma(v[0], v[0], -ii));
            judge_sum(re, other);
            const double ri = u2 * v[0];
            judge_nearest(im, ri, fma(u2, v[1], fma(v2, u[1], fma(u2, v[0], -ri))));
        } else {
            judge_product(re, u, zr);
            judge_product(other, v, zi);
            judge_minus(other, true);
            judge_sum(re, other);
            judge_product(im, u, zi);
            judge_product(other, v, zr);
            judge_sum(im, other);
        }
        memcpy(u, re, sizeof u);
        memcpy(v, im, sizeof v);
    }
    judge_minus(u, form->re && u[0] < 0);
    judge_minus(v, form->im && v[0] < 0);
    judge_sum(u, cr);
    judge_sum(v, ci);
    memcpy(zr, u, sizeof u);
    memcpy(zi, v, sizeof v);
}

#endif
