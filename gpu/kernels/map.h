/* Pixel of a picture of a map: continues its orbit and stores the result. */
#ifndef FATHOM_GPU_KERNELS_MAP_H
#define FATHOM_GPU_KERNELS_MAP_H

#include "gpu/kernels/map_orbit.h"

/* Continues the orbit of a pixel, like direct_advance. */
INLINE bool map_pixel(const struct iterate_task *a, const struct iterate_args *at,
                      const int formula, const bool cycle, const real pr, const real pi,
                      uint32_t pixel, uint32_t before, struct work *work) {
    const uint32_t left = a->limit - before;
    const int power = a->recipe.power[0];
    const real escape = (real)of_host(a->recipe.escape);
    GLOBAL struct map_state *state = (GLOBAL struct map_state *)at->states + (pixel - a->first);
    real parameter_r, parameter_i;
    number_set(&parameter_r, a->recipe.parameter_re);
    number_set(&parameter_i, a->recipe.parameter_im);
    struct map_point p = map_begin(formula, a->recipe.julia != 0, pr, pi, parameter_r, parameter_i);
    if (before > 0) {
        const struct map_state was = *state;
        p.zr = was.zr;
        p.zi = was.zi;
        p.yr = was.yr;
        p.yi = was.yi;
    }
    struct map_point last = p;
    uint32_t steps = 0;
    enum orbit_end end = ORBIT_ESCAPED;
    if (before > 0 || norm2(p.zr, p.zi) < escape)
        end = map_advance(formula, cycle, power, escape, a->steps < left ? a->steps : left, &p,
                          &last, &steps);
    uint32_t count = before + steps;
    float fraction = 0.0f, square = 0.0f;
    if (end == ORBIT_ESCAPED) {
        fraction = map_fraction(formula, power, escape, &last, &p, &square);
        if (PLANE(at->planes, angle))
            PLANE(at->planes, angle)[pixel] = slope_angle_any(p.zr, p.zi);
    } else if (end == ORBIT_BOUNDED) {
        work->skipped += left - steps;
        count = SAMPLE_NEVER;
    } else {
        count |= SAMPLE_INTERIOR;
        const struct map_state is = {p.zr, p.zi, p.yr, p.yi};
        *state = is;
    }
    const bool finished = end != ORBIT_GOES_ON || steps == left;
    work->steps += steps;
    work->done += finished;
    return iterate_store(a, at, pixel, count, fraction, square, finished);
}

#endif
