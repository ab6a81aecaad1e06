/* Payloads of the perturbation kernel (SIMD): numbers that orbits carry along. With SLOPE these are
 * the derivative, with TRACE means and traps (payload_trace.h), with SCREEN an estimate of rounding
 * errors (payload_screen.h); counts have none.
 *
 * A payload defines
 *   struct payload_point: the payload of a point in memory;
 *   PAYLOAD_NUMBERS(X), PAYLOAD_FIXED(X): its numbers, and the numbers that never change along an
 *     orbit: the name in a vector, and the member of struct payload_point;
 *   payload_single(t, turns, later, w, p): follows steps of the orbit itself from w, `later` steps
 *     after `turns`;
 *   payload_round(round, p): follows a round around the reference;
 *   payload_fit(t, alive, p): scales numbers that have become too small or too large;
 *   payload_block, payload_block_end, payload_turn, payload_land: see payload_screen.h;
 *   find_together(source, alive, m, x, p), find_each(source, alive, m, x, p, found): choose
 *     segments that it can follow. */
#ifndef FATHOM_CPU_DEEP_PAYLOAD_H
#define FATHOM_CPU_DEEP_PAYLOAD_H

#include "cpu/deep/source.h"
#include "render/deep/perturbed_trace.h"

/* A round of a vector around its reference. */
struct round {
    const struct perturbed_tables *t;
    struct source source;
    struct turns turns, last;       /* of the lanes' first steps; of their last ones */
    struct pair reference, z, w, x; /* Z, z and W before the round; x of its first step */
    struct pair single;             /* z after a single step */
    struct pair next, end;          /* W after the first steps; W after the round */
    struct source_slope slope;
    real length; /* [steps] of the lanes' segments */
};

/* clang-format off */
#if SLOPE
#define SLOPE_RIGHT(X) X(xa, slope.d[0]) X(ya, slope.d[1])
#if FOLDED
#define SLOPE_UP(X) X(xb, slope.d[2]) X(yb, slope.d[3])
#else
#define SLOPE_UP(X)
#endif
#define PAYLOAD_NUMBERS(X) SLOPE_RIGHT(X) SLOPE_UP(X) X(log2, slope.log2) X(by, slope.by)
#define PAYLOAD_FIXED(X)
struct payload_point {
    struct perturbed_slope slope;
    uint32_t rounds;
};
#elif TRACE
#define PAYLOAD_NUMBERS(X)                                                                         \
    X(n, n) X(nearest, passed.nearest) X(size, passed.size) X(stripe, passed.stripe)               \
    X(stripe_before, passed.stripe_before) X(triangle, passed.triangle)                            \
    X(triangle_before, passed.triangle_before) X(square, passed.square) X(line, passed.line)       \
    X(cross, passed.cross) X(circle, passed.circle) X(caught_r, passed.caught_r)                   \
    X(caught_i, passed.caught_i)
#define PAYLOAD_FIXED(X) X(count, count) X(from, from) X(c_size, c_size)
struct payload_point {
    struct perturbed_trace passed; /* only scalar rounds change `tiny` */
    double c_size;
    uint32_t n, count;             /* steps done, and steps to the escape */
    uint32_t from;                 /* points after this number can be caught */
    uint32_t rounds;
};
#elif SCREEN
#define PAYLOAD_NUMBERS(X) X(ratio, screen.ratio) X(error, screen.error) X(least, screen.least)
#define PAYLOAD_FIXED(X)
struct payload_point {
    struct perturbed_screen screen;
    uint32_t rounds;
};
#else
#define PAYLOAD_NUMBERS(X)
#define PAYLOAD_FIXED(X)
struct payload_point {
    uint32_t rounds;
};
#endif
#define EACH_NUMBER(X) PAYLOAD_NUMBERS(X) PAYLOAD_FIXED(X)
/* clang-format on */

/* The payload of a vector in memory, and in registers. */
struct payload_lanes {
#define MEMBER(name, at) _Alignas(64) double name[LANES];
    EACH_NUMBER(MEMBER)
#undef MEMBER
    uint32_t rounds[LANES];
};

