/* Perturbation: the arithmetic of doubles, and the derivative per pixel, for one orbit or a vector.
 *
 * The includer has defined `real`, real_fma and FORMULA_KERNEL as for formula_step.h; for vectors
 * also real_by_sign(x, a, b): b where x < 0, otherwise a; real_most; real_power(x): 2^x of whole
 * numbers -1023 (which is 0) to 1023; and real_exponent(x): the least with x < 2^that of x > 0.
 *
 * The derivative is D = d 2^log2; log2 is a whole number, stored as a double. A step to the right
 * changes W by d[0] + i d[1], one upwards by d[2] + i d[3]; where nothing folds that is i times the
 * former, and not used. A single step adds `by`: c's derivative, `unit` 2^unit_log2, in units of
 * 2^log2. It takes D through slope_step.h's step, with W where the orbit is. A segment takes the
 * derivative of its sum, whose x has that of a step without c, and adds c's part. Rebasing changes
 * nothing. After each round D is scaled to where doubles have room on both sides, so that it may
 * begin as small as a pixel's c. */
#ifndef FATHOM_RENDER_DEEP_PERTURBED_STEPS_H
#define FATHOM_RENDER_DEEP_PERTURBED_STEPS_H

#include "render/deep/perturbed_point.h"
#include "render/formula/formula_step.h"
#include "render/formula/slope.h"

#define SLOPE_END_LOG2 200.0 /* distances beyond it are clamped; only the direction matters then */

/* Returns the slope of an orbit that was left at zr + i zi. */
INLINE struct slope perturbed_slope_end(double zr, double zi, bool folds,
                                        const struct perturbed_slope *d) {
    const double a = extended_most(d->d[0], d->d[1]);
    const double b = folds ? extended_most(d->d[2], d->d[3]) : a;
    const int32_t more = perturbed_log2(a < b ? b : a);
    const double log2 = d->log2 + more;
    const double kept = log2 < -SLOPE_END_LOG2  ? -SLOPE_END_LOG2
                        : log2 > SLOPE_END_LOG2 ? SLOPE_END_LOG2
                                                : log2;
    const double one = extended_power(-more), scale = extended_power((int32_t)kept);
    const double xa = d->d[0] * one * scale, ya = d->d[1] * one * scale;
    if (!folds)
        return slope_of(zr, zi, xa, ya, -ya, xa);
    return slope_of(zr, zi, xa, ya, d->d[2] * one * scale, d->d[3] * one * scale);
}

#ifdef FORMULA_KERNEL

#ifndef real_abs
#define real_abs(x) double_abs(x)
#endif
#ifndef real_by_sign
#define real_by_sign(x, a, b) ((x) < 0 ? (b) : (a))
#endif

/* x = (2 Z + z) z */
INLINE void perturbed_product(const real Zr, const real Zi, const real zr, const real zi, real *xr,
                              real *xi) {
    const real ar = (Zr + Zr) + zr, ai = (Zi + Zi) + zi;
    *xr = real_fma(ar, zr, -(ai * zi));
    *xi = real_fma(ar, zi, ai * zr);
}

/* Returns |Z + z| - |Z|. */
INLINE real perturbed_fold(const real Z, const real z) {
    const real size = real_abs(Z), along = real_by_sign(Z, z, -z);
    return real_by_sign(size + along, along, -((size + size) + along));
}

/* Computes (a + x)^2 - a^2 = (2 a + x) x, and a^2. */
INLINE void perturbed_square(real *ar, real *ai, real *xr, real *xi) {
    const real tr = (*ar + *ar) + *xr, ti = (*ai + *ai) + *xi, r = *xr;
    *xr = real_fma(tr, r, -(ti * *xi));
    *xi = real_fma(tr, *xi, ti * r);
    power_square(ar, ai);
}

