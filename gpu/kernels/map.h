/* Pixel of a picture of a map (render/formula/map.h): iterates in blocks, and tests every step. A
 * block in which the orbit ends is repeated step by step, so that no previous step must be
 * stored. */
#ifndef FATHOM_GPU_KERNELS_MAP_H
#define FATHOM_GPU_KERNELS_MAP_H

#define MAP_BLOCK      8u
#define MAP_FIRST_SPAN 128u /* length of the first span for cycle detection; later spans double */

/* State of an orbit that may continue; frame_req_state_size returns its size. */
struct map_state {
    real zr, zi, yr, yi;
};

/* Iterates a block of steps. Returns false if the orbit ended in the block, and leaves *p unchanged
 * then. */
INLINE bool map_block(const int formula, const int power, const real escape, struct map_point *p) {
    const struct map_point start = *p;
    bool ended = false;
    ROLLED
    for (uint32_t k = 0; k < MAP_BLOCK; k++) {
        map_step(formula, power, p);
        ended |= map_ended(formula, p, escape);
    }
    if (ended)
        *p = start;
    return !ended;
}

INLINE bool map_back(const int formula, const struct map_point *p, const struct map_point *then) {
    return number_same(p->zr, then->zr) && number_same(p->zi, then->zi) &&
           (map_second(formula) == SECOND_NONE ||
            (number_same(p->yr, then->yr) && number_same(p->yi, then->yi)));
}

/* Continues an orbit by at most `steps` steps. Sets *done to their number and, if the orbit ended,
 * *before to the point before the last. */
INLINE enum orbit_end map_advance(const int formula, const bool cycle, const int power,
                                  const real escape, uint32_t steps, struct map_point *p,
                                  struct map_point *before, uint32_t *done) {
    struct map_point then = *p;
    uint32_t span = MAP_FIRST_SPAN, until = span;
    bool going = true, ended = false;
    ROLLED
    while (going && *done + MAP_BLOCK <= steps) {
        going = map_block(formula, power, escape, p);
        *done += going ? MAP_BLOCK : 0;
        if (cycle && going && map_back(formula, p, &then))
            return ORBIT_BOUNDED;
        if (*done >= until) {
            then = *p;
            span *= 2;
            until = *done + span;
        }
    }
    ROLLED
    while (!ended && *done < steps) {
        *before = *p;
        map_step(formula, power, p);
        ++*done;
        ended = map_ended(formula, p, escape);
    }
    return ended ? ORBIT_ESCAPED : ORBIT_GOES_ON;
}

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
    return iterate_put(a, at, pixel, count, fraction, square, finished);
}

#endif
