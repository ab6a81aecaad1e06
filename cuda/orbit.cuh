/* The arithmetic of one pixel, apart from how threads share the work: the same steps, tests and
 * rounding as the CPU's loop. To be included before other headers of ours, whose inline functions
 * it marks for the device. */
#ifndef FATHOM_CUDA_ORBIT_CUH
#define FATHOM_CUDA_ORBIT_CUH

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifndef ORBIT_FN
#define ORBIT_FN static __device__ __forceinline__
#endif

#define COLOUR_FN           ORBIT_FN
#define COORDS_FN           ORBIT_FN
#define SAMPLE_FN           ORBIT_FN
#define FORMULA_FN          template <typename real> ORBIT_FN
#define sample_fma(a, b, c) fmaf(a, b, c)
#define FORMULA_KERNEL

ORBIT_FN uint32_t sample_bits(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

ORBIT_FN float sample_float(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

ORBIT_FN float real_fma(float a, float b, float c) {
    return fmaf(a, b, c);
}

ORBIT_FN double real_fma(double a, double b, double c) {
    return fma(a, b, c);
}

#include "render/colour.h"
#include "render/coords.h"
#include "render/formula.h"

#define ORBIT_BLOCK 16 /* steps between tests */

/* Past this |c|^2 an escaped orbit might come back inside by rounding (only near c = -2), so that a
 * test at the end of a block could miss an escape inside it: such points are tested every step. */
#define ORBIT_SAFE_NORM2 3.96

/* The c of pixel (x, y). `table` has the columns first, then the rows. */
ORBIT_FN void orbit_place(const void *table, uint32_t width, uint32_t x, uint32_t y, float *cr,
                          float *ci) {
    const struct coords_float *entries = (const struct coords_float *)table;
    const struct coords_float a = entries[x], b = entries[width + y];
    *cr = coords_sum_float(a.re, a.re_low, b.re, b.re_low);
    *ci = coords_sum_float(a.im, a.im_low, b.im, b.im_low);
}

ORBIT_FN void orbit_place(const void *table, uint32_t width, uint32_t x, uint32_t y, double *cr,
                          double *ci) {
    const struct coords_double *entries = (const struct coords_double *)table;
    const struct coords_double a = entries[x], b = entries[width + y];
    *cr = coords_sum_double(a.re, a.re_low, b.re, b.re_low);
    *ci = coords_sum_double(a.im, a.im_low, b.im, b.im_low);
}

/* Whole blocks as long as none contains the escape and `steps` allows; leaves z and *done at the
 * end of the last such block. */
template <int formula, bool fused, typename real>
ORBIT_FN void orbit_run_blocks(real cr, real ci, uint32_t steps, real *zr, real *zi,
                               uint32_t *done) {
    while (steps - *done >= ORBIT_BLOCK) {
        const real start_r = *zr, start_i = *zi;
#pragma unroll
        for (int k = 0; k < ORBIT_BLOCK; k++)
            formula_step(formula, fused, zr, zi, cr, ci);
        if (!(norm2(fused, *zr, *zi) < real(4))) {
            *zr = start_r;
            *zi = start_i;
            return;
        }
        *done += ORBIT_BLOCK;
    }
}

/* Goes on from z for up to `steps` steps. True: |z|^2 >= 4 holds since step *done. Stopping and
 * going on gives the same bits as not stopping. */
template <int formula, bool fused, typename real>
ORBIT_FN bool orbit_advance(real cr, real ci, uint32_t steps, real *zr, real *zi, uint32_t *done) {
    *done = 0;
    if (norm2(true, cr, ci) < real(ORBIT_SAFE_NORM2))
        orbit_run_blocks<formula, fused>(cr, ci, steps, zr, zi, done);
    while (*done < steps) {
        formula_step(formula, fused, zr, zi, cr, ci);
        ++*done;
        if (!(norm2(fused, *zr, *zi) < real(4)))
            return true;
    }
    return false;
}

/* The fraction of an orbit that has just escaped to z. */
template <int formula, bool fused, typename real>
ORBIT_FN float orbit_fraction(real cr, real ci, real zr, real zi) {
    real n2 = norm2(fused, zr, zi);
    int steps = 0;
#pragma unroll 1
    for (; n2 < real(SMOOTH_NORM2) && steps < SMOOTH_STEPS; steps++) {
        formula_step(formula, fused, &zr, &zi, cr, ci);
        n2 = norm2(fused, zr, zi);
    }
    return sample_fraction((float)n2, steps);
}

#endif
