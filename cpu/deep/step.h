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

/* --- segments: the same one for all lanes, or one for each lane --- */

/* Numbers of segments: none, so that a lane makes a single step; or different ones for different
 * lanes. */
#define NONE  (-1)
#define APART (-2)

/* A segment for each lane; lanes of `plain` have none, and number 0 in its place. */
struct lane_segments {
    uint32_t at[LANES];
    uint32_t length[LANES];   /* [steps] 1 without a segment, 0 in a lane that does not live */
    unsigned plain, crossing; /* lanes of `crossing` use their segments' terms in x c and c^2 */
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

/* The same in units of 2^c_log2. */
INLINE struct pair source_own_c(const struct source *s) {
    struct pair c;
    EACH_VALUE(s, at, c.re, s->t->segment[at].c_r, s->t->low[at].c_r);
    EACH_VALUE(s, at, c.im, s->t->segment[at].c_i, s->t->low[at].c_i);
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

/* Returns true if some lane uses its segment's terms in x c and c^2. */
INLINE bool source_crosses(const struct source *s) {
    if (FOLDED || !s->t->cross)
        return false;
    return s->each ? s->each->crossing : perturbed_crosses(s->t, &s->t->segment[s->found]);
}

/* Returns those terms at t = x / T and y = yr + i yi. */
INLINE struct perturbed_cross source_cross(const struct source *s, struct pair t, real yr,
                                           real yi) {
    real q[SEGMENT_DEGREE][2];
    _Pragma("GCC unroll 8") for (int i = 0; i < SEGMENT_DEGREE; i++) {
        EACH_SEGMENT(s, at, q[i][0], s->t->cross[at].q[i][0]);
        EACH_SEGMENT(s, at, q[i][1], s->t->cross[at].q[i][1]);
    }
    return perturbed_cross_sum(q, value_high(t.re), value_high(t.im), yr, yi);
}

/* Derivative of segments: of their sums over x and, if any lane is in `crossing`, of their terms in
 * x c and c^2 at y, 0 in other lanes. */
struct source_slope {
    struct pair of_x;
    unsigned crossing;
    struct perturbed_cross more;
    real yr, yi;
};

/* Returns what c is multiplied by, with the terms in x c and c^2. */
INLINE struct pair source_c_crossing(const struct source *s, struct pair t, struct pair c,
                                     struct source_slope *slope) {
    const unsigned crossing = s->each ? s->each->crossing : ALL_LANES;
    const lanes which = lanes_of(crossing);
    real unit;
    EACH_SEGMENT(s, at, unit, extended_any_power(s->t->segment[at].c_log2));
    const real yr = value_high(c.re) * unit, yi = value_high(c.im) * unit;
    struct perturbed_cross more = source_cross(s, t, yr, yi);
    const struct pair own = source_own_c(s);
    const struct pair all = {value_plus(own.re, more.kr), value_plus(own.im, more.ki)};
    if (SLOPE) {
        more.ar = lanes_select(which, more.ar, real_set(0));
        more.ai = lanes_select(which, more.ai, real_set(0));
        more.gr = lanes_select(which, more.gr, real_set(0));
        more.gi = lanes_select(which, more.gi, real_set(0));
        slope->crossing = crossing;
        slope->more = more;
        slope->yr = yr;
        slope->yi = yi;
    }
    return pair_select(which, pair_scale(all, unit), source_c(s));
}

#ifdef TILE_TYPE_WIDE
/* Returns the sum over the higher powers of t, in doubles. */
INLINE struct pair source_begin(const struct source *s, struct pair t) {
    real r, i, pr, pi;
    EACH_SEGMENT(s, at, r, s->t->segment[at].p[SEGMENT_DEGREE - 1][0]);
    EACH_SEGMENT(s, at, i, s->t->segment[at].p[SEGMENT_DEGREE - 1][1]);
    _Pragma("GCC unroll 8") for (int k = SEGMENT_DEGREE - 2; k >= SEGMENT_LOW_DEGREE; k--) {
        EACH_SEGMENT(s, at, pr, s->t->segment[at].p[k][0]);
        EACH_SEGMENT(s, at, pi, s->t->segment[at].p[k][1]);
        perturbed_term(&r, &i, t.re.hi, t.im.hi, pr, pi);
    }
    return (struct pair){{r, real_set(0)}, {i, real_set(0)}};
}
#define SOURCE_TERMS SEGMENT_LOW_DEGREE
#else
#define source_begin(s, t) source_term(s, SEGMENT_DEGREE - 1)
#define SOURCE_TERMS       (SEGMENT_DEGREE - 1)
#endif

/* Returns z after the segments, from x. */
INLINE struct pair source_land(const struct source *s, struct pair x, struct pair c,
                               struct source_slope *slope) {
    const struct pair t = source_scaled(s, x);
    struct pair sum = source_begin(s, t);
    slope->of_x = sum;
    slope->crossing = 0;
    _Pragma("GCC unroll 8") for (int i = SOURCE_TERMS - 1; i >= 0; i--) {
        sum = pair_term(sum, t, source_term(s, i));
        if (SLOPE)
            slope->of_x = pair_term(slope->of_x, t, sum);
    }
    const struct pair C = source_crosses(s) ? source_c_crossing(s, t, c, slope) : source_c(s);
    const struct pair z = pair_land(sum, t, C, c);
#if FOLDED
    struct pair B;
    EACH_VALUE(s, at, B.re, s->t->c_bar[at][0], s->t->c_bar[at][2]);
    EACH_VALUE(s, at, B.im, s->t->c_bar[at][1], s->t->c_bar[at][3]);
    return pair_land_bar(z, B, c);
#else
    return z;
#endif
}

#endif
