/* Interior samples (host and GPU): the cycle that attracts an orbit, and the depth of the point in
 * its component. Both are independent of the iteration limit. A second pass along the orbit
 * computes them, with the steps of inside_step.h.
 *
 * Brent's method finds the cycle. The first mark is set after 64 steps, rounded up to whole turns
 * of the recipe, and each further one after twice as many. The cycle is the first whole number of
 * turns after which the orbit is near the mark again, and much nearer than after fewer turns: near
 * a root of unity, multiples of a period come near before the period does. No cycle is found if the
 * orbit escapes, or after inside_steps_max steps. */
#ifndef FATHOM_RENDER_FORMULA_INSIDE_H
#define FATHOM_RENDER_FORMULA_INSIDE_H

#include "render/formula/recipe.h"

#define INSIDE_STEPS_MAX  (1u << 16)
#define INSIDE_FOLDED_MAX (1u << 13) /* fewer if parts are folded: many orbits have no cycle then */
#define INSIDE_FIRST      64u
#define INSIDE_FAR        0x1p100 /* initial least distance */
#define INSIDE_NONE       (-1.0f) /* value of `last` if no cycle was found */

/* Squared distances by number type: the largest to a mark that counts as near, and the largest
 * ratio to the previous least distance. */
#define INSIDE_NEAR_FLOAT    0x1p-36
#define INSIDE_NEAR_DOUBLE   0x1p-68
#define INSIDE_NEAR_WIDE     0x1p-96
#define INSIDE_NEARER_FLOAT  0x1p-16
#define INSIDE_NEARER_DOUBLE 0x1p-32
#define INSIDE_NEARER_WIDE   0x1p-32

/* Returns the number of steps before the first mark. */
INLINE uint32_t inside_first(uint32_t length) {
    return (INSIDE_FIRST + length - 1) / length * length;
}

INLINE uint32_t inside_steps_max(const struct recipe *recipe) {
    unsigned folds = FOLD_NONE;
    for (uint32_t i = 0; i < recipe->length; i++)
        folds |= recipe->folds[i];
    return (folds & ~(unsigned)FOLD_NEGATE) == 0 ? INSIDE_STEPS_MAX : INSIDE_FOLDED_MAX;
}

/* Returns true for fractals to which the derivation of `depth` applies. */
INLINE bool inside_has_depth(const struct recipe *recipe) {
    return recipe->length == 1 && recipe->folds[0] == FOLD_NONE && !recipe->julia;
}

#endif
