/* Reference for samples: whole orbits of points, by definition. */
#ifndef FATHOM_TESTS_SHARED_JUDGE_ORBIT_H
#define FATHOM_TESTS_SHARED_JUDGE_ORBIT_H

#include "render/frame.h"
#include "render/sample.h"
#include "tests/shared/fma_target.h"
#include "tests/shared/judge_wide.h"

struct sample {
    uint32_t count;
    float fraction;
    double norm2; /* |z|^2 where the fraction was taken; 0: not taken */
    int extra;
};

/* Returns step n of a fractal. */
static inline struct fractal_step judge_step_of(const struct fractal *fractal, uint32_t n) {
    const uint32_t at = n % (fractal->then_count + 1);
    return at > 0 ? fractal->then[at - 1]
                  : (struct fractal_step){(uint8_t)fractal->formula, (uint8_t)fractal->power};
}

/* Returns 1 / log2 of the power of the orbit's next step after n steps. */
static inline float judge_scale(const struct fractal *fractal, uint32_t n) {
    return (float)(1 / log2(judge_step_of(fractal, n + fractal->then_count).power));
}

#define JUDGE(real, fma_, suffix, attribute)                                                       \
    attribute static inline struct sample judge_##suffix(                                          \
        const struct fractal *fractal, real cr, real ci, real zr, real zi, uint32_t limit) {       \
        const real c2 = fma_(cr, cr, ci * ci), escape = fractal->julia && c2 > 4 ? c2 : 4;         \
        struct sample sample = {.count = limit | SAMPLE_INTERIOR};                                 \
        bool escaped = false;                                                                      \
        for (uint32_t n = 0;; n++) {                                                               \
            const real n2 = judge_norm2_##suffix(zr, zi);                                          \
            if (!escaped && (n > 0 || fractal->julia) && !(n2 < escape)) {                         \
                escaped = true;                                                                    \
                sample.count = n;                                                                  \
            }                                                                                      \
            if (escaped && !(n2 < SMOOTH_NORM2)) {                                                 \
                sample.norm2 = n2;                                                                 \
                sample.fraction =                                                                  \
                    sample_fraction((float)n2, sample.extra, judge_scale(fractal, n));             \
                return sample;                                                                     \
            }                                                                                      \
            if (escaped ? sample.extra == SMOOTH_STEPS : n == limit)                               \
                return sample;                                                                     \
            const struct fractal_step step = judge_step_of(fractal, n);                            \
            if (step.power == 2)                                                                   \
                judge_step_##suffix((enum formula)step.formula, &zr, &zi, cr, ci);                 \
            else                                                                                   \
                judge_power_##suffix((enum formula)step.formula, step.power, &zr, &zi, cr, ci);    \
            sample.extra += escaped;                                                               \
        }                                                                                          \
    }

JUDGE(float, fmaf, float, )
JUDGE(double, fma, double, )
JUDGE(float, fmaf, float_fma, FMA_TARGET)
JUDGE(double, fma, double_fma, FMA_TARGET)

static inline void judge_fractal_wide(const struct fractal *fractal, uint32_t n, double zr[2],
                                      double zi[2], const double cr[2], const double ci[2]) {
    const struct fractal_step step = judge_step_of(fractal, n);
    if (step.power == 2)
        judge_step_wide((enum formula)step.formula, zr, zi, cr, ci);
    else
        judge_power_wide((enum formula)step.formula, step.power, zr, zi, cr, ci);
}

/* Computes a sample in wide numbers, {high, low}. */
static inline struct sample judge_wide(const struct fractal *fractal, const double cr[2],
                                       const double ci[2], double zr[2], double zi[2],
                                       uint32_t limit) {
    const double c2 = fma(cr[0], cr[0], ci[0] * ci[0]), escape = fractal->julia && c2 > 4 ? c2 : 4;
    struct sample sample = {.count = limit | SAMPLE_INTERIOR};
    bool escaped = false;
    for (uint32_t n = 0;; n++) {
        const double n2 = judge_norm2_double(zr[0], zi[0]);
        if (!escaped && (n > 0 || fractal->julia) && !(n2 < escape)) {
            escaped = true;
            sample.count = n;
        }
        if (escaped && !(n2 < SMOOTH_NORM2)) {
            sample.norm2 = n2;
            sample.fraction = sample_fraction((float)n2, sample.extra, judge_scale(fractal, n));
            return sample;
        }
        if (escaped ? sample.extra == SMOOTH_STEPS : n == limit)
            return sample;
        judge_fractal_wide(fractal, n, zr, zi, cr, ci);
        sample.extra += escaped;
    }
}

/* The same with fma instructions. */
FMA_TARGET __attribute__((flatten)) static inline struct sample
judge_wide_fma(const struct fractal *fractal, const double cr[2], const double ci[2], double zr[2],
               double zi[2], uint32_t limit) {
    return judge_wide(fractal, cr, ci, zr, zi, limit);
}

#endif
