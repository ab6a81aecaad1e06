/* Derivatives of perturbed orbits, per pixel, for includers as those of perturbed_steps.h.
 *
 * D = d 2^log2, of which log2 is a whole number kept as a double: d[0] + i d[1] is what a step to the right makes of W,
 * d[2] + i d[3] one upwards. That is i times the former and left alone where nothing folds. `by` is what a single step
 * adds: c's derivative, `unit` 2^unit_log2, in units of 2^log2. A single step makes slope_step.h's of D, with W where
 * the orbit is; a segment takes the derivative of its sum, whose x has that of a step without c, and of what c adds.
 * Rebasing changes nothing. After each round D is brought back to where doubles have room on both sides, so that it
 * may begin as small as c's pixels are. Vectors have besides real_power(x), 2^x of whole numbers -1023 (which is 0) to
 * 1023; real_exponent(x), the least with x < 2^that of x > 0; real_most. */
#ifndef FATHOM_RENDER_DEEP_PERTURBED_SLOPE_H
#define FATHOM_RENDER_DEEP_PERTURBED_SLOPE_H

#include "render/deep/perturbed_steps.h"
#include "render/deep/point/point_slope.h"

#ifdef FORMULA_KERNEL

#ifndef real_flip
#define real_flip(x, by) bits_double(double_bits(x) ^ (double_bits(by) & (uint64_t)1 << 63))
#endif
#include "render/formula/slope_step.h"

#ifndef real_set
#define real_set(x) ((real)(x))
#endif
#ifndef real_most
#define real_most(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef real_least
#define real_least(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef real_power
#define real_power(x) bits_double(double_bits((x) + 0x1.00000000003ffp52) << 52)
#define real_exponent(x)                                                                           \
    (bits_double(double_bits(x) >> 52 | 0x4330000000000000u) - 0x1.00000000003fep52)
#endif

/* Orbits of more rounds have no slope: a thread of a GPU would walk for too long. */
#define SLOPE_ROUNDS_MAX (1u << 15)

/* Where D is brought to another log2. */
#define SLOPE_LEAST 0x1p-100
#define SLOPE_MOST  0x1p200

/* log2 of what is 0. */
#define SLOPE_NONE (-0x1p30)

/* 2^x; 0 far below 1. */
INLINE_REAL real slope_power_of_2(const real x) {
    return real_power(real_most(real_least(x, real_set(1000)), real_set(-1023)));
}

/* The largest part. */
INLINE_REAL real slope_size(const bool folds, const real d[4]) {
    const real xa = real_abs(d[0]), ya = real_abs(d[1]), a = real_most(xa, ya);
    if (!folds)
        return a;
    const real xb = real_abs(d[2]), yb = real_abs(d[3]), b = real_most(xb, yb);
    return real_most(a, b);
}

INLINE_REAL void slope_scale_by(const bool folds, const real scale, real d[4]) {
    d[0] = d[0] * scale;
    d[1] = d[1] * scale;
    if (folds) {
        d[2] = d[2] * scale;
        d[3] = d[3] * scale;
    }
}

/* Makes D's largest part one of 0.5 .. 1. */
INLINE_REAL void slope_fit(const bool folds, const real unit, const real unit_log2, real d[4],
                           real *log2, real *by) {
    const real most = slope_size(folds, d);
    const real more = real_by_sign(-most, real_set(0), real_exponent(most));
    const real scale = real_power(-more);
    slope_scale_by(folds, scale, d);
    *log2 = *log2 + more;
    *by = unit * slope_power_of_2(unit_log2 - *log2);
}

/* A single step from W = wr + i wi; `any`: where one folds, if not this one. */
INLINE_REAL void slope_single(const int power, const bool any, const unsigned folds, const real wr,
                              const real wi, const real by, real d[4]) {
    if (!any)
        slope_step(power, wr, wi, by, &d[0], &d[1]);
    else
        slope_step_folded(power, folds, wr, wi, by, &d[0], &d[1], &d[2], &d[3]);
}

/* A segment, whose sum has the derivative gr + i gi, after its first step, which has added nothing. */
INLINE_REAL void slope_segment(const bool folds, const real gr, const real gi,
                               const real s[SEGMENT_NUMBERS], const real unit, const real unit_log2,
                               real d[4], real *log2, real *by) {
    const real most = slope_size(folds, d), more = real_exponent(most), scale = real_power(-more);
    const real own = real_by_sign(-most, real_set(SLOPE_NONE), (*log2 + more) - s[SEGMENT_T_LOG2]);
    const real of_c = s[SEGMENT_C_LOG2] + unit_log2, to = real_most(own, of_c);
    const real along = slope_power_of_2(own - to), across = unit * slope_power_of_2(of_c - to);
    slope_scale_by(folds, scale, d);
    slope_scale_by(folds, along, d);
    if (folds) {
        const real xb = d[2], yb = d[3] * s[SEGMENT_SIGN];
        d[1] = d[1] * s[SEGMENT_SIGN];
        d[2] = real_fma(gr, xb, -(gi * yb)) + s[SEGMENT_C + 2] * across;
        d[3] = real_fma(gr, yb, gi * xb) + s[SEGMENT_C + 3] * across;
    }
    const real xa = d[0], ya = d[1];
    d[0] = real_fma(gr, xa, -(gi * ya)) + s[SEGMENT_C] * across;
    d[1] = real_fma(gr, ya, gi * xa) + s[SEGMENT_C + 1] * across;
    *log2 = to;
    *by = unit * slope_power_of_2(unit_log2 - to);
}

#endif

#endif
