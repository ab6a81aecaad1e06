/* Whether long orbits escape, in the arithmetic that all devices share. The includer has defined what points_step.h asks
 * for; number_word(x), bits of it that tell most numbers apart; number_same(a, b), the same bits; and number_margin(x), that of
 * its type in interior.h. */
#ifndef FATHOM_GPU_DENSITY_POINTS_SEARCH_H
#define FATHOM_GPU_DENSITY_POINTS_SEARCH_H

#include "gpu/density/points_step.h"
#include "render/inline.h"
#include "render/interior.h"

#ifdef FORMULA_KERNEL

#define POINTS_BLOCK      16 /* steps without a test */
#define POINTS_FIRST_SPAN 128u

/* Whether it is worth while to search an orbit of the cell that outlives the drawing: it might escape, or
 * those that do not are counted. */
INLINE_REAL bool points_worth(const struct points_task *task, uint32_t cell,
                              const POINTS_ORBIT *o) {
    if (!(cell & CELLS_TEST) || task->rule.bounded)
        return true;
    return !interior_surely((double)o->cr, (double)o->ci, number_margin(o->cr));
}

/* What has become of an orbit. */
enum points_found { POINTS_NOTHING, POINTS_ESCAPE, POINTS_CYCLE };

/* Blocks of steps, up to z_until, as long as the orbit does not escape in them. */
INLINE_REAL enum points_found points_search_blocks(POINTS_ORBIT *o, uint32_t *n, uint32_t until) {
    POINTS_ORBIT then = *o;
    uint32_t span = *n > POINTS_FIRST_SPAN ? *n : POINTS_FIRST_SPAN, turn = *n + span;
    POINTS_UNROLL(1)
    while (*n + POINTS_BLOCK <= until) {
        const real zr = o->zr, zi = o->zi;
        POINTS_UNROLL(POINTS_BLOCK)
        for (int k = 0; k < POINTS_BLOCK; k++)
            points_step(o);
        if (!points_inside(o)) {
            o->zr = zr;
            o->zi = zi;
            break;
        }
        *n += POINTS_BLOCK;
        if (number_word(o->zr) == number_word(then.zr) && number_same(o->zr, then.zr) &&
            number_same(o->zi, then.zi))
            return POINTS_CYCLE;
        if (*n >= turn) {
            then = *o;
            span *= 2;
            turn = *n + span;
        }
    }
    return POINTS_NOTHING;
}

/* Looks for the escape from z_n on, up to z_(until - 1); n is then the step of what was found, or
 * until. */
INLINE_REAL enum points_found points_search(POINTS_ORBIT *o, uint32_t *n, uint32_t until) {
    const bool safe = norm2(o->cr, o->ci) < (real)FORMULA_SAFE;
    if (!points_inside(o))
        return POINTS_ESCAPE;
    if (safe && points_search_blocks(o, n, until) == POINTS_CYCLE)
        return POINTS_CYCLE;
    POINTS_UNROLL(1)
    while (*n < until && points_inside(o)) {
        points_step(o);
        ++*n;
    }
    return *n < until ? POINTS_ESCAPE : POINTS_NOTHING;
}

#endif

#endif
