/* Escaping orbits (SIMD): follows vectors of them to SMOOTH_NORM2, testing and counting every step.
 * The includer defines FORMULA, a value of FORMULA_KERNELS. */
#ifndef FATHOM_CPU_ESCAPE_ESCAPE_TAIL_H
#define FATHOM_CPU_ESCAPE_ESCAPE_TAIL_H

#include "cpu/escape/lists.h"
#include "cpu/escape/steps.h"
#include "render/sample.h"
#include <math.h>

#define EACH_TAIL   _Pragma("GCC unroll 8") for (int v = 0; v < TAIL_VECTORS; v++)
#define TAIL_ORBITS (TAIL_VECTORS * LANES)

#define HYBRID(recipe) (FORMULA == FORMULA_folded && (recipe)->length > 1)

/* TAIL_VECTORS vectors on their way to SMOOTH_NORM2. From there on |z| only grows. From the escape
 * radius on it stays outside too, except for the points that need care. */
struct escape_tail {
    value zr[TAIL_VECTORS], zi[TAIL_VECTORS];
    real steps[TAIL_VECTORS], norm2[TAIL_VECTORS]; /* as in struct endings */
    /* Steps done; for a hybrid, the steps that all lanes have done once their waits are over. */
    uint32_t done;
    /* Hybrids: steps that each lane has to wait until all lanes have the same phase. */
    real wait[TAIL_VECTORS];
};

INLINE void escape_tail_load(struct escape_tail *c, const struct orbits *list, size_t at) {
    EACH_TAIL {
        c->zr[v] = value_load(list->zr + at + v * LANES, TILE_LOW);
        c->zi[v] = value_load(list->zi + at + v * LANES, TILE_LOW);
        c->steps[v] = real_set(0);
        c->norm2[v] = real_set(INFINITY);
        c->wait[v] = real_set(0);
    }
    c->done = 0;
}

/* Marks the orbits that start beyond SMOOTH_NORM2 as arrived. An orbit that starts outside has
 * escaped before its first step, so that step is not counted. */
INLINE void escape_tail_start_outside(struct escape_tail *c) {
    EACH_TAIL {
        const real n = value_norm2(c->zr[v], c->zi[v]);
        const lanes arrived = lanes_not_less(n, real_set(SMOOTH_NORM2));
        c->norm2[v] = lanes_select(arrived, n, real_set(INFINITY));
        c->steps[v] = lanes_clear(arrived, real_set(ARRIVAL));
    }
}

/* Sets the waits of a hybrid's lanes. `start`: steps that the points of these vectors have done. */
INLINE void escape_tail_wait(struct escape_tail *c, const uint32_t *start, uint32_t length) {
    number wait[TAIL_ORBITS];
    for (int i = 0; i < TAIL_ORBITS; i++)
        wait[i] = (number)(int)(start[i] % length);
    EACH_TAIL c->wait[v] = real_load(wait + v * LANES);
}

/* Does one step of all lanes. Returns true while lanes other than `living` are on their way. */
INLINE bool escape_tail_step(const struct recipe *recipe, struct escape_tail *c,
                             const struct orbits *list, size_t at,
                             const unsigned living[TAIL_VECTORS]) {
    unsigned under = 0;
    const bool hybrid = HYBRID(recipe);
    value cr[TAIL_VECTORS], ci[TAIL_VECTORS], wr[TAIL_VECTORS], wi[TAIL_VECTORS];
    EACH_TAIL {
        cr[v] = value_load(list->cr + at + v * LANES, TILE_LOW);
        ci[v] = value_load(list->ci + at + v * LANES, TILE_LOW);
        wr[v] = c->zr[v];
        wi[v] = c->zi[v];
    }
    do_steps(recipe, c->done, TAIL_VECTORS, 1, c->zr, c->zi, cr, ci);
    c->done += hybrid;
    EACH_TAIL {
        real n = value_norm2(c->zr[v], c->zi[v]);
        if (hybrid) { /* a waiting lane keeps its z, and counts as if it had arrived */
            const lanes waits = lanes_not_less(c->wait[v], real_set(1));
            c->zr[v] = value_select(waits, wr[v], c->zr[v]);
            c->zi[v] = value_select(waits, wi[v], c->zi[v]);
            c->wait[v] = c->wait[v] - real_set(1);
            n = lanes_select(waits, real_set(INFINITY), n);
            under |= lanes_bits(waits);
        }
        const lanes escaped = lanes_not_less(n, real_set((number)recipe->escape));
        const lanes arrived = lanes_not_less(n, real_set(SMOOTH_NORM2));
        c->norm2[v] = real_least(lanes_select(arrived, n, real_set(INFINITY)), c->norm2[v]);
        c->steps[v] = (c->steps[v] + lanes_clear(arrived, real_set(ARRIVAL))) +
                      lanes_clear(escaped, real_set(1));
        under |= ~(lanes_bits(arrived) | living[v]) & ALL_LANES;
    }
    return under != 0;
}

#endif
