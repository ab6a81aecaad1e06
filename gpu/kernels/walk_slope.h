/* What derivatives along an orbit say of a pixel that escapes. */
#ifndef FATHOM_GPU_KERNELS_WALK_SLOPE_H
#define FATHOM_GPU_KERNELS_WALK_SLOPE_H

#include "gpu/kernels/walk.h"

/* z, c and the derivative's columns; the second one where there are folds. `unit`: a pixel's step, or 0 where c is the
 * same for all. */
HAS_BOTH struct slope_orbit {
    value zr, zi, cr, ci;
    real xa, ya, xb, yb, unit;
};
#ifdef __CUDACC__
#define SLOPE_ORBIT struct slope_orbit<value, real>
#else
#define SLOPE_ORBIT struct slope_orbit
#endif

INLINE_VALUE void slope_on(const struct walk_task *a, const bool folded, const int power,
                           const unsigned folds, SLOPE_ORBIT *w) {
    const real zr = number_high(w->zr), zi = number_high(w->zi);
    if (folded)
        slope_step_folded(power, folds, zr, zi, w->unit, &w->xa, &w->ya, &w->xb, &w->yb);
    else
        slope_step(power, zr, zi, w->unit, &w->xa, &w->ya);
    walk_z(power, folds, &w->zr, &w->zi, w->cr, w->ci);
}

INLINE_VALUE void slope_walk_on(const struct walk_task *a, const bool folded, uint32_t n,
                                SLOPE_ORBIT *w) {
    const uint32_t which = walk_which(a, n);
    const unsigned folds = folded ? a->recipe.folds[which] : FOLD_NONE;
    switch (a->recipe.power[which]) {
#define WALK_CASE(power)                                                                           \
    case power:                                                                                    \
        slope_on(a, folded, power, folds, w);                                                      \
        break;
        WALK_CASE(2)
        RECIPE_POWERS(WALK_CASE)
#undef WALK_CASE
    }
}

/* The slope of a pixel that escapes after `count` steps. */
INLINE_VALUE struct slope slope_walk(const struct walk_task *a, const bool folded,
                                     const GLOBAL COORDS *coords, uint32_t pixel, uint32_t count,
                                     SLOPE_ORBIT *w) {
    const real unit = (real)of_host(a->unit);
    const bool julia = a->recipe.julia != 0;
    walk_begin(a, coords, pixel, &w->zr, &w->zi, &w->cr, &w->ci);
    w->unit = julia ? (real)0 : unit;
    w->xa = w->yb = julia ? unit : (real)0;
    w->xb = w->ya = (real)0;
    for (uint32_t n = 0; walk_goes_on(n, count, w->zr, w->zi); n++)
        slope_walk_on(a, folded, n, w);
    const double xa = w->xa, ya = w->ya;
    return slope_of(number_high(w->zr), number_high(w->zi), xa, ya, folded ? (double)w->xb : -ya,
                    folded ? (double)w->yb : xa);
}

#endif
