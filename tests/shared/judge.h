/* Reference for kernels: steps of the formulas, and counts by definition, one step and one test at
 * a time. A formula of the list without an entry here does not compile. */
#ifndef FATHOM_TESTS_SHARED_JUDGE_H
#define FATHOM_TESTS_SHARED_JUDGE_H

#include "render/formula/formula.h"
#include "tests/shared/fma_target.h"
#include <math.h>

/* Folds of a formula: x or |x|; y, |y|, -y or -|y|; the parts of the square made positive. */
struct judge_form {
    bool x, y, minus, re, im;
};

/* Forms as published (C. Heiland-Allen, "naming scheme for ABS variants"). */
#define JUDGE_mandelbrot                                                                           \
    { .x = false }
#define JUDGE_tricorn                                                                              \
    { .minus = true }
#define JUDGE_burning_ship                                                                         \
    { .x = true, .y = true }
#define JUDGE_heart                                                                                \
    { .x = true }
#define JUDGE_perpendicular                                                                        \
    { .x = true, .minus = true }
#define JUDGE_perpendicular_ship                                                                   \
    { .y = true, .minus = true }
#define JUDGE_celtic                                                                               \
    { .re = true }
#define JUDGE_perpendicular_celtic                                                                 \
    { .x = true, .minus = true, .re = true }
#define JUDGE_buffalo                                                                              \
    { .re = true, .im = true }
#define JUDGE_perpendicular_buffalo                                                                \
    { .y = true, .minus = true, .re = true }

static inline const struct judge_form *judge_form(enum formula formula) {
#define JUDGE_FORM(name, ...) [FORMULA_##name] = JUDGE_##name,
    static const struct judge_form forms[FORMULA_POWERS] = {FORMULA_LIST(JUDGE_FORM)};
#undef JUDGE_FORM
    return &forms[formula];
}

/* Returns true if conj(c) has the conjugate orbit. */
static inline bool judge_mirrors(enum formula formula) {
    return !judge_form(formula)->y && !judge_form(formula)->im;
}

/* Defines a step of any formula, for a type and its fma. Parts are made positive before c is added.
 * The imaginary part is rounded once in all. */
#define JUDGE_STEPS(real, fma_, suffix, attribute)                                                 \
    attribute static inline real judge_norm2_##suffix(real zr, real zi) {                          \
        return fma_(zr, zr, zi * zi);                                                              \
    }                                                                                              \
    attribute static inline void judge_step_##suffix(enum formula formula, real *zr, real *zi,     \
                                                     real cr, real ci) {                           \
        const struct judge_form *form = judge_form(formula);                                       \
        const real x = form->x && *zr < 0 ? -*zr : *zr, b = form->y && *zi < 0 ? -*zi : *zi;       \
        real y = form->minus ? -b : b;                                                             \
        if (form->im && (x < 0) != (y < 0))                                                        \
            y = -y;                                                                                \
        if (form->re) {                                                                            \
            const real d = fma_(x, x, -(y * y));                                                   \
            *zr = (d < 0 ? -d : d) + cr;                                                           \
        } else {                                                                                   \
            const real t = fma_(x, x, cr);                                                         \
            *zr = fma_(-y, y, t);                                                                  \
        }                                                                                          \
        *zi = fma_(2 * x, y, ci);                                                                  \
    }

/* Chains of operations for powers: from z on, s squares and m multiplies by z. */
static const char *const judge_chains[] = {"", "", "s", "sm", "ss", "ssm", "sms", "smsm", "sss"};
/* Defines the same for higher powers: folded, squared and multiplied, folded again, and c added. */
#define JUDGE_POWERS(real, fma_, suffix, attribute)                                                \
    attribute static inline void judge_power_##suffix(enum formula formula, int power, real *zr,   \
                                                      real *zi, real cr, real ci) {                \
        const struct judge_form *form = judge_form(formula);                                       \
        const real x = form->x && *zr < 0 ? -*zr : *zr, b = form->y && *zi < 0 ? -*zi : *zi;       \
        const real y = form->minus ? -b : b;                                                       \
        real u = x, v = y;                                                                         \
        for (const char *way = judge_chains[power]; *way; way++) {                                 \
            const real a = *way == 's' ? u : x, d = *way == 's' ? v : y;                           \
            const real re = fma_(u, a, -(v * d));                                                  \
            v = *way == 's' ? (u + u) * v : fma_(u, d, v * a);                                     \
            u = re;                                                                                \
        }                                                                                          \
        *zr = (form->re && u < 0 ? -u : u) + cr;                                                   \
        *zi = (form->im && v < 0 ? -v : v) + ci;                                                   \
    }

JUDGE_POWERS(float, fmaf, float, )
JUDGE_POWERS(double, fma, double, )
JUDGE_POWERS(float, fmaf, float_fma, FMA_TARGET)
JUDGE_POWERS(double, fma, double_fma, FMA_TARGET)
JUDGE_STEPS(float, fmaf, float, )
JUDGE_STEPS(double, fma, double, )
JUDGE_STEPS(float, fmaf, float_fma, FMA_TARGET)
JUDGE_STEPS(double, fma, double_fma, FMA_TARGET)

/* Defines the count of a point of the Mandelbrot set, by fused steps, or by steps that round every
 * product and sum, as in the laboratory. 0: not within the limit. */
#define JUDGE_COUNT(real, name)                                                                    \
    static inline uint32_t judge_count_##name(bool fused, real cr, real ci, uint32_t limit) {      \
        real zr = 0, zi = 0;                                                                       \
        for (uint32_t n = 1; n <= limit; n++) {                                                    \
            const real next = (zr * zr - zi * zi) + cr, y = 2 * zr * zi + ci;                      \
            if (fused)                                                                             \
                judge_step_##name(FORMULA_mandelbrot, &zr, &zi, cr, ci);                           \
            else                                                                                   \
                zr = next, zi = y;                                                                 \
            if (!((fused ? judge_norm2_##name(zr, zi) : zr * zr + zi * zi) < 4))                   \
                return n;                                                                          \
        }                                                                                          \
        return 0;                                                                                  \
    }
JUDGE_COUNT(float, float)
JUDGE_COUNT(double, double)

#endif
