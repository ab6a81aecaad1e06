/* Whole orbits by the definition: the samples of points, and when an orbit comes back. */
#ifndef FATHOM_TESTS_SHARED_JUDGE_ORBIT_H
#define FATHOM_TESTS_SHARED_JUDGE_ORBIT_H

#include "render/frame.h"
#include "render/sample.h"
#include "tests/shared/judge_wide.h"

struct sample {
    uint32_t count;
    float fraction;
    double norm2; /* where the fraction was taken; 0: nowhere */
    int extra;
};

#define JUDGE(real, suffix, attribute)                                                             \
    attribute static inline struct sample judge_##suffix(                                          \
        enum formula formula, bool fused, real cr, real ci, real zr, real zi, uint32_t limit) {    \
        const struct formula_traits traits = formula_traits((int)formula);                         \
        real n2 = 0;                                                                               \
        struct sample sample = {.count = limit | SAMPLE_INTERIOR};                                 \
        uint32_t n = 0;                                                                            \
        bool escaped = false;                                                                      \
        while (escaped ? sample.extra < SMOOTH_STEPS : n < limit) {                                \
            judge_step_##suffix(formula, fused, &zr, &zi, cr, ci);                                 \
            n2 = judge_norm2_##suffix(fused, zr, zi);                                              \
            n++;                                                                                   \
            if (escaped)                                                                           \
                sample.extra++;                                                                    \
            if (!escaped && !(n2 < (real)traits.escape)) {                                         \
                escaped = true;                                                                    \
                sample.count = n;                                                                  \
            }                                                                                      \
            if (escaped && !(n2 < SMOOTH_NORM2)) {                                                 \
                sample.norm2 = n2;                                                                 \
                sample.fraction = sample_fraction((float)n2, sample.extra, traits.degree);         \
                break;                                                                             \
            }                                                                                      \
        }                                                                                          \
        return sample;                                                                             \
    }

JUDGE(float, float, )
JUDGE(double, double, )
JUDGE(float, float_fma, __attribute__((target("fma"))))
JUDGE(double, double_fma, __attribute__((target("fma"))))

/* The same of wide numbers, {high, low}. */
static inline struct sample judge_wide(enum formula formula, const double cr[2], const double ci[2],
                                       double zr[2], double zi[2], uint32_t limit) {
    const struct formula_traits traits = formula_traits((int)formula);
    struct sample sample = {.count = limit | SAMPLE_INTERIOR};
    for (uint32_t n = 0, escaped = 0; escaped ? sample.extra < SMOOTH_STEPS : n < limit;) {
        judge_step_wide(formula, zr, zi, cr, ci);
        const double n2 = judge_norm2_double(true, zr[0], zi[0]);
        sample.extra += escaped > 0;
        n++;
        if (!escaped && !(n2 < traits.escape))
            escaped = sample.count = n;
        if (escaped && !(n2 < SMOOTH_NORM2)) {
            sample.norm2 = n2;
            sample.fraction = sample_fraction((float)n2, sample.extra, traits.degree);
            break;
        }
    }
    return sample;
}

/* An orbit of any type, in doubles, which hold floats exactly. */
struct judged_orbit {
    enum formula formula;
    enum number_type type;
    double cr[2], ci[2], zr[2], zi[2];
};

static inline void judged_advance(struct judged_orbit *o) {
    if (o->type == TYPE_FLOAT) {
        float zr = (float)o->zr[0], zi = (float)o->zi[0];
        judge_step_float(o->formula, true, &zr, &zi, (float)o->cr[0], (float)o->ci[0]);
        o->zr[0] = zr;
        o->zi[0] = zi;
    } else if (o->type == TYPE_DOUBLE) {
        judge_step_double(o->formula, true, &o->zr[0], &o->zi[0], o->cr[0], o->ci[0]);
    } else {
        judge_step_wide(o->formula, o->zr, o->zi, o->cr, o->ci);
    }
}

static inline bool judged_meet(const struct judged_orbit *a, const struct judged_orbit *b) {
    return a->zr[0] == b->zr[0] && a->zr[1] == b->zr[1] && a->zi[0] == b->zi[0] &&
           a->zi[1] == b->zi[1];
}

/* After how many steps the orbit has been somewhere twice (Brent); 0: not within `most`. */
static inline uint32_t judged_repeated(const struct judged_orbit *start, uint32_t most) {
    struct judged_orbit z = *start, then = z;
    uint32_t period = 0, n = 0;
    for (uint32_t power = 1; n < 4 * most; power *= 2, then = z) {
        for (period = 1; period <= power; period++, n++) {
            judged_advance(&z);
            if (judged_meet(&z, &then))
                break;
        }
        if (period <= power)
            break;
    }
    if (n >= 4 * most)
        return 0;
    struct judged_orbit ahead = *start; /* by `period` steps */
    z = *start;
    for (n = 0; n < period || !judged_meet(&z, &ahead); n++) {
        if (n >= period)
            judged_advance(&z);
        judged_advance(&ahead);
    }
    return n;
}

#endif
