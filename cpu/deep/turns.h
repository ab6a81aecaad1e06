/* Which steps the lanes of a vector make, where several take turns: lanes have done different ones, and each number that
 * some have is made for all, of which those lanes are taken. Elsewhere all make number 0. */
#ifndef FATHOM_CPU_DEEP_TURNS_H
#define FATHOM_CPU_DEEP_TURNS_H

#include "cpu/lanes_deep.h"
#include "render/deep/perturbed.h"
#include "render/deep/perturbed_steps.h"

struct turns {
    uint32_t length; /* of the list; 1: nobody takes turns */
    unsigned set;    /* of numbers, a bit each; those of the lanes that live */
    uint8_t of[LANES];
};

/* Of lanes that have done n steps; or of one formula's, which do not take turns. */
INLINE struct turns turns_of(const struct perturbed_tables *t, const bool take_turns,
                             unsigned alive, const uint32_t n[LANES]) {
    struct turns turns = {.length = 1, .set = 1};
    if (!take_turns || !alive)
        return turns;
    turns.length = t->steps.length;
    turns.set = 0;
    EACH_LANE if (alive >> l & 1) {
        turns.of[l] = (uint8_t)step_list_number(&t->steps, n[l]);
        turns.set |= 1u << turns.of[l];
    }
    return turns;
}

/* Of lanes that all have one turn. */
INLINE struct turns turns_one(const struct perturbed_tables *t, const bool take_turns,
                              uint32_t turn) {
    const struct turns turns = {.length = take_turns ? t->steps.length : 1, .set = 1u << turn};
    return turns;
}

/* Whether all have the lowest number. */
INLINE bool turns_agree(const struct turns *turns) {
    return turns->length == 1 || (turns->set & (turns->set - 1)) == 0;
}

/* The lanes of a number. */
INLINE lanes turns_lanes(const struct turns *turns, unsigned turn) {
    unsigned which = 0;
    EACH_LANE which |= (unsigned)(turns->of[l] == turn) << l;
    return lanes_of(which);
}

/* Each number, and what it has become so many steps later. */
#define EACH_TURN(turn, turns)                                                                     \
    for (unsigned left = (turns)->set, turn = (unsigned)__builtin_ctz(left); left;                 \
         left &= left - 1, turn = left ? (unsigned)__builtin_ctz(left) : 0)

INLINE uint32_t turns_later(const struct turns *turns, unsigned turn, uint32_t steps) {
    return turns->length == 1 ? 0 : (turn + steps) % turns->length;
}

/* x of the step whose turn it is. */
INLINE void first_step(const struct perturbed_tables *t, const bool folded, uint32_t turn, real Zr,
                       real Zi, real zr, real zi, real *xr, real *xi) {
    if (folded)
        perturbed_difference(perturbed_power(t, true, turn), perturbed_folds(t, true, turn), Zr, Zi,
                             zr, zi, xr, xi);
    else
        perturbed_product(Zr, Zi, zr, zi, xr, xi);
}

/* The same of lanes. */
INLINE void first_steps(const struct perturbed_tables *t, const bool folded,
                        const struct turns *turns, real Zr, real Zi, real zr, real zi, real *xr,
                        real *xi) {
    if (turns_agree(turns)) {
        first_step(t, folded, (uint32_t)__builtin_ctz(turns->set), Zr, Zi, zr, zi, xr, xi);
        return;
    }
    *xr = *xi = real_set(0);
    EACH_TURN(turn, turns) {
        const lanes those = turns_lanes(turns, turn);
        real r, i;
        first_step(t, folded, turn, Zr, Zi, zr, zi, &r, &i);
        *xr = lanes_select(those, r, *xr);
        *xi = lanes_select(those, i, *xi);
    }
}

#endif
