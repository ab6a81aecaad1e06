/* Search of long orbits of orbit density for their escape or their cycle. */
#ifndef FATHOM_GPU_DENSITY_POINTS_SEARCH_H
#define FATHOM_GPU_DENSITY_POINTS_SEARCH_H

#include "gpu/density/points_step.h"
#include "render/inline.h"
#include "render/interior.h"

#ifdef FORMULA_KERNEL

#define POINTS_BLOCK      16 /* steps without a test */
#define POINTS_FIRST_SPAN 128u

/* Returns true if an orbit of the cell that lives longer than the drawing must be searched: it
 * might escape, or orbits that do not escape count. */
INLINE bool points_must_search(const struct points_task *task, uint32_t cell,
                               const struct points_orbit *o) {
    if (!(cell & CELLS_TEST) || task->rule.bounded)
        return true;
    return !interior_surely((double)o->cr, (double)o->ci, NUMBER_MARGIN);
}

/* Result of a search. */
enum points_found { POINTS_UNDECIDED, POINTS_ESCAPE, POINTS_CYCLE };

/* Iterates blocks of steps up to z_until, until the orbit escapes in a block or returns. */
INLINE enum points_found points_search_blocks(struct points_orbit *o, uint32_t *n, uint32_t until) {
    struct points_orbit then = *o;
    uint32_t span = *n > POINTS_FIRST_SPAN ? *n : POINTS_FIRST_SPAN, turn = *n + span;
    ROLLED
    while (*n + POINTS_BLOCK <= until) {
        const real zr = o->zr, zi = o->zi;
        UNROLLED_BY(16)
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
    return POINTS_UNDECIDED;
}

/* Searches for the escape from z_n to z_(until - 1). Sets n to the step of the result, or to
 * `until`. */
INLINE enum points_found points_search(struct points_orbit *o, uint32_t *n, uint32_t until) {
    const bool safe = norm2(o->cr, o->ci) < (real)FORMULA_SAFE;
    if (!points_inside(o))
        return POINTS_ESCAPE;
    if (safe && points_search_blocks(o, n, until) == POINTS_CYCLE)
        return POINTS_CYCLE;
    ROLLED
    while (*n < until && points_inside(o)) {
        points_step(o);
        ++*n;
    }
    return *n < until ? POINTS_ESCAPE : POINTS_UNDECIDED;
}

#endif

#endif
