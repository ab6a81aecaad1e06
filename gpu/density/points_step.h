/* Samples of orbit density: their orbits, and the pixels in which the points of orbits are
 * counted. */
#ifndef FATHOM_GPU_DENSITY_POINTS_STEP_H
#define FATHOM_GPU_DENSITY_POINTS_STEP_H

#include "gpu/density/points.h"
#include "render/formula/formula_step.h"
#include "render/inline.h"

#ifdef FORMULA_KERNEL

#ifdef NUMBER_FLOAT
#define points_numbers     points_numbers_float
#define POINTS_NUMBERS(at) VALUE_OF((at)->floats)
#else
#define points_numbers     points_numbers_double
#define POINTS_NUMBERS(at) VALUE_OF((at)->doubles)
#endif

struct points_orbit {
    real cr, ci, zr, zi;
};

INLINE void points_step(struct points_orbit *o) {
    step_square(FOLD_NONE, &o->zr, &o->zi, o->cr, o->ci);
}

/* Resets the orbit to z_1. */
INLINE void points_restart(struct points_orbit *o) {
    o->zr = o->cr;
    o->zi = o->ci;
}

INLINE bool points_inside(const struct points_orbit *o) {
    return norm2(o->zr, o->zi) < (real)FORMULA_ESCAPE;
}

/* Sets the orbit of a lane's sample to z_1; `words` are the sample's random words. */
INLINE void points_sample(const struct sample_clump *clump, uint32_t octave, uint32_t lane,
                          const uint32_t *words, struct points_orbit *o) {
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

/* Returns true if z is in the picture, and sets *pixel; `fold` is place.fold. The coefficients that
 * a fold omits are zeros, whose products change nothing. No coefficient is infinite, so that the
 * result is a number or infinite. */
INLINE bool points_locate(const int fold, const struct points_numbers *a,
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
    const uint32_t x = (uint32_t)floor_saturated(column), y = (uint32_t)floor_saturated(row);
    *pixel = y * width + x;
    return x < width && y < height;
}

/* Follows an orbit from c. Returns the step n at which the orbit is found to have escaped, at most
 * `young`; otherwise returns young + 1, and z is z_n. No orbit escapes within `none_escaped`
 * steps. */
INLINE uint32_t points_follow(const struct points_task *task, struct points_orbit *o,
                              uint32_t none_escaped) {
    uint32_t n = 1;
    UNROLLED_BY(4)
    for (; n <= none_escaped; n++)
        points_step(o);
    UNROLLED_BY(2)
    while (n <= task->young && points_inside(o)) {
        points_step(o);
        n++;
    }
    return n;
}

#endif

#endif
