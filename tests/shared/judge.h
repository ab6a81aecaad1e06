/* Steps of the formulas and counts by the definition, one step and one test at a time: the judge
 * of kernels. A formula of the list that has no step here does not compile. */
#ifndef FATHOM_TESTS_SHARED_JUDGE_H
#define FATHOM_TESTS_SHARED_JUDGE_H

#include "render/formula.h"
#include <math.h>

/* A step of each formula, for a type and its fma. */
#define JUDGE_STEPS(real, fma_, suffix, attribute)                                                 \
    attribute static inline void mandelbrot_##suffix(bool fused, real *zr, real *zi, real cr,      \
                                                     real ci) {                                    \
        if (fused) {                                                                               \
            const real t = fma_(*zr, *zr, cr), i = fma_(*zr + *zr, *zi, ci);                       \
            *zr = fma_(-*zi, *zi, t);                                                              \
            *zi = i;                                                                               \
        } else {                                                                                   \
            const real r = (*zr * *zr - *zi * *zi) + cr;                                           \
            *zi = 2 * *zr * *zi + ci;                                                              \
            *zr = r;                                                                               \
        }                                                                                          \
    }                                                                                              \
    attribute static inline void tricorn_##suffix(bool fused, real *zr, real *zi, real cr,         \
                                                  real ci) {                                       \
        const real t = fma_(*zr, *zr, cr), i = fma_(*zr + *zr, -*zi, ci);                          \
        *zr = fma_(-*zi, *zi, t);                                                                  \
        *zi = i;                                                                                   \
        (void)fused;                                                                               \
    }                                                                                              \
    attribute static inline real judge_norm2_##suffix(bool fused, real zr, real zi) {              \
        return fused ? fma_(zr, zr, zi * zi) : zr * zr + zi * zi;                                  \
    }                                                                                              \
    attribute static inline void judge_step_##suffix(enum formula formula, bool fused, real *zr,   \
                                                     real *zi, real cr, real ci) {                 \
        switch (formula) {                                                                         \
            FORMULA_LIST(JUDGE_CASE_##suffix)                                                      \
        case FORMULA_COUNT:                                                                        \
            break;                                                                                 \
        }                                                                                          \
    }

#define JUDGE_CASE(name, suffix)                                                                   \
    case FORMULA_##name:                                                                           \
        name##_##suffix(fused, zr, zi, cr, ci);                                                    \
        break;
#define JUDGE_CASE_float(name, ...)      JUDGE_CASE(name, float)
#define JUDGE_CASE_double(name, ...)     JUDGE_CASE(name, double)
#define JUDGE_CASE_float_fma(name, ...)  JUDGE_CASE(name, float_fma)
#define JUDGE_CASE_double_fma(name, ...) JUDGE_CASE(name, double_fma)
JUDGE_STEPS(float, fmaf, float, )
JUDGE_STEPS(double, fma, double, )
JUDGE_STEPS(float, fmaf, float_fma, __attribute__((target("fma"))))
JUDGE_STEPS(double, fma, double_fma, __attribute__((target("fma"))))

/* The same of wide numbers, {high, low}, with what sums lose found the other way: from the larger of
 * the two. Exact, so that it is the same number. */
static inline double judge_lost(double a, double b) {
    const double s = a + b;
    return fabs(a) >= fabs(b) ? b - (s - a) : a - (s - b);
}

static inline void judge_nearest(double x[2], double hi, double lo) {
    x[0] = hi + lo;
    x[1] = lo - (x[0] - hi);
}

static inline void judge_step_wide(enum formula formula, double zr[2], double zi[2],
                                   const double cr[2], const double ci[2]) {
    static const double signs[FORMULA_COUNT] = {[FORMULA_mandelbrot] = 1, [FORMULA_tricorn] = -1};
    const double sign = signs[formula];
    const double rr = zr[0] * zr[0], ii = zi[0] * zi[0], ri = 2 * zr[0] * zi[0];
    const double rr_low = fma(2 * zr[0], zr[1], fma(zr[0], zr[0], -rr));
    const double ii_low = fma(2 * zi[0], zi[1], fma(zi[0], zi[0], -ii));
    const double ri_lost = fma(2 * zr[0], zi[0], -ri);
    const double ri_low = fma(2 * zr[0], zi[1], fma(2 * zi[0], zr[1], ri_lost));
    const double t = rr - ii, s = sign * ri;
    judge_nearest(zr, t + cr[0],
                  ((rr_low - ii_low) + cr[1]) + (judge_lost(rr, -ii) + judge_lost(t, cr[0])));
    judge_nearest(zi, s + ci[0], (sign * ri_low + ci[1]) + judge_lost(s, ci[0]));
}

/* Counts of the Mandelbrot set; 0: not within the limit. */
#define JUDGE_COUNT(real, name)                                                                    \
    static inline uint32_t judge_count_##name(bool fused, real cr, real ci, uint32_t limit) {      \
        real zr = 0, zi = 0;                                                                       \
        for (uint32_t n = 1; n <= limit; n++) {                                                    \
            mandelbrot_##name(fused, &zr, &zi, cr, ci);                                            \
            if (!(judge_norm2_##name(fused, zr, zi) < 4))                                          \
                return n;                                                                          \
        }                                                                                          \
        return 0;                                                                                  \
    }
JUDGE_COUNT(float, float)
JUDGE_COUNT(double, double)

#endif
