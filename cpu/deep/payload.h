/* Payloads of the perturbation kernel (SIMD): what orbits carry along besides their own place.
 *
 * With PERTURBED_SLOPE that is the derivative, with PERTURBED_TRACE means and traps
 * (payload_trace.h), otherwise nothing. A payload defines
 *   PAYLOAD_NUMBERS(X), PAYLOAD_FIXED(X): its doubles, and those of them that never change along an
 *     orbit;
 *   payload_single(t, turns, later, w, p): follows steps of the orbit itself from w, `later` steps
 *     after `turns`;
 *   payload_round(round, p): follows a round around the reference;
 *   payload_fit(t, alive, p): scales numbers that have become too small or too large;
 *   find_together(source, alive, m, x, p), find_each(source, alive, m, x, p, found): choose
 *     segments that it can follow. */
#ifndef FATHOM_CPU_DEEP_PAYLOAD_H
#define FATHOM_CPU_DEEP_PAYLOAD_H

#include "cpu/deep/step.h"
#include "render/deep/perturbed_trace.h"

/* A round of a vector around its reference. */
struct round {
    const struct perturbed_tables *t;
    struct source source;
    struct turns turns, last; /* of the lanes' first steps; of their last ones */
    struct pair w, single;    /* W before the round; z after a single step */
    struct pair next, end;    /* W after the first steps; W after the round */
    struct pair slope;        /* derivative of the segments' sums */
    real length;              /* [steps] of the lanes' segments */
};

#if defined PERTURBED_SLOPE
/* D of render/deep/perturbed_steps.h: d[0] + i d[1] is xa + i ya. */
#ifdef PERTURBED_FOLDED
#define PAYLOAD_NUMBERS(X) X(log2) X(by) X(xa) X(ya) X(xb) X(yb)
#else
#define PAYLOAD_NUMBERS(X) X(log2) X(by) X(xa) X(ya)
#endif
#define PAYLOAD_FIXED(X)
#elif defined PERTURBED_TRACE
/* struct perturbed_trace; `n` steps have been done of the `count` to the escape. Points after
 * number `from` can be caught. */
/* clang-format off */
#define TRACE_NUMBERS(X)                                                                    \
    X(size) X(stripe) X(stripe_before) X(triangle) X(triangle_before) X(square) X(line)     \
    X(cross) X(circle) X(caught_r) X(caught_i)
/* clang-format on */
#define PAYLOAD_NUMBERS(X) X(n) X(nearest) TRACE_NUMBERS(X)
#define PAYLOAD_FIXED(X)   X(count) X(from) X(c_size)
#else
#define PAYLOAD_NUMBERS(X)
#define PAYLOAD_FIXED(X)
#endif

#ifdef PERTURBED_TRACE
#define TRACES true
#else
#define TRACES false
#endif
#ifdef PERTURBED_SLOPE
#define SLOPES true
#else
#define SLOPES false
#endif

#define EACH_NUMBER(X) PAYLOAD_NUMBERS(X) PAYLOAD_FIXED(X)

/* The payload of a point, of the lanes of a vector in memory, and of a vector in registers. */
struct payload_point {
#define MEMBER(name) double name;
    EACH_NUMBER(MEMBER)
#undef MEMBER
    uint32_t rounds;
#ifdef PERTURBED_TRACE
    struct extended tiny; /* of struct perturbed_trace; only scalar rounds change it */
#endif
};

struct payload_lanes {
#define MEMBER(name) _Alignas(64) double name[LANES];
    EACH_NUMBER(MEMBER)
#undef MEMBER
    uint32_t rounds[LANES];
};

struct payload {
#define MEMBER(name) real name;
    EACH_NUMBER(MEMBER)
#undef MEMBER
    char none;
};

INLINE void payload_take(const struct payload_point *from, struct payload_lanes *to, int lane) {
#define TAKE(name) to->name[lane] = from->name;
    EACH_NUMBER(TAKE)
    if (SLOPES || TRACES)
        to->rounds[lane] = from->rounds;
#undef TAKE
}

INLINE void payload_keep(const struct payload_lanes *from, int lane, struct payload_point *to) {
#define KEEP(name) to->name = from->name[lane];
    PAYLOAD_NUMBERS(KEEP)
    if (SLOPES || TRACES)
        to->rounds = from->rounds[lane];
#undef KEEP
}

INLINE struct payload payload_load(const struct payload_lanes *from) {
#define LOAD(name) .name = real_load(from->name),
    (void)from;
    return (struct payload){EACH_NUMBER(LOAD).none = 0};
#undef LOAD
}

INLINE void payload_store(struct payload_lanes *to, const struct payload *p) {
#define STORE(name) real_store(to->name, p->name);
    (void)to, (void)p;
    PAYLOAD_NUMBERS(STORE)
#undef STORE
}

/* Returns a in the lanes of `which`, b in the others. */
INLINE struct payload payload_select(lanes which, struct payload a, struct payload b) {
#define SELECT(name) b.name = lanes_select(which, a.name, b.name);
    (void)which, (void)a;
    PAYLOAD_NUMBERS(SELECT)
    return b;
#undef SELECT
}

INLINE void payload_count(struct payload_lanes *p, uint32_t rounds) {
    if (SLOPES || TRACES)
        EACH_LANE p->rounds[l] += rounds;
}

/* Returns the lanes that have made as many rounds as they may. */
INLINE unsigned payload_spent(const struct payload_lanes *p) {
    unsigned spent = 0;
    if (TRACES)
        EACH_LANE spent |= (unsigned)(p->rounds[l] >= TRACE_ROUNDS_MAX) << l;
    return spent;
}

#ifdef PERTURBED_SLOPE
/* Reads d of D into an array, for render/deep/perturbed_steps.h, and back. */
INLINE void slope_get(const struct payload *p, real d[4]) {
    d[0] = p->xa;
    d[1] = p->ya;
#ifdef PERTURBED_FOLDED
    d[2] = p->xb;
    d[3] = p->yb;
#else
    d[2] = d[3] = real_set(0);
#endif
}

INLINE void slope_put(const real d[4], struct payload *p) {
    p->xa = d[0];
    p->ya = d[1];
#ifdef PERTURBED_FOLDED
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
    slope_segment(perturbed_any_folds(t, FOLDED), r->slope.re, r->slope.im, numbers,
                  real_set(t->unit), real_set(t->unit_log2), d, &p.log2, &p.by);
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
#elif defined PERTURBED_TRACE
#include "cpu/deep/payload_trace.h"
#else
#define payload_single(t, turns, later, w, p) ((void)(p))
#define payload_round(round, p)               ((void)(round), (void)(p))
#define payload_fit(t, alive, p)              ((void)(p))
#endif

#ifndef PERTURBED_TRACE
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
        const double T = extended_any_power(t->segment[first + i].t_log2);
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