/* Computes (a + x) (u + z) - a u = x (u + z) + a z, and a u. */
INLINE void perturbed_times(real *ar, real *ai, real *xr, real *xi, const real ur, const real ui,
                            const real zr, const real zi) {
    const real wr = ur + zr, wi = ui + zi, r = *xr;
    *xr = real_fma(r, wr, -(*xi * wi)) + real_fma(*ar, zr, -(*ai * zi));
    *xi = real_fma(r, wi, *xi * wr) + real_fma(*ar, zi, *ai * zr);
    power_times(ar, ai, ur, ui);
}

/* x = f(Z + z) - f(Z), where f is a power with folds, without c: the chain of step_power, in
 * differences. */
INLINE void perturbed_difference(const int power, const unsigned folds, const real Zr,
                                 const real Zi, real zr, real zi, real *xr, real *xi) {
    real ur = Zr, ui = Zi;
    if (folds & FOLD_X) {
        zr = perturbed_fold(Zr, zr);
        ur = real_abs(Zr);
    }
    if (folds & FOLD_Y) {
        zi = perturbed_fold(Zi, zi);
        ui = real_abs(Zi);
    }
    if (folds & FOLD_NEGATE) {
        zi = -zi;
        ui = -ui;
    }
    real ar = ur, ai = ui;
    *xr = zr;
    *xi = zi;
    POWER_CHAIN(power, perturbed_square(&ar, &ai, xr, xi),
                perturbed_times(&ar, &ai, xr, xi, ur, ui, zr, zi));
    if (folds & FOLD_RE)
        *xr = perturbed_fold(ar, *xr);
    if (folds & FOLD_IM)
        *xi = perturbed_fold(ai, *xi);
}

/* z += B conj(c) */
INLINE void perturbed_land_bar(const real Br, const real Bi, const real cr, const real ci, real *zr,
                               real *zi) {
    *zr = real_fma(Br, cr, real_fma(Bi, ci, *zr));
    *zi = real_fma(Bi, cr, real_fma(-Br, ci, *zi));
}

/* Makes one step of Horner's scheme: sum = sum t + p. */
INLINE void perturbed_term(real *sr, real *si, const real tr, const real ti, const real pr,
                           const real pi) {
    const real r = real_fma(*sr, tr, real_fma(-*si, ti, pr));
    *si = real_fma(*sr, ti, real_fma(*si, tr, pi));
    *sr = r;
}

/* z = sum t + C c */
INLINE void perturbed_land(const real sr, const real si, const real tr, const real ti,
                           const real Cr, const real Ci, const real cr, const real ci, real *zr,
                           real *zi) {
    *zr = real_fma(sr, tr, -(si * ti)) + real_fma(Cr, cr, -(Ci * ci));
    *zi = real_fma(sr, ti, si * tr) + real_fma(Cr, ci, Ci * cr);
}

/* Terms of a struct segment_cross. C c becomes (C + k) c; its derivative by c is C + a; that of the
 * sum over x grows by g c. All are in units of 2^c_log2. */
struct perturbed_cross {
    real kr, ki, ar, ai, gr, gi;
};

/* Sums the terms at t = x / T and y = c 2^c_log2. */
INLINE struct perturbed_cross perturbed_cross_sum(real q[SEGMENT_DEGREE][2], const real tr,
                                                  const real ti, const real yr, const real yi) {
    const real c2r = q[SEGMENT_DEGREE - 1][0], c2i = q[SEGMENT_DEGREE - 1][1];
    const real br = real_fma(c2r, yr, -(c2i * yi)), bi = real_fma(c2r, yi, c2i * yr);
    struct perturbed_cross s;
    s.kr = s.gr = q[SEGMENT_DEGREE - 2][0];
    s.ki = s.gi = q[SEGMENT_DEGREE - 2][1];
    for (int k = SEGMENT_DEGREE - 3; k >= 0; k--) {
        perturbed_term(&s.kr, &s.ki, tr, ti, q[k][0], q[k][1]);
        perturbed_term(&s.gr, &s.gi, tr, ti, s.kr, s.ki);
    }
    perturbed_term(&s.kr, &s.ki, tr, ti, br, bi);
    s.ar = s.kr + br;
    s.ai = s.ki + bi;
    return s;
}

