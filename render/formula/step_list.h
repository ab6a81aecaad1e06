/* Step list: the steps of a fractal packed into few words, so that GPU threads look up steps
 * without memory. */
#ifndef FATHOM_RENDER_FORMULA_STEP_LIST_H
#define FATHOM_RENDER_FORMULA_STEP_LIST_H

#include "render/formula/formula.h"

#define RECIPE_STEPS_MAX 8

struct step_list {
    uint32_t length; /* 1 .. RECIPE_STEPS_MAX: step n of an orbit is number n % length */
    uint32_t powers; /* four bits for each step, the first in the lowest bits */
    uint64_t folds;  /* eight bits for each step: FOLD_ bits of formula.h */
};

#define STEP_LIST_SQUARE                                                                           \
    { 1, 2, FOLD_NONE } /* z^2 + c */

INLINE uint32_t step_list_number(const struct step_list *list, uint32_t n) {
    return list->length == 1 ? 0 : n % list->length;
}

INLINE int step_list_power(const struct step_list *list, uint32_t number) {
    return (int)(list->powers >> 4 * number & 15);
}

INLINE unsigned step_list_folds(const struct step_list *list, uint32_t number) {
    return (unsigned)(list->folds >> 8 * number & 255);
}

INLINE bool step_list_is_square(const struct step_list *list) {
    return list->length == 1 && list->powers == 2 && list->folds == FOLD_NONE;
}

INLINE bool step_list_equal(const struct step_list *a, const struct step_list *b) {
    return a->length == b->length && a->powers == b->powers && a->folds == b->folds;
}

/* Appends a step. */
INLINE void step_list_add(struct step_list *list, uint32_t power, unsigned folds) {
    list->powers |= power << 4 * list->length;
    list->folds |= (uint64_t)folds << 8 * list->length;
    list->length++;
}

/* Returns the largest power of the steps. */
INLINE int step_list_most_power(const struct step_list *list) {
    int most = 2;
    for (uint32_t i = 0; i < list->length; i++)
        most = step_list_power(list, i) > most ? step_list_power(list, i) : most;
    return most;
}

#endif
