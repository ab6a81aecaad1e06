/* Steps of the perturbation kernel (SIMD), single ones and segments: of z^2 + c, or with
 * PERTURBED_FOLDED of any power with folds, also several steps that take turns (hybrids).
 *
 * Lanes have made different numbers of steps, so in a hybrid different steps are next. Each step
 * that is next for some lane is made for all lanes, and the lanes that it is meant for take its
 * result. */
#ifndef FATHOM_CPU_DEEP_STEP_H
#define FATHOM_CPU_DEEP_STEP_H

#include "cpu/deep/number.h"

#ifdef PERTURBED_FOLDED
#define FOLDED true
#else
#define FOLDED false
#endif

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
#ifdef PERTURBED_FOLDED
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

/* A segment for each lane; lanes of `plain` have none. */
struct lane_segments {
    struct pair_lanes p[SEGMENT_DEGREE], c;
    _Alignas(64) double scale[2][LANES], bar[2][LANES];
    int64_t found[LANES];
    uint32_t length[LANES]; /* [steps] 1 without a segment, 0 in a lane that does not live */
    unsigned plain;
};

/* The segments of a round: number `found` for all lanes, or those of `each`, if that is not
 * NULL. */
struct source {
    const struct perturbed_tables *t;
    const struct segment_trace
        *traces; /* of all segments; NULL if the payload does not need them */
    int64_t found;
    const struct lane_segments *each;
};

/* Returns true if some lane takes a segment. */
INLINE bool source_has_any(const struct source *s) {
    return s->each ? s->each->plain != ALL_LANES : s->found != NONE;
}

INLINE struct pair source_term(const struct source *s, int i) {
    if (s->each)
        return pair_load(&s->each->p[i]);
    const struct segment *of = &s->t->segment[s->found];
    return (struct pair){value_set(of->p[i][0], s->t->low[s->found].p[i][0]),
                         value_set(of->p[i][1], s->t->low[s->found].p[i][1])};
}

INLINE struct pair source_c(const struct source *s) {
    if (s->each)
        return pair_load(&s->each->c);
    return (struct pair){value_set(s->t->c[s->found][0], s->t->c_low[s->found][0]),
                         value_set(s->t->c[s->found][1], s->t->c_low[s->found][1])};
}

/* Returns x / T, or its conjugate where the segment is a sum over that. */
INLINE struct pair source_scaled(const struct source *s, struct pair x) {
    if (s->each)
        return (struct pair){value_scale(x.re, real_load(s->each->scale[0])),
                             value_scale(x.im, real_load(s->each->scale[FOLDED ? 1 : 0]))};
    const double scale = extended_power(-s->t->segment[s->found].t_log2);
    const double sign = FOLDED ? s->t->bar[s->found].sign : 1;
    return (struct pair){value_scale(x.re, real_set(scale)),
                         value_scale(x.im, real_set(scale * sign))};
}

#ifdef PERTURBED_FOLDED
INLINE struct pair land_bar(const struct source *s, struct pair z, struct pair c) {
    const struct lane_segments *each = s->each;
    const real re = each ? real_load(each->bar[0]) : real_set(s->t->c_bar[s->found][0]);
    const real im = each ? real_load(each->bar[1]) : real_set(s->t->c_bar[s->found][1]);
    perturbed_land_bar(re, im, c.re, c.im, &z.re, &z.im);
    return z;
}
#endif

/* Returns z after the segments, from x. *slope is the derivative of their sums. */
INLINE struct pair source_land(const struct source *s, struct pair x, struct pair c,
                               struct pair *slope) {
    const struct pair t = source_scaled(s, x);
    struct pair sum = source_term(s, SEGMENT_DEGREE - 1);
    *slope = sum;
    _Pragma("GCC unroll 8") for (int i = SEGMENT_DEGREE - 2; i >= 0; i--) {
        sum = pair_term(sum, t, source_term(s, i));
#ifdef PERTURBED_SLOPE
        *slope = pair_term(*slope, t, sum);
#endif
    }
    const struct pair z = pair_land(sum, t, source_c(s), c);
#ifdef PERTURBED_FOLDED
    return land_bar(s, z, c);
#else
    return z;
#endif
}

INLINE void pair_put(struct pair_lanes *to, int lane, const double high[2], const double low[2]) {
    to->part[RE][lane] = high[0];
    to->part[IM][lane] = high[1];
#ifdef TILE_TYPE_WIDE
    to->part[RE_LOW][lane] = low[0];
    to->part[IM_LOW][lane] = low[1];
#endif
    (void)low;
}

/* Reads the segments s->found of the living lanes. */
INLINE void read_segments(const struct perturbed_tables *t, unsigned alive,
                          struct lane_segments *s) {
    static const struct segment single = {.length = 1, .p = {{1}}};
    static const double one[2] = {1, 0}, none[2] = {0, 0};
    EACH_LANE {
        const int64_t at = s->found[l];
        const bool has = at >= 0;
        const struct segment *of = has ? &t->segment[at] : &single;
        for (int i = 0; i < SEGMENT_DEGREE; i++)
            pair_put(&s->p[i], l, of->p[i], has && t->low ? t->low[at].p[i] : none);
        pair_put(&s->c, l, has ? t->c[at] : one, has && t->low ? t->c_low[at] : none);
        s->scale[0][l] = extended_power(-of->t_log2);
        s->length[l] = alive >> l & 1 ? (uint32_t)of->length : 0;
        if (FOLDED) {
            s->scale[1][l] = s->scale[0][l] * (has ? t->bar[at].sign : 1);
            s->bar[0][l] = has ? t->c_bar[at][0] : 0;
            s->bar[1][l] = has ? t->c_bar[at][1] : 0;
        }
    }
}

#endif
