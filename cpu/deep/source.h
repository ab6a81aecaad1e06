/* Segments of the perturbation kernel (SIMD): the same one for all lanes, or one for each lane. */
#ifndef FATHOM_CPU_DEEP_SOURCE_H
#define FATHOM_CPU_DEEP_SOURCE_H

#include "cpu/deep/step.h"

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

#if FOLDED
/* C' of the segments, and the same in units of 2^c_log2. */
INLINE struct pair source_bar(const struct source *s) {
    struct pair bar;
    EACH_VALUE(s, at, bar.re, s->t->c_bar[at][0], s->t->c_bar[at][2]);
    EACH_VALUE(s, at, bar.im, s->t->c_bar[at][1], s->t->c_bar[at][3]);
    return bar;
}

INLINE struct pair source_own_bar(const struct source *s) {
    struct pair bar;
    EACH_VALUE(s, at, bar.re, s->t->bar[at].c_r, s->t->bar[at].low_r);
    EACH_VALUE(s, at, bar.im, s->t->bar[at].c_i, s->t->bar[at].low_i);
    return bar;
}
#endif

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

/* Kernels whose tables may have terms in x c and c^2: tables in doubles have none of other formulas
 * than z^2 + c, but second passes use wide tables, too. */
#ifdef TILE_TYPE_WIDE
#define MAY_CROSS true
#else
#define MAY_CROSS (!FOLDED || SLOPE || TRACE)
#endif

/* Returns true if some lane uses its segment's terms in x c and c^2. */
INLINE bool source_crosses(const struct source *s) {
    if (!MAY_CROSS || !s->t->cross)
        return false;
    return s->each ? s->each->crossing : perturbed_crosses(s->t, &s->t->segment[s->found]);
}

/* Sets `to` to those terms at t = x / T and y = yr + i yi, from an array `of` the segments. */
#define SOURCE_CROSS(s, of, t, yr, yi, to)                                                         \
    do {                                                                                           \
        real q_[SEGMENT_DEGREE][2];                                                                \
        _Pragma("GCC unroll 8") for (int i_ = 0; i_ < SEGMENT_DEGREE; i_++) {                      \
            EACH_SEGMENT(s, at, q_[i_][0], (s)->t->of[at].q[i_][0]);                               \
            EACH_SEGMENT(s, at, q_[i_][1], (s)->t->of[at].q[i_][1]);                               \
        }                                                                                          \
        to = perturbed_cross_sum(q_, value_high((t).re), value_high((t).im), yr, yi);              \
    } while (0)

/* Derivative of segments: of their sums over x and, if any lane is in `crossing`, of their terms in
 * x c and c^2 at y, of c and of its conjugate, 0 in other lanes. */
struct source_slope {
    struct pair of_x;
    unsigned crossing;
    struct perturbed_cross more, bar;
    real yr, yi;
};

/* Follows D through the terms in x c and c^2: slope_cross. */
INLINE void source_slope_cross(const struct source_slope *s, real numbers[SEGMENT_NUMBERS],
                               real *gr, real *gi) {
    slope_cross(&s->more, real_set(1), s->yr, s->yi, numbers, gr, gi);
    if (FOLDED)
        slope_cross(&s->bar, real_set(-1), s->yr, s->yi, numbers, gr, gi);
}

/* Returns the derivatives of terms in the lanes of `which`, and 0 in others. */
INLINE struct perturbed_cross cross_select(lanes which, struct perturbed_cross more) {
    more.ar = lanes_select(which, more.ar, real_set(0));
    more.ai = lanes_select(which, more.ai, real_set(0));
    more.gr = lanes_select(which, more.gr, real_set(0));
    more.gi = lanes_select(which, more.gi, real_set(0));
    return more;
}

/* Returns `own`, which is in units of 2^c_log2, with the terms k in the lanes of `which`, and
 * `plain` in others. */
INLINE struct pair cross_add(lanes which, struct pair own, const struct perturbed_cross *more,
                             real unit, struct pair plain) {
    const struct pair all = {value_plus(own.re, more->kr), value_plus(own.im, more->ki)};
    return pair_select(which, pair_scale(all, unit), plain);
}

/* Adds the terms in x c and c^2 to what c and its conjugate are multiplied by. */
INLINE void source_add_cross(const struct source *s, struct pair t, struct pair c,
                             struct source_slope *slope, struct pair *C, struct pair *B) {
    const unsigned crossing = s->each ? s->each->crossing : ALL_LANES;
    const lanes which = lanes_of(crossing);
    struct perturbed_cross more, bar;
    real unit;
    EACH_SEGMENT(s, at, unit, extended_any_power(s->t->segment[at].c_log2));
    const real yr = value_high(c.re) * unit, yi = value_high(c.im) * unit;
    SOURCE_CROSS(s, cross, t, yr, yi, more);
#if FOLDED
    real both_r, both_i;
    SOURCE_CROSS(s, cross_bar, t, yr, -yi, bar);
    EACH_SEGMENT(s, at, both_r, s->t->cross_bar[at].both[0]);
    EACH_SEGMENT(s, at, both_i, s->t->cross_bar[at].both[1]);
    perturbed_cross_both(both_r, both_i, yr, yi, &more, &bar);
    *B = cross_add(which, source_own_bar(s), &bar, unit, *B);
#else
    (void)B;
    bar = more;
#endif
    *C = cross_add(which, source_own_c(s), &more, unit, *C);
    if (SLOPE) {
        slope->crossing = crossing;
        slope->more = cross_select(which, more);
        slope->bar = cross_select(which, bar);
        slope->yr = yr;
        slope->yi = yi;
    }
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
    struct pair C = source_c(s);
#if FOLDED
    struct pair B = source_bar(s);
    if (source_crosses(s))
        source_add_cross(s, t, c, slope, &C, &B);
    return pair_land_bar(pair_land(sum, t, C, c), B, c);
#else
    if (source_crosses(s))
        source_add_cross(s, t, c, slope, &C, NULL);
    return pair_land(sum, t, C, c);
#endif
}

#endif
