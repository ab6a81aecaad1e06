/* The arithmetic of one pixel, apart from how threads share the work: the same steps, tests and rounding as the CPU's
 * loop. */
#ifndef FATHOM_GPU_KERNELS_ORBIT_H
#define FATHOM_GPU_KERNELS_ORBIT_H

#include "gpu/kernels/orbit_blocks.h"

/* An orbit's life: most of those outside the set end within the first few steps, which are tested one by one; few of
 * those that got through the next ones, in short blocks, end soon after. */
#define ORBIT_YOUNG      40u
#define ORBIT_FIRST_SPAN 128u /* steps in which a cycle is looked for first; then twice as many */

/* By blocks as far as they go, which is not into one with an escape; true: it never escapes. */
INLINE_VALUE bool orbit_run_most(const struct recipe *recipe, const int formula, const bool cycle,
                                 ORBIT *o, uint32_t before, uint32_t steps, bool cardioid,
                                 uint32_t *done) {
    const bool young = before == 0;
    const uint32_t span = before > ORBIT_FIRST_SPAN ? before : ORBIT_FIRST_SPAN;
    if (young &&
        !orbit_run_short(recipe, formula, o, steps < ORBIT_YOUNG ? steps : ORBIT_YOUNG, done))
        return false;
    if (young && cardioid && FORMULA_IS_OF(FORMULAS_INTERIOR, formula) && !recipe->julia &&
        interior_surely(number_high(o->cr), number_high(o->ci), number_margin(o->cr)))
        return true;
    if (orbit_run_long(recipe, formula, cycle, o, span, steps, done))
        return true;
    orbit_run_short(recipe, formula, o, steps, done);
    return false;
}

/* Takes an orbit that has done `before` steps at most `steps` further; *done says how many. Any division of the steps
 * among calls gives the same bits. */
INLINE_VALUE enum orbit_end orbit_advance(const struct recipe *recipe, const int formula,
                                          const bool cycle, ORBIT *o, uint32_t before,
                                          uint32_t steps, bool cardioid, uint32_t *done) {
    *done = 0;
    o->number = formula == FORMULA_folded ? before % recipe->length : 0;
    if (recipe->julia && before == 0 && !orbit_inside(recipe, o))
        return ORBIT_ESCAPED;
    if (before == 0 && orbit_run_first(recipe, formula, o, steps, done))
        return ORBIT_ESCAPED;
    if (number_norm2(o->cr, o->ci) < (real)of_host(recipe->safe) &&
        orbit_run_most(recipe, formula, cycle, o, before, steps, cardioid, done))
        return ORBIT_BOUNDED;
    return orbit_run_singly(recipe, formula, o, steps, done) ? ORBIT_ESCAPED : ORBIT_GOES_ON;
}

/* One more step of an orbit that has escaped; false: it is far enough away. */
INLINE_VALUE bool orbit_leave(const struct recipe *recipe, const int formula, ORBIT *o, real *n2,
                              int *steps) {
    if (!(*n2 < (real)SMOOTH_NORM2) || *steps >= SMOOTH_STEPS)
        return false;
    orbit_steps(recipe, formula, o, 1);
    *n2 = number_norm2(o->zr, o->zi);
    ++*steps;
    return true;
}

/* The fraction of an orbit that has just escaped to z, from where it goes on; *left is |z|^2 there. */
INLINE_VALUE float orbit_fraction(const struct recipe *recipe, const int formula, ORBIT *o,
                                  float *left) {
    real n2 = number_norm2(o->zr, o->zi);
    int steps = 0;
    if (formula == FORMULA_folded) {
        ROLLED
        while (orbit_leave(recipe, formula, o, &n2, &steps))
            continue;
    } else {
#pragma unroll 4
        while (orbit_leave(recipe, formula, o, &n2, &steps))
            continue;
    }
    *left = (float)n2;
    return sample_fraction((float)n2, steps,
                           formula == FORMULA_folded ? recipe_scale(recipe, o->number) : 1.0f);
}

#endif