struct payload {
#define MEMBER(name, at) real name;
    EACH_NUMBER(MEMBER)
#undef MEMBER
    char none;
};

INLINE void payload_take(const struct payload_point *from, struct payload_lanes *to, int lane) {
#define TAKE(name, at) to->name[lane] = from->at;
    EACH_NUMBER(TAKE)
    if (SLOPE || TRACE)
        to->rounds[lane] = from->rounds;
#undef TAKE
}

INLINE void payload_keep(const struct payload_lanes *from, int lane, struct payload_point *to) {
#define KEEP(name, at) to->at = from->name[lane];
    PAYLOAD_NUMBERS(KEEP)
    if (SLOPE || TRACE)
        to->rounds = from->rounds[lane];
#undef KEEP
}

INLINE struct payload payload_load(const struct payload_lanes *from) {
#define LOAD(name, at) .name = real_load(from->name),
    (void)from;
    return (struct payload){EACH_NUMBER(LOAD).none = 0};
#undef LOAD
}

INLINE void payload_store(struct payload_lanes *to, const struct payload *p) {
#define STORE(name, at) real_store(to->name, p->name);
    (void)to, (void)p;
    PAYLOAD_NUMBERS(STORE)
#undef STORE
}

/* Returns a in the lanes of `which`, b in the others. */
INLINE struct payload payload_select(lanes which, struct payload a, struct payload b) {
#define SELECT(name, at) b.name = lanes_select(which, a.name, b.name);
    (void)which, (void)a;
    PAYLOAD_NUMBERS(SELECT)
    return b;
#undef SELECT
}

INLINE void payload_count(struct payload_lanes *p, uint32_t rounds) {
    if (SLOPE || TRACE)
        EACH_LANE p->rounds[l] += rounds;
}

/* Returns the lanes that have made as many rounds as they may. */
INLINE unsigned payload_spent(const struct payload_lanes *p) {
    unsigned spent = 0;
    if (TRACE)
        EACH_LANE spent |= (unsigned)(p->rounds[l] >= TRACE_ROUNDS_MAX) << l;
    return spent;
}

#if SLOPE
#define payload_slope(p) (&(p)->slope)

/* Reads d of D into an array, for render/deep/perturbed_steps.h, and back. */
INLINE void slope_get(const struct payload *p, real d[4]) {
    d[0] = p->xa;
    d[1] = p->ya;
#if FOLDED
    d[2] = p->xb;
    d[3] = p->yb;
#else
    d[2] = d[3] = real_set(0);
#endif
}

INLINE void slope_put(const real d[4], struct payload *p) {
    p->xa = d[0];
    p->ya = d[1];
#if FOLDED
    p->xb = d[2];
    p->yb = d[3];
#endif
}

/* Follows step number `turn` of the orbit itself from w; the step adds `by`. */
INLINE struct payload slope_step_of(const struct perturbed_tables *t, uint32_t turn, real by,
                                    struct pair w, struct payload p) {
    real d[4];
    slope_get(&p, d);
    slope_single(perturbed_power(t, FOLDED, turn), perturbed_any_folds(t, FOLDED),
                 perturbed_folds(t, FOLDED, turn), w.re, w.im, by, d);
    slope_put(d, &p);
    return p;
}

INLINE struct payload slope_steps(const struct perturbed_tables *t, const struct turns *turns,
                                  uint32_t later, real by, struct pair w, struct payload p) {
    struct payload to;
    EACH_TURN(turns, later, turn, to, payload_select, slope_step_of(t, turn, by, w, p));
    return to;
}

INLINE void payload_single(const struct perturbed_tables *t, const struct turns *turns,
                           uint32_t later, struct pair w, struct payload *p) {
    *p = slope_steps(t, turns, later, p->by, w, *p);
}

INLINE void payload_fit(const struct perturbed_tables *t, unsigned alive, struct payload *p) {
    const bool folds = perturbed_any_folds(t, FOLDED);
    struct payload fit = *p;
    real d[4];
    slope_get(p, d);
    const real most = slope_size(folds, d);
    const lanes off = lanes_or(lanes_less(most, real_set(SLOPE_LEAST)),
                               lanes_not_less(most, real_set(SLOPE_MOST)));
    if ((lanes_bits(off) & alive) == 0)
        return;
    slope_fit(folds, real_set(t->unit), real_set(t->unit_log2), d, &fit.log2, &fit.by);
    slope_put(d, &fit);
    *p = payload_select(off, fit, *p);
}

