/* Single steps of the perturbation kernel (SIMD): of z^2 + c, or with FOLDED of any power with
 * folds, also several steps that take turns (hybrids).
 *
 * Lanes of a hybrid may have different steps next. Each of these steps is made for all lanes, and
 * the lanes whose turn it is take its result. */
#ifndef FATHOM_CPU_DEEP_STEP_H
#define FATHOM_CPU_DEEP_STEP_H

#include "cpu/deep/number.h"

/* Returns true if the formula is a hybrid. Loops are compiled for either case, so that single
 * formulas look up nothing. */
INLINE bool takes_turns(const struct perturbed_tables *t) {
    return FOLDED && t->steps.length > 1;
}

/* The number of the next step of each lane. */
struct turns {
    uint32_t length; /* of the list of steps */
    unsigned set;    /* a bit for each number that a living lane has */
    uint8_t of[LANES];
};

/* Returns the turns of lanes that have made n steps. */
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

/* Returns the turns of lanes that all have the same one. */
INLINE struct turns turns_one(const struct perturbed_tables *t, const bool take_turns,
                              uint32_t turn) {
    return (struct turns){.length = take_turns ? t->steps.length : 1, .set = 1u << turn};
}

INLINE bool turns_agree(const struct turns *turns) {
    return !FOLDED || turns->length == 1 || (turns->set & (turns->set - 1)) == 0;
}

INLINE lanes turns_lanes(const struct turns *turns, unsigned turn) {
    unsigned which = 0;
    EACH_LANE which |= (unsigned)(turns->of[l] == turn) << l;
    return lanes_of(which);
}

/* Returns the number of the step that follows `later` steps after that turn. */
INLINE uint32_t turns_later(const struct turns *turns, unsigned turn, uint32_t later) {
    return turns->length == 1 ? 0 : later == 0 ? turn : (turn + later) % turns->length;
}

/* Sets `to` to what `expression` is for each lane's step number `turn`, `later` steps after
 * `turns`; select(which, a, b) takes the lanes of `which` from a. */
#define EACH_TURN(turns, later, turn, to, select, expression)                                      \
    do {                                                                                           \
        unsigned left_ = (turns)->set, at_ = (unsigned)__builtin_ctz(left_);                       \
        uint32_t turn = turns_later(turns, at_, later);                                            \
        to = expression;                                                                           \
        if (turns_agree(turns))                                                                    \
            break;                                                                                 \
        while (left_ &= left_ - 1) {                                                               \
            at_ = (unsigned)__builtin_ctz(left_);                                                  \
            turn = turns_later(turns, at_, later);                                                 \
            to = select(turns_lanes(turns, at_), expression, to);                                  \
        }                                                                                          \
    } while (0)

/* Returns x of step number `turn`: f(Z + z) - f(Z), where f is the step without c. */
INLINE struct pair first_step(const struct perturbed_tables *t, uint32_t turn, struct pair Z,
                              struct pair z) {
#if FOLDED
    struct pair x;
    value_difference(perturbed_power(t, true, turn), perturbed_folds(t, true, turn), Z.re, Z.im,
                     z.re, z.im, &x.re, &x.im);
    return x;
#else
    (void)t, (void)turn;
    return pair_product(Z, z);
#endif
}

INLINE struct pair first_steps(const struct perturbed_tables *t, const struct turns *turns,
                               uint32_t later, struct pair Z, struct pair z) {
    struct pair x;
    EACH_TURN(turns, later, turn, x, pair_select, first_step(t, turn, Z, z));
    return x;
}

/* Returns what step number `turn` makes of the orbit itself. */
INLINE struct pair direct_step(const struct perturbed_tables *t, uint32_t turn, struct pair z,
                               struct pair c) {
    const int power = perturbed_power(t, FOLDED, turn);
    const unsigned folds = perturbed_folds(t, FOLDED, turn);
    if (power == 2)
        value_square(folds, &z.re, &z.im, c.re, c.im);
    else
        value_power(power, folds, &z.re, &z.im, c.re, c.im);
    return z;
}

INLINE struct pair direct_steps(const struct perturbed_tables *t, const struct turns *turns,
                                uint32_t later, struct pair z, struct pair c) {
    struct pair to;
    EACH_TURN(turns, later, turn, to, pair_select, direct_step(t, turn, z, c));
    return to;
}

#endif
