/* Recipe of a fractal for kernels: one step or several in turn, and the bounds and parameter of its
 * orbits. */
#ifndef FATHOM_RENDER_FORMULA_RECIPE_H
#define FATHOM_RENDER_FORMULA_RECIPE_H

#include "render/formula/step_list.h"

/* `kind` of all powers except second powers of a single formula: kernels look up each step. */
#define RECIPE_LOOKED_UP ((uint32_t)FORMULA_COUNT)

/* Calls X for each power above 2. */
#define RECIPE_POWERS(X) X(3) X(4) X(5) X(6) X(7) X(8)

struct recipe {
    /* RECIPE_LOOKED_UP, or a formula: its second power, or a map with one step and no folds. */
    uint32_t kind;
    uint32_t length; /* 1 .. RECIPE_STEPS_MAX: step n of an orbit is number n % length */
    uint8_t power[RECIPE_STEPS_MAX]; /* 2 .. FORMULA_POWER_MAX */
    uint8_t folds[RECIPE_STEPS_MAX]; /* FOLD_ bits of formula.h */
    uint32_t julia;                  /* not 0: z starts at the point, and c is `parameter` */
    float scale[RECIPE_STEPS_MAX];   /* 1 / log2 of the powers, for sample_fraction */
    /* Parameter of a Julia set, rounded once to the number type, and the rest. */
    host_double parameter_re[2], parameter_im[2];
    host_double escape, safe; /* bounds of |z|^2 and |c|^2 (formula.h), exact in the type */
};

INLINE bool recipe_is_map(const struct recipe *recipe) {
    return recipe->kind < FORMULA_COUNT && formula_is_map((int)recipe->kind);
}

/* Returns the scale of sample_fraction for an orbit that was left after `steps` steps: the scale of
 * the last step, so that the fraction is continuous even if the steps have different powers. */
INLINE float recipe_scale(const struct recipe *recipe, const uint32_t steps) {
    const uint32_t last = steps + recipe->length - 1;
    return recipe->length == 1 ? recipe->scale[0] : recipe->scale[last % recipe->length];
}

#endif