/* Adds the term (both) |c|^2 to the terms of c's conjugate, and its derivative to both. */
INLINE void perturbed_cross_both(const real br, const real bi, const real yr, const real yi,
                                 struct perturbed_cross *s, struct perturbed_cross *bar) {
    const real r = real_fma(br, yr, -(bi * yi)), i = real_fma(br, yi, bi * yr);
    bar->kr = bar->kr + r;
    bar->ki = bar->ki + i;
    bar->ar = bar->ar + r;
    bar->ai = bar->ai + i;
    s->ar = s->ar + real_fma(br, yr, bi * yi);
    s->ai = s->ai + real_fma(bi, yr, -(br * yi));
}

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

/* Orbits of more rounds have no slope: a thread of a GPU would run for too long. */
#define SLOPE_ROUNDS_MAX (1u << 15)

/* Bounds of D, beyond which it is scaled. */
#define SLOPE_LEAST 0x1p-100
#define SLOPE_MOST  0x1p200

/* log2 of 0 */
#define SLOPE_NONE (-0x1p30)

/* Returns 2^x; 0 far below 1. */
INLINE real slope_power_of_2(const real x) {
    return real_power(real_most(real_least(x, real_set(1000)), real_set(-1023)));
}

/* Returns the size of the largest part. */
INLINE real slope_size(const bool folds, const real d[4]) {
    const real xa = real_abs(d[0]), ya = real_abs(d[1]), a = real_most(xa, ya);
    if (!folds)
        return a;
    const real xb = real_abs(d[2]), yb = real_abs(d[3]), b = real_most(xb, yb);
    return real_most(a, b);
}

INLINE void slope_scale_by(const bool folds, const real scale, real d[4]) {
    d[0] = d[0] * scale;
    d[1] = d[1] * scale;
    if (folds) {
        d[2] = d[2] * scale;
        d[3] = d[3] * scale;
    }
}

/* Scales D so that its largest part is in 0.5 .. 1. */
INLINE void slope_fit(const bool folds, const real unit, const real unit_log2, real d[4],
                      real *log2, real *by) {
    const real most = slope_size(folds, d);
    const real more = real_by_sign(-most, real_set(0), real_exponent(most));
    const real scale = real_power(-more);
    slope_scale_by(folds, scale, d);
    *log2 = *log2 + more;
    *by = unit * slope_power_of_2(unit_log2 - *log2);
}

/* Follows D through a single step from W = wr + i wi. `any`: some step folds, if not this one. */
INLINE void slope_single(const int power, const bool any, const unsigned folds, const real wr,
                         const real wi, const real by, real d[4]) {
    if (!any)
        slope_step(power, wr, wi, by, &d[0], &d[1]);
    else
        slope_step_folded(power, folds, wr, wi, by, &d[0], &d[1], &d[2], &d[3]);
}

/* Adds terms to the derivative of a segment's sum, and to what c adds to D; `sign` is -1 for the
 * terms of c's conjugate, otherwise 1. */
INLINE void slope_cross(const struct perturbed_cross *more, const real sign, const real yr,
                        const real yi, real s[SEGMENT_NUMBERS], real *gr, real *gi) {
    real r = more->gr, i = more->gi;
    perturbed_term(&r, &i, yr, sign * yi, *gr, *gi);
    *gr = r;
    *gi = i;
    s[SEGMENT_C] = s[SEGMENT_C] + more->ar;
    s[SEGMENT_C + 1] = s[SEGMENT_C + 1] + more->ai;
    s[SEGMENT_C + 2] = s[SEGMENT_C + 2] - sign * more->ai;
    s[SEGMENT_C + 3] = s[SEGMENT_C + 3] + sign * more->ar;
}

/* Follows D through a segment, after its first step, which has added nothing; gr + i gi is the
 * derivative of the segment's sum. */
INLINE void slope_segment(const bool folds, const real gr, const real gi,
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
