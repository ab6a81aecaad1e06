/* What kernels iterate: one step, or several in turn, and where orbits start and end. */
#ifndef FATHOM_RENDER_FORMULA_RECIPE_H
#define FATHOM_RENDER_FORMULA_RECIPE_H

#include "render/formula/step_list.h"

/* The kind of recipes that are no formula's second power, which is its number: kernels look up each step. */
#define RECIPE_LOOKED_UP ((uint32_t)FORMULA_COUNT)

/* Calls X for each higher power. */
#define RECIPE_POWERS(X) X(3) X(4) X(5) X(6) X(7) X(8)

struct recipe {
    uint32_t kind;   /* a formula, or RECIPE_LOOKED_UP; maps have one step, which folds nothing */
    uint32_t length; /* 1 .. RECIPE_STEPS_MAX: step n of an orbit is number n % length */
    uint8_t power[RECIPE_STEPS_MAX]; /* 2 .. FORMULA_POWER_MAX */
    uint8_t folds[RECIPE_STEPS_MAX]; /* as in formula.h */
    uint32_t julia;                  /* not 0: the point is where z starts, and this is c: */
    float scale[RECIPE_STEPS_MAX];   /* 1 / log2 of the powers: see sample.h */
    host_double parameter_re[2],
        parameter_im[2];      /* rounded once to the number type, and what is left */
    host_double escape, safe; /* |z|^2 and |c|^2, see formula.h; exact in the number type */
};

INLINE bool recipe_is_map(const struct recipe *recipe) {
    return recipe->kind < FORMULA_COUNT && formula_is_map((int)recipe->kind);
}

/* The scale of the fraction of an orbit that was left after so many steps: that of the last of them, so that
 * it is continuous where steps have different powers, too. */
INLINE float recipe_scale(const struct recipe *recipe, const uint32_t steps) {
    const uint32_t last = steps + recipe->length - 1;
    return recipe->length == 1 ? recipe->scale[0] : recipe->scale[last % recipe->length];
}

#endif
