/* An orbit's steps, and its tests: one by one, and in blocks at whose ends an escape is seen. */
#ifndef FATHOM_GPU_KERNELS_ORBIT_BLOCKS_H
#define FATHOM_GPU_KERNELS_ORBIT_BLOCKS_H

#include "gpu/kernels/orbit_steps.h"

#define ORBIT_SINGLE      8u
#define ORBIT_SHORT_BLOCK 8u

INLINE_VALUE bool orbit_inside(const struct recipe *recipe, const ORBIT *o) {
    return number_norm2(o->zr, o->zi) < (real)of_host(recipe->escape);
}

/* One step and its test. */
INLINE_VALUE bool orbit_run_step(const struct recipe *recipe, const int formula, ORBIT *o,
                                 uint32_t *done) {
    orbit_steps(recipe, formula, o, 1);
    ++*done;
    return !orbit_inside(recipe, o);
}

/* Tested after every step, up to `until`; true: escaped. */
INLINE_VALUE bool orbit_run_singly(const struct recipe *recipe, const int formula, ORBIT *o,
                                   uint32_t until, uint32_t *done) {
    bool escaped = false;
    ROLLED
    while (!escaped && *done < until)
        escaped = orbit_run_step(recipe, formula, o, done);
    return escaped;
}

/* The first ORBIT_SINGLE steps, if `steps` has room for them; true: escaped. */
INLINE_VALUE bool orbit_run_first(const struct recipe *recipe, const int formula, ORBIT *o,
                                  uint32_t steps, uint32_t *done) {
    if (steps < ORBIT_SINGLE)
        return false;
    if (formula == FORMULA_folded)
        return orbit_run_singly(recipe, formula, o, ORBIT_SINGLE, done);
#pragma unroll
    for (uint32_t k = 0; k < ORBIT_SINGLE; k++)
        if (orbit_run_step(recipe, formula, o, done))
            return true;
    return false;
}

/* One block of steps; false, and nothing done, when the orbit escapes in it. */
INLINE_VALUE bool orbit_run_block(const struct recipe *recipe, const int formula, ORBIT *o,
                                  const uint32_t size, uint32_t *done) {
    const value start_r = o->zr, start_i = o->zi;
    const uint32_t start_number = o->number;
    orbit_steps(recipe, formula, o, size);
    const bool inside = orbit_inside(recipe, o);
    if (!inside) {
        o->zr = start_r;
        o->zi = start_i;
        o->number = start_number;
    } else {
        *done += size;
    }
    return inside;
}

/* Short blocks as long as there is room for them up to `until` and the orbit does not escape. */
INLINE_VALUE bool orbit_run_short(const struct recipe *recipe, const int formula, ORBIT *o,
                                  uint32_t until, uint32_t *done) {
    bool inside = true;
    ROLLED
    while (inside && *done + ORBIT_SHORT_BLOCK <= until)
        inside = orbit_run_block(recipe, formula, o, ORBIT_SHORT_BLOCK, done);
    return inside;
}

/* The same with long blocks; true: with `cycle`, the orbit was found to return to where it was at the start of a span of
 * steps, each twice as long as the one before (Brent's method). One word of z tells most others apart. */
INLINE_VALUE bool orbit_run_long(const struct recipe *recipe, const int formula, const bool cycle,
                                 ORBIT *o, uint32_t span, uint32_t until, uint32_t *done) {
    const uint32_t size = number_block(o->zr, cycle);
    bool inside = true, found = false;
    ROLLED
    do {
        const value then_r = o->zr, then_i = o->zi;
        const uint32_t then_number = o->number;
        const uint32_t left = until - *done;
        const uint32_t end = cycle && left > span ? *done + span : until;
        ROLLED
        while (inside && !found && *done + size <= end) {
            inside = orbit_run_block(recipe, formula, o, size, done);
            if (cycle && number_word(o->zr) == number_word(then_r))
                found = inside && number_same(o->zr, then_r) && number_same(o->zi, then_i) &&
                        o->number == then_number;
        }
        span *= 2;
    } while (cycle && inside && !found && *done + size <= until);
    return found;
}

#endif