INLINE double segment_number(const struct perturbed_tables *t, size_t at, int i) {
    double numbers[SEGMENT_NUMBERS];
    segment_numbers(t, FOLDED, at, numbers);
    return numbers[i];
}

/* Follows the round's segments, whose first steps add nothing. */
INLINE struct payload slope_along(const struct round *r, struct payload p) {
    const struct perturbed_tables *t = r->t;
    real numbers[SEGMENT_NUMBERS], d[4];
    _Pragma("GCC unroll 8") for (int i = 0; i < SEGMENT_NUMBERS; i++)
        EACH_SEGMENT(&r->source, at, numbers[i], segment_number(t, at, i));
    p = slope_steps(t, &r->turns, 0, real_set(0), r->w, p);
    slope_get(&p, d);
    real gr = r->slope.of_x.re, gi = r->slope.of_x.im;
    if (r->slope.crossing)
        source_slope_cross(&r->slope, numbers, &gr, &gi);
    slope_segment(perturbed_any_folds(t, FOLDED), gr, gi, numbers, real_set(t->unit),
                  real_set(t->unit_log2), d, &p.log2, &p.by);
    slope_put(d, &p);
    return p;
}

INLINE void payload_round(const struct round *r, struct payload *p) {
    if (!source_has_any(&r->source)) {
        payload_single(r->t, &r->turns, 0, r->w, p);
        return;
    }
    const struct payload along = slope_along(r, *p);
    if (r->source.each) {
        payload_single(r->t, &r->turns, 0, r->w, p);
        *p = payload_select(lanes_of(r->source.each->plain), *p, along);
    } else {
        *p = along;
    }
}
#elif TRACE
#include "cpu/deep/payload_trace.h"
#elif SCREEN
#include "cpu/deep/payload_screen.h"
#else
#define payload_single(t, turns, later, w, p) ((void)(p))
#define payload_round(round, p)               ((void)(round), (void)(p))
#endif
#if !SLOPE && !TRACE
#define payload_slope(p)         ((void)(p), (struct perturbed_slope *)NULL)
#define payload_fit(t, alive, p) ((void)(p))
#endif
#if SCREEN
#define payload_screen(p) (&(p)->screen)
#else
#define payload_screen(p)                             ((void)(p), (struct perturbed_screen *)NULL)
#define payload_turn(p, lane, zr, zi)                 ((void)(p))
#define payload_land(p, lane, wr, wi, zr, zi, leaves) ((void)(p))
#define payload_block(p)                              ((void)(p))
#define payload_block_end(p, lane)                    ((void)(p))
#endif

#if !TRACE
/* Returns the segment that all living lanes take at index m for x, or NONE or APART. */
INLINE int64_t find_together(const struct source *s, unsigned alive, uint32_t m, struct pair x,
                             const struct payload *p) {
    const struct perturbed_tables *t = s->t;
    const uint32_t list = t->list_at[m];
    (void)p;
    if (list == 0)
        return NONE;
    const real most = pair_most(x);
    const uint32_t first = t->list[list - 1].first;
    for (uint32_t i = t->usable[list - 1]; i-- > 0;) {
        const double T = extended_any_power(perturbed_t_log2(t, &t->segment[first + i]));
        const unsigned over = lanes_bits(lanes_not_less(most, real_set(T))) & alive;
        if (over == 0)
            return first + i;
        if (over != alive)
            return APART;
    }
    return NONE;
}

/* Finds the segment of each living lane. */
INLINE void find_each(const struct source *s, unsigned alive, const uint32_t m[LANES],
                      struct pair x, const struct payload *p, int64_t found[LANES]) {
    _Alignas(64) double most[LANES];
    (void)p;
    real_store(most, pair_most(x));
    EACH_LANE found[l] =
        alive >> l & 1 ? perturbed_find(s->t, m[l], perturbed_log2(most[l])) : NONE;
}
#endif

#endif
