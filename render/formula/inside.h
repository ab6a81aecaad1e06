/* What is known of a point that has not escaped, whatever the limit: the cycle that its orbit comes to, and how deep it
 * lies in its component. Made by a way of its own along the orbit; steps are in inside_step.h.
 *
 * A cycle is looked for by Brent's method: from marks at n steps, the first 64 rounded up to whole turns of the recipe,
 * then twice as many each time, the first whole number of turns after which the orbit is near the mark again, and much
 * nearer than in fewer, as multiples of a period come near a root of unity before it does. There is none where the orbit
 * escapes, or after inside_steps_max steps. */
#ifndef FATHOM_RENDER_FORMULA_INSIDE_H
#define FATHOM_RENDER_FORMULA_INSIDE_H

#include "render/formula/recipe.h"

#define INSIDE_STEPS_MAX  (1u << 16)
#define INSIDE_FOLDED_MAX (1u << 13) /* where parts are folded, many orbits come to no cycle */
#define INSIDE_FIRST      64u
#define INSIDE_FAR        0x1p100 /* nothing has come near yet */
#define INSIDE_NONE       (-1.0f) /* `last` where no cycle was found */

/* Squares of how near a mark is near, by number type, and of how much nearer than before. */
#define INSIDE_NEAR_FLOAT    0x1p-36
#define INSIDE_NEAR_DOUBLE   0x1p-68
#define INSIDE_NEAR_WIDE     0x1p-96
#define INSIDE_NEARER_FLOAT  0x1p-16
#define INSIDE_NEARER_DOUBLE 0x1p-32
#define INSIDE_NEARER_WIDE   0x1p-32

/* The first mark. */
INLINE uint32_t inside_first(uint32_t length) {
    return (INSIDE_FIRST + length - 1) / length * length;
}

INLINE uint32_t inside_steps_max(const struct recipe *recipe) {
    unsigned folds = FOLD_NONE;
    for (uint32_t i = 0; i < recipe->length; i++)
        folds |= recipe->folds[i];
    return (folds & ~(unsigned)FOLD_NEGATE) == 0 ? INSIDE_STEPS_MAX : INSIDE_FOLDED_MAX;
}

/* Whether components are known to be such as `depth` is derived for. */
INLINE bool inside_has_depth(const struct recipe *recipe) {
    return recipe->length == 1 && recipe->folds[0] == FOLD_NONE && !recipe->julia;
}

#endif
