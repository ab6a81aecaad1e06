/* What single steps make of the derivatives of a vector of orbits, as group_slope.h. */
#ifndef FATHOM_CPU_DEEP_SINGLE_SLOPE_H
#define FATHOM_CPU_DEEP_SINGLE_SLOPE_H

#include "cpu/deep/group_slope.h"

#ifdef PERTURBED_SLOPE
/* The step whose turn it is from W, which adds `by`. */
INLINE void slopes_add_single(const struct perturbed_tables *t, uint32_t turn, real by,
                              struct slopes *d, real wr, real wi) {
    slope_single(perturbed_power(t, FOLDED, turn), perturbed_any_folds(t, FOLDED),
                 perturbed_folds(t, FOLDED, turn), wr, wi, by, d->d);
}

INLINE void slopes_single(const struct perturbed_tables *t, uint32_t turn, struct slopes *d,
                          real wr, real wi) {
    slopes_add_single(t, turn, d->by, d, wr, wi);
}

/* The steps after so many of those whose turn it was. */
INLINE void slopes_add_singles(const struct perturbed_tables *t, const struct turns *turns,
                               uint32_t later, real by, struct slopes *d, real wr, real wi) {
    const struct slopes before = *d;
    if (turns_agree(turns)) {
        const unsigned turn = (unsigned)__builtin_ctz(turns->set);
        slopes_add_single(t, turns_later(turns, turn, later), by, d, wr, wi);
        return;
    }
    EACH_TURN(turn, turns) {
        struct slopes to = before;
        slopes_add_single(t, turns_later(turns, turn, later), by, &to, wr, wi);
        *d = slopes_select(turns_lanes(turns, turn), &to, d);
    }
}

INLINE void slopes_singles(const struct perturbed_tables *t, const struct turns *turns,
                           uint32_t later, struct slopes *d, real wr, real wi) {
    slopes_add_singles(t, turns, later, d->by, d, wr, wi);
}
#else
#define slopes_single(t, turn, d, wr, wi)          ((void)0)
#define slopes_singles(t, turns, later, d, wr, wi) ((void)0)
#endif

#endif
