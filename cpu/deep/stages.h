/* Perturbation kernel (SIMD): the order of its stages. A part of perturbed_tmpl.c and trace_tmpl.c,
 * which define the functions that are declared here. */
#ifndef FATHOM_CPU_DEEP_STAGES_H
#define FATHOM_CPU_DEEP_STAGES_H

#include "cpu/deep/kernel.h"

/* Takes an orbit to where a double holds its distance. Returns false if stopped. Inlined, it would
 * take registers from the loops of the tail. */
static __attribute__((noinline)) bool run_extended(struct kernel *k, uint32_t id);
/* Makes a block of steps of the tail, which add c. Returns the lanes whose orbits end, or return to
 * the reference, in the block. */
INLINE unsigned run_block(const struct kernel *k, struct group *g, const bool take_turns,
                          struct pair c);
/* Stores a lane's orbit after a block. `special` is its bit of run_block. Returns false if the
 * orbit has left the tail. */
INLINE bool end_block(struct kernel *k, struct group *g, const bool take_turns, int lane,
                      bool special);

/* Returns c as it is. */
INLINE struct pair places(const struct perturbed_tables *t, const struct group *g) {
    const struct pair of = {value_set(t->re, t->re_low), value_set(t->im, t->im_low)};
    return pair_add(of, pair_scale(pair_load(&g->c), real_set(extended_any_power(t->c_log2))));
}

/* Takes the orbits of the tail's list from block to block. Returns false if stopped. */
INLINE bool run_tail(struct kernel *k, const bool take_turns) {
    struct group g = {.alive = 0};
    struct pair c = places(k->t, &g);
    for (size_t next = 0; g.alive || next < k->tail.size;) {
        /* Not more often: vector loads wait for the stores of single lanes. */
        if (next < k->tail.size && __builtin_popcount(g.alive) <= LANES / 2) {
            load_idle(k, &k->tail, &next, &g);
            c = places(k->t, &g);
        }
        if (stopped(k))
            return false;
        const unsigned special = run_block(k, &g, take_turns, c);
        k->executed += PERTURBED_TAIL_STEPS * (unsigned)__builtin_popcount(g.alive);
        for (unsigned left = g.alive; left; left &= left - 1) {
            const int l = __builtin_ctz(left);
            if (!end_block(k, &g, take_turns, l, special >> l & 1))
                g.alive &= ~(1u << l);
        }
    }
    k->tail.size = 0;
    return true;
}

/* Takes all orbits from stage to stage until each has escaped or ended. Returns false if
 * stopped. */
static bool run_stages(struct kernel *k) {
    while (k->extended.size + k->around.size + k->tail.size > 0) {
        for (size_t i = 0; i < k->extended.size; i++)
            if (!run_extended(k, k->extended.id[i]))
                return false;
        k->extended.size = 0;
        if (!KERNEL_NAME(around_)(k))
            return false;
        const struct list done = k->around;
        k->around = k->again;
        k->again = (struct list){.id = done.id};
        if (!(takes_turns(k->t) ? run_tail(k, true) : run_tail(k, false)))
            return false;
    }
    return true;
}

#endif
