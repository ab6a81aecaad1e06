/* Payloads of the perturbation kernel (SIMD): what orbits carry along beside their own place.
 *
 * A payload is PAYLOAD_NUMBERS doubles per orbit, of which the first PAYLOAD_FIXED never change, and the number of rounds
 * that the orbit has made. payload_slope.h has the derivative, with PERTURBED_SLOPE; payload_trace.h has means and traps,
 * with PERTURBED_TRACE; otherwise there is none. Each defines these numbers, struct payload_more, and
 *   payload_single(t, turns, later, w, p): follows steps of the orbit itself from w, `later` steps after `turns`;
 *   payload_round(round, p): follows a round around the reference;
 *   payload_fit(t, alive, p): scales numbers that have become too small or too large;
 *   find_together(source, alive, m, x, p), find_each(source, alive, m, x, p, found): choose segments that the payload can
 *     follow. */
#ifndef FATHOM_CPU_DEEP_PAYLOAD_H
#define FATHOM_CPU_DEEP_PAYLOAD_H

#include "cpu/deep/segment.h"

/* A round of a vector around its reference. */
struct round {
    const struct perturbed_tables *t;
    struct source source;
    struct turns turns, last; /* the lanes' first steps, and their last ones */
    struct pair w, single;    /* W before; z after a single step */
    struct pair next,
        end;           /* W after the first step of lanes that take a segment; W after the round */
    struct pair slope; /* the derivative of the segments' sums */
    real length;       /* of the lanes' segments [steps] */
};

#if defined PERTURBED_SLOPE
/* D of render/deep/perturbed_steps.h. Where nothing folds its second half is not used. */
enum { SLOPE_LOG2, SLOPE_BY, SLOPE_D, PAYLOAD_NUMBERS = SLOPE_D + (FOLDED ? 4 : 2) };
#define PAYLOAD_ROOM       (SLOPE_D + 4)
#define PAYLOAD_FIXED      0
#define PAYLOAD_ROUNDS_MAX UINT32_MAX
#define PAYLOAD_ARRIVES    false
struct payload_more {
    int32_t none;
};
#elif defined PERTURBED_TRACE
#include "render/deep/perturbed_trace.h"
/* struct perturbed_trace. */
enum {
    TRACE_COUNT,  /* of steps at the escape */
    TRACE_FROM,   /* points after this number can be caught */
    TRACE_C_SIZE, /* |c| */
    TRACE_FIXED,
    TRACE_N = TRACE_FIXED, /* steps done */
    TRACE_SIZE,
    TRACE_STRIPE,
    TRACE_STRIPE_BEFORE,
    TRACE_TRIANGLE,
    TRACE_TRIANGLE_BEFORE,
    TRACE_SQUARE,
    TRACE_LINE,
    TRACE_CROSS,
    TRACE_CIRCLE,
    TRACE_NEAREST,
    TRACE_CAUGHT_R,
    TRACE_CAUGHT_I,
    PAYLOAD_NUMBERS
};
#define PAYLOAD_ROOM       PAYLOAD_NUMBERS
#define PAYLOAD_FIXED      TRACE_FIXED
#define PAYLOAD_ROUNDS_MAX TRACE_ROUNDS_MAX
#define PAYLOAD_ARRIVES    true /* reads where rounds end */
struct payload_more {
    struct extended tiny; /* of struct perturbed_trace; only scalar rounds change it */
};
#else
enum { PAYLOAD_NUMBERS };
#define PAYLOAD_ROOM       1
#define PAYLOAD_FIXED      0
#define PAYLOAD_ROUNDS_MAX UINT32_MAX
#define PAYLOAD_ARRIVES    false
struct payload_more {
    int32_t none;
};
#endif

/* The payload of a point, of the lanes of a vector in memory, and of a vector in registers. */
struct payload_point {
    double x[PAYLOAD_ROOM];
    struct payload_more more;
    uint32_t rounds;
};

struct payload_lanes {
    _Alignas(64) double x[PAYLOAD_ROOM][LANES];
    uint32_t rounds[LANES];
};

struct payload {
    real x[PAYLOAD_ROOM];
};

#define EACH_NUMBER _Pragma("GCC unroll 16") for (int i = 0; i < PAYLOAD_NUMBERS; i++)

INLINE void payload_take(const struct payload_point *from, struct payload_lanes *to, int lane) {
    EACH_NUMBER to->x[i][lane] = from->x[i];
    to->rounds[lane] = from->rounds;
}

INLINE void payload_keep(const struct payload_lanes *from, int lane, struct payload_point *to) {
    EACH_NUMBER to->x[i] = from->x[i][lane];
    to->rounds = from->rounds[lane];
}

INLINE struct payload payload_load(const struct payload_lanes *from) {
    struct payload p = {{real_set(0)}};
    EACH_NUMBER p.x[i] = real_load(from->x[i]);
    return p;
}

INLINE void payload_store(struct payload_lanes *to, const struct payload *p) {
    EACH_NUMBER if (i >= PAYLOAD_FIXED) real_store(to->x[i], p->x[i]);
}

/* Returns a in the lanes of `which`, b in the others. */
INLINE struct payload payload_select(lanes which, struct payload a, struct payload b) {
    EACH_NUMBER if (i >= PAYLOAD_FIXED) b.x[i] = lanes_select(which, a.x[i], b.x[i]);
    return b;
}

/* Sets the lanes of `which` back to what they were. */
INLINE void payload_restore(struct payload_lanes *to, const struct payload *before,
                            unsigned which) {
    const lanes back = lanes_of(which);
    EACH_NUMBER real_store(to->x[i], lanes_select(back, before->x[i], real_load(to->x[i])));
}

INLINE void payload_count(struct payload_lanes *p, uint32_t rounds, unsigned which) {
    if (PAYLOAD_NUMBERS > 0)
        EACH_LANE p->rounds[l] += which >> l & 1 ? rounds : 0;
}

/* Returns the lanes that have made as many rounds as they may. */
INLINE unsigned payload_spent(const struct payload_lanes *p) {
    unsigned spent = 0;
    if (PAYLOAD_ROUNDS_MAX < UINT32_MAX)
        EACH_LANE spent |= (unsigned)(p->rounds[l] >= PAYLOAD_ROUNDS_MAX) << l;
    return spent;
}

#if defined PERTURBED_SLOPE
#include "cpu/deep/payload_slope.h"
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
