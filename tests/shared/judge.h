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
