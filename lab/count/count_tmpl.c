/* Counting kernels (SIMD), compiled once per instruction set and number type: count a row, some
 * vectors at a time. */
#include "cpu/escape/value.h"
#include "cpu/lanes_count.h"
#include "lab/count/count.h"
#include "render/formula/formula.h"
#include "render/interior.h"
#include <string.h>

#define VECTORS 4 /* vectors in lockstep, to hide latency */
/* Vectors in lockstep while every step is counted, which needs more registers. */
#define PAIR         2
#define POINTS       (VECTORS * LANES)
#define EACH_OF_PAIR _Pragma("GCC unroll 2") for (int v = first; v < first + PAIR; v++)
#define EACH         _Pragma("GCC unroll 4") for (int v = 0; v < VECTORS; v++)
#define SINGLY       16u /* steps with a test each */
#define BLOCK        8u  /* steps between two tests after that */

_Static_assert(POINTS <= COUNT_GROUP_MAX, "whole groups fit into the padding");

struct orbits {
    real ci, cr[VECTORS], zr[VECTORS], zi[VECTORS];
};

INLINE void step(struct orbits *o, int v) {
    const real zr = o->zr[v], zi = o->zi[v];
    o->zr[v] = (zr * zr - zi * zi) + o->cr[v];
    o->zi[v] = real_twice(zr * zi, o->ci);
}

INLINE lanes bounded(const struct orbits *o, int v) {
    return lanes_less(o->zr[v] * o->zr[v] + o->zi[v] * o->zi[v], real_set(4));
}

/* Counts the first steps of two vectors from z = c on. Sets `alive` to the lanes that are bounded
 * after `steps` steps. */
INLINE void count_first(struct orbits *o, int first, uint32_t steps, uint32_t *count,
                        unsigned alive[VECTORS]) {
    lanes in[VECTORS];
    counter counts[VECTORS];
    EACH_OF_PAIR {
        in[v] = LANES_TRUE;
        counts[v] = counter_set(1);
    }
    for (uint32_t n = 1;; n++) {
        EACH_OF_PAIR {
            in[v] = lanes_both(in[v], bounded(o, v));
            counts[v] = counter_add(counts[v], in[v]);
        }
        if (n == steps || lanes_bits(lanes_either(in[first], in[first + 1])) == 0)
            break;
        EACH_OF_PAIR step(o, v);
    }
    EACH_OF_PAIR {
        counter_store(count + (size_t)v * LANES, counts[v]);
        alive[v] = lanes_bits(in[v]);
    }
}

/* Steps lanes of a vector after n steps, with a test each. Returns the lanes that stay bounded. */
INLINE unsigned count_singly(struct orbits *o, int v, unsigned alive, uint32_t n, uint32_t steps,
                             uint32_t *count) {
    for (uint32_t k = 1; k <= steps && alive; k++) {
        step(o, v);
        const unsigned now = lanes_bits(bounded(o, v)) & alive;
        for (unsigned gone = alive & ~now; gone; gone &= gone - 1)
            count[v * LANES + __builtin_ctz(gone)] = n + k;
        alive = now;
    }
    return alive;
}

/* Iterates the lanes `alive`, which have done n steps, up to the limit. Orbits with |c|^2 <
 * FORMULA_SAFE stay outside after their escape, so a single test serves a block of steps. A block
 * with an escape is repeated. With `cycles`, orbits that return to an earlier point are dropped,
 * because such orbits never escape. */
INLINE void count_on(struct orbits o, unsigned alive[VECTORS], uint32_t n, uint32_t limit,
                     bool cycles, uint32_t *count) {
    struct orbits kept = o;
    uint32_t kept_until = 2 * n, steps;
    bool any = true, safe = true;
    EACH {
        const real c2 = o.cr[v] * o.cr[v] + o.ci * o.ci;
        const unsigned inner = lanes_bits(lanes_less(c2, real_set((number)FORMULA_SAFE)));
        safe = safe && (alive[v] & inner) == alive[v];
    }
    for (; any && n < limit; n += steps) {
        struct orbits before = o;
        any = false;
        steps = limit - n < BLOCK || !safe ? 1 : BLOCK;
        for (uint32_t k = 0; k < steps; k++)
            EACH step(&o, v);
        EACH {
            if ((lanes_bits(bounded(&o, v)) & alive[v]) != alive[v])
                alive[v] = count_singly(&before, v, alive[v], n, steps, count);
            if (cycles)
                alive[v] &=
                    ~(unsigned)lanes_bits(lanes_equal(o.zr[v], kept.zr[v], o.zi[v], kept.zi[v]));
            any = any || alive[v];
        }
        if (cycles && n >= kept_until) {
            kept = o;
            kept_until = 2 * n;
        }
    }
}

/* Sets the counts of bounded lanes to 0, and drops the lanes that are surely interior. Returns true
 * if any lane is left. */
INLINE bool any_left(const struct count_points *p, size_t at, unsigned alive[VECTORS]) {
    bool any = false;
    for (int v = 0; v < VECTORS; v++)
        for (unsigned bits = alive[v]; bits; bits &= bits - 1) {
            const int lane = __builtin_ctz(bits);
            const size_t i = at + (size_t)(v * LANES + lane);
            p->count[i] = 0;
            if (i >= p->size || (p->shortcuts & SHORTCUTS_CARDIOID &&
                                 interior_surely((double)((const number *)p->re)[i], p->im,
                                                 (double)INTERIOR_MARGIN)))
                alive[v] &= ~(1u << lane);
            else
                any = true;
        }
    return any;
}

#define NAME2(isa, type) count_##isa##_##type
#define NAME(isa, type)  NAME2(isa, type)

void NAME(TILE_ISA_NAME, TILE_TYPE_NAME)(const struct count_points *p) {
    const uint32_t steps = p->limit < SINGLY ? p->limit : SINGLY;
    for (size_t at = 0; at < p->size; at += POINTS) {
        struct orbits o = {.ci = real_set((number)p->im)};
        unsigned alive[VECTORS];
        EACH {
            o.cr[v] = o.zr[v] = real_load((const number *)p->re + at + (size_t)v * LANES);
            o.zi[v] = o.ci;
        }
        for (int first = 0; first < VECTORS; first += PAIR)
            count_first(&o, first, steps, p->count + at, alive);
        if (any_left(p, at, alive))
            count_on(o, alive, steps, p->limit, p->shortcuts & SHORTCUTS_CYCLE, p->count + at);
    }
}
