/* Orbit of a map (render/formula/map.h): iterates in blocks, and tests every step. A block in which
 * the orbit ends is repeated step by step, so that no previous step must be stored. */
#ifndef FATHOM_GPU_KERNELS_MAP_ORBIT_H
#define FATHOM_GPU_KERNELS_MAP_ORBIT_H

#include "gpu/kernels/orbit.h"

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

INLINE bool map_has_returned(const int formula, const struct map_point *p,
                             const struct map_point *then) {
    return number_same(p->zr, then->zr) && number_same(p->zi, then->zi) &&
           (map_second(formula) == SECOND_NONE ||
            (number_same(p->yr, then->yr) && number_same(p->yi, then->yi)));
}

/* Iterates one by one up to `until`. Returns true if the orbit ended; *before receives the point
 * before the last. */
INLINE bool map_run_singly(const int formula, const int power, const real escape, uint32_t until,
                           struct map_point *p, struct map_point *before, uint32_t *done) {
    bool ended = false;
    ROLLED
    while (!ended && *done < until) {
        *before = *p;
        map_step(formula, power, p);
        ++*done;
        ended = map_ended(formula, p, escape);
    }
    return ended;
}

/* Continues an orbit by at most `steps` steps. Sets *done to their number and, if the orbit ended,
 * *before to the point before the last. */
INLINE enum orbit_end map_advance(const int formula, const bool cycle, const int power,
                                  const real escape, uint32_t steps, struct map_point *p,
                                  struct map_point *before, uint32_t *done) {
    struct map_point then = *p;
    uint32_t span = MAP_FIRST_SPAN, until = span;
    bool going = true;
    ROLLED
    while (going && *done + MAP_BLOCK <= steps) {
        going = map_block(formula, power, escape, p);
        *done += going ? MAP_BLOCK : 0;
        if (cycle && going && map_has_returned(formula, p, &then))
            return ORBIT_BOUNDED;
        if (*done >= until) {
            then = *p;
            span *= 2;
            until = *done + span;
        }
    }
    return map_run_singly(formula, power, escape, steps, p, before, done) ? ORBIT_ESCAPED
                                                                          : ORBIT_GOES_ON;
}

#endif
