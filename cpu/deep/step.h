/* Steps of the perturbation kernel (SIMD), single ones and segments: of z^2 + c, or with FOLDED of
 * any power with folds, also several steps that take turns (hybrids).
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
    perturbed_difference(perturbed_power(t, true, turn), perturbed_folds(t, true, turn), Z.re, Z.im,
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

/* --- segments: the same one for all lanes, or one for each lane --- */

/* Numbers of segments: none, so that a lane makes a single step; or different ones for different
 * lanes. */
#define NONE  (-1)
#define APART (-2)

/* A segment for each lane; lanes of `plain` have none, and number 0 in its place. */
struct lane_segments {
    uint32_t at[LANES];
    uint32_t length[LANES]; /* [steps] 1 without a segment, 0 in a lane that does not live */
    unsigned plain;
};

/* The segments of a round: number `found` for all lanes, or those of `each`, if that is not
 * NULL. */
struct source {
    const struct perturbed_tables *t;
    const struct segment_trace *traces; /* of all segments; for traces only */
    int64_t found;
    const struct lane_segments *each;
};

/* Sets `to` to what `number` is of each lane's segment, number `at`. */
#define EACH_SEGMENT(source, at, to, number)                                                       \
    do {                                                                                           \
        if ((source)->each) {                                                                      \
            _Alignas(64) double each_[LANES];                                                      \
            _Pragma("GCC unroll 8") EACH_LANE {                                                    \
                const size_t at = (source)->each->at[l];                                           \
                each_[l] = number;                                                                 \
            }                                                                                      \
            to = real_load(each_);                                                                 \
        } else {                                                                                   \
            const size_t at = (size_t)(source)->found;                                             \
            to = real_set(number);                                                                 \
        }                                                                                          \
    } while (0)

#ifdef TILE_TYPE_WIDE
#define EACH_VALUE(source, at, to, high, low)                                                      \
    do {                                                                                           \
        EACH_SEGMENT(source, at, (to).hi, high);                                                   \
        EACH_SEGMENT(source, at, (to).lo, low);                                                    \
    } while (0)
#else
#define EACH_VALUE(source, at, to, high, low) EACH_SEGMENT(source, at, to, high)
#endif

/* Returns true if some lane takes a segment. */
INLINE bool source_has_any(const struct source *s) {
    return s->each ? s->each->plain != ALL_LANES : s->found != NONE;
}

INLINE struct pair source_term(const struct source *s, int i) {
    struct pair p;
    EACH_VALUE(s, at, p.re, s->t->segment[at].p[i][0], s->t->low[at].p[i][0]);
    EACH_VALUE(s, at, p.im, s->t->segment[at].p[i][1], s->t->low[at].p[i][1]);
    return p;
}

INLINE struct pair source_c(const struct source *s) {
    struct pair c;
    EACH_VALUE(s, at, c.re, s->t->c[at][0], s->t->c_low[at][0]);
    EACH_VALUE(s, at, c.im, s->t->c[at][1], s->t->c_low[at][1]);
    return c;
}

/* Returns x / T, or its conjugate where the segment is a sum over that. */
INLINE struct pair source_scaled(const struct source *s, struct pair x) {
    real re, im;
    EACH_SEGMENT(s, at, re, extended_power(-s->t->segment[at].t_log2));
    im = re;
#if FOLDED
    EACH_SEGMENT(s, at, im, s->t->bar[at].sign);
    im = im * re;
#endif
    return (struct pair){value_scale(x.re, re), value_scale(x.im, im)};
}

/* Returns z after the segments, from x. *slope is the derivative of their sums. */
INLINE struct pair source_land(const struct source *s, struct pair x, struct pair c,
                               struct pair *slope) {
    const struct pair t = source_scaled(s, x);
    struct pair sum = source_term(s, SEGMENT_DEGREE - 1);
    *slope = sum;
    _Pragma("GCC unroll 8") for (int i = SEGMENT_DEGREE - 2; i >= 0; i--) {
        sum = pair_term(sum, t, source_term(s, i));
        if (SLOPE)
            *slope = pair_term(*slope, t, sum);
    }
    struct pair z = pair_land(sum, t, source_c(s), c);
#if FOLDED
    real re, im;
    EACH_SEGMENT(s, at, re, s->t->c_bar[at][0]);
    EACH_SEGMENT(s, at, im, s->t->c_bar[at][1]);
    perturbed_land_bar(re, im, c.re, c.im, &z.re, &z.im);
#endif
    return z;
}

#endif
