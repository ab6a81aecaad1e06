/* End of one orbit of a map: the test and the fraction. The includer defines the macros of
 * map_step.h, with a scalar `real`. */
#ifndef FATHOM_RENDER_FORMULA_MAP_END_H
#define FATHOM_RENDER_FORMULA_MAP_END_H

#include "render/formula/map_step.h"

#ifdef FORMULA_KERNEL

/* Returns true if the step to p has ended the orbit. `escape` is the member of the recipe. */
INLINE bool map_ended(const int formula, const struct map_point *p, const real escape) {
    return !(norm2(p->zr, p->zi) < escape) ||
           (map_converges(formula) && map_near(formula, p) < real_from(MAP_CLOSE));
}

/* Returns the fraction of an orbit that ended with the step from `before` to p. An escaped orbit
 * may continue from p for that; *left becomes map_gain times the last |z|^2, or 0 if it does not
 * continue. */
INLINE float map_fraction(const int formula, const int power, const real escape,
                          const struct map_point *before, struct map_point *p, float *left) {
    const float near = (float)map_near(formula, p);
    *left = 0;
    if (map_converges(formula) && near < (float)MAP_CLOSE)
        return map_fraction_converged((float)map_near(formula, before), near);
    if (!map_climbs(formula))
        return map_fraction_scaled((float)norm2(before->zr, before->zi), (float)norm2(p->zr, p->zi),
                                   (float)escape);
    const real gain = real_from(map_gain(formula, (float)norm2(p->cr, p->ci)));
    int steps = 0;
    *left = (float)(norm2(p->zr, p->zi) * gain);
    for (; *left < SMOOTH_NORM2 && steps < SMOOTH_STEPS; steps++) {
        map_step(formula, power, p);
        *left = (float)(norm2(p->zr, p->zi) * gain);
    }
    return sample_fraction(*left, steps, 1);
}

#endif

#endif
