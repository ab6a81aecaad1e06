/* Samples, their orbits, and where these are counted, in the arithmetic that all devices share. The includer
 * has defined what formula_step.h asks for, and real_down(x): x rounded down to an int32_t, saturated, as a
 * uint32_t. */
#ifndef FATHOM_GPU_DENSITY_POINTS_STEP_H
#define FATHOM_GPU_DENSITY_POINTS_STEP_H

#include "gpu/density/points.h"
#include "render/formula/formula_step.h"
#include "render/inline.h"

#ifdef FORMULA_KERNEL

#ifdef __CUDACC__
#define POINTS_PRAGMA(text) _Pragma(#text)
#define POINTS_UNROLL(n)    POINTS_PRAGMA(unroll n)
#define POINTS_ORBIT        struct points_orbit<real>
#define POINTS_NUMBERS      struct points_numbers<real>
template <typename real>
#else
#define POINTS_UNROLL(n) /* other compilers complain of what they cannot do */
#define POINTS_ORBIT     struct points_orbit
#define POINTS_NUMBERS   struct points_numbers
#endif
struct points_orbit {
    real cr, ci, zr, zi;
};

#define POINTS_NUMBER(name, from) real name;
#ifdef __CUDACC__
template <typename real>
#endif
struct points_numbers {
    POINTS_NUMBER_LIST(POINTS_NUMBER)
};
#undef POINTS_NUMBER

INLINE_REAL void points_step(POINTS_ORBIT *o) {
    step_square(FOLD_NONE, &o->zr, &o->zi, o->cr, o->ci);
}

/* Back to z_1. */
INLINE_REAL void points_restart(POINTS_ORBIT *o) {
    o->zr = o->cr;
    o->zi = o->ci;
}

INLINE_REAL bool points_inside(const POINTS_ORBIT *o) {
    return norm2(o->zr, o->zi) < (real)FORMULA_ESCAPE;
}

/* The sample of a lane, z_1 of it; `words` are its random ones. */
INLINE_REAL void points_sample(const struct sample_clump *clump, uint32_t octave, uint32_t lane,
                               const uint32_t *words, POINTS_ORBIT *o) {
    real x = (real)sample_x(clump->x, octave, lane, words[0]);
    real y = (real)sample_y(clump->y, octave, lane, words[1]);
    if (sizeof(real) == sizeof(double)) {
        x += (real)(sample_x_low(octave, words[0]) * 0x1p-31);
        y += (real)(sample_y_low(octave, words[1]) * 0x1p-31);
    }
    o->cr = x * (real)SAMPLE_SCALE;
    o->ci = y * (real)SAMPLE_SCALE;
    points_restart(o);
}

/* Whether z is in the picture, and in which pixel; `fold`: place.fold. Coefficients that it leaves out are zeros,
 * whose products change nothing. None is infinite, so a place is a number, or infinite. */
INLINE_REAL bool points_locate(const int fold, const POINTS_NUMBERS *a,
                               const struct points_task *task, const real zr, const real zi,
                               uint32_t *pixel) {
    const uint32_t width = (uint32_t)task->place.width, height = (uint32_t)task->place.height;
    const real size = real_abs(zi);
    real column, row;
    if (fold == DENSITY_FOLD_ROWS) {
        column = real_fma(zr, a->column_re, a->column_0);
        row = real_fma(size, a->row_im, a->row_0);
    } else if (fold == DENSITY_FOLD_COLUMNS) {
        column = real_fma(size, a->column_im, a->column_0);
        row = real_fma(zr, a->row_re, a->row_0);
    } else {
        column = real_fma(zi, a->column_im, real_fma(zr, a->column_re, a->column_0));
        row = real_fma(zi, a->row_im, real_fma(zr, a->row_re, a->row_0));
    }
    const uint32_t x = real_down(column), y = real_down(row);
    *pixel = y * width + x;
    return x < width && y < height;
}

/* Follows an orbit from c: returns the step n at which it is found to have escaped, up to `young`;
 * or young + 1, z being z_n then. None escapes within `sure` steps. */
INLINE_REAL uint32_t points_follow(const struct points_task *task, POINTS_ORBIT *o, uint32_t sure) {
    uint32_t n = 1;
    POINTS_UNROLL(4)
    for (; n <= sure; n++)
        points_step(o);
    POINTS_UNROLL(2)
    while (n <= task->young && points_inside(o)) {
        points_step(o);
        n++;
    }
    return n;
}

#endif

#endif
