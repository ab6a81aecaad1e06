/* Whose turn it is where perturbed orbits are of several steps (a hybrid).
 *
 * A rebased orbit goes on from 0, but with the step whose turn it is, and a reference's orbit of 0 has begun with the
 * first one. So it has an orbit of 0 for each number that a step may have, of the same C, which begins with that one; they
 * lie one after the other, and an orbit that has done n steps is rebased to that of n % length. Around each the step at
 * an index is the one that orbits there make. Only the last one ends where orbits may come to: the others go on to
 * the limit, which orbits around them have passed by then, or until what comes there has escaped or is rebased. */
#ifndef FATHOM_RENDER_DEEP_PERTURBED_TURN_H
#define FATHOM_RENDER_DEEP_PERTURBED_TURN_H

#include "render/deep/perturbed.h"

/* The number of the step whose turn it is after n of them; `folded`, here and below: not of z^2 + c. */
INLINE uint32_t perturbed_turn(const struct perturbed_tables *t, const bool folded, uint32_t n) {
    return folded ? step_list_number(&t->steps, n) : 0;
}

/* The index that orbits are rebased to before that step. */
INLINE uint32_t perturbed_begin_of(const struct perturbed_tables *t, uint32_t turn) {
    return turn > 0 ? t->begin[turn] : 0;
}

INLINE int perturbed_power(const struct perturbed_tables *t, const bool folded, uint32_t turn) {
    return folded ? step_list_power(&t->steps, turn) : 2;
}

INLINE unsigned perturbed_folds(const struct perturbed_tables *t, const bool folded,
                                uint32_t turn) {
    return folded ? step_list_folds(&t->steps, turn) : FOLD_NONE;
}

/* Whether any of them folds. */
INLINE bool perturbed_any_folds(const struct perturbed_tables *t, const bool folded) {
    return folded && t->steps.folds != 0;
}

#endif
