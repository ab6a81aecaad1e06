/* Perturbed orbits between the stages of their kernel: where they stand, lists of them, and how they
 * end. */
#ifndef FATHOM_CPU_DEEP_ORBITS_H
#define FATHOM_CPU_DEEP_ORBITS_H

#include "cpu/escape/tile.h"
#include "cpu/lanes_deep.h"
#include "render/deep/perturbed_point.h"

/* An orbit that goes on, as it is kept: the tail's has m = PERTURBED_TAIL. */
struct state {
    double zr, zi;
    uint32_t m, n;
    int32_t log2, spare;
};

struct list {
    uint16_t *id;
    size_t size;
};

INLINE void add(struct list *list, uint32_t id) {
    list->id[list->size++] = (uint16_t)id;
}

#ifdef PERTURBED_FOLDED
#define FOLDED true
#else
#define FOLDED false
#endif

/* What stages are compiled for apart, so that one formula's loops look up nothing. */
INLINE bool takes_turns(const struct perturbed_tables *t) {
    return FOLDED && t->steps.length > 1;
}

#if defined PERTURBED_FOLDED && defined PERTURBED_SLOPE
#define ISA_NAME2(stage, isa) stage##_folded_slope_##isa
#elif defined PERTURBED_FOLDED
#define ISA_NAME2(stage, isa) stage##_folded_##isa
#elif defined PERTURBED_SLOPE
#define ISA_NAME2(stage, isa) stage##_slope_##isa
#else
#define ISA_NAME2(stage, isa) stage##_##isa
#endif
#define ISA_NAME1(stage, isa) ISA_NAME2(stage, isa)
#define ISA_NAME(stage)       ISA_NAME1(stage, TILE_ISA_NAME)

#define STOP_ROUNDS 1024u /* between looks at `stop` */

/* The derivative of an orbit, which has made so many rounds. */
struct orbit_slope {
    struct perturbed_slope d;
    uint32_t rounds;
};

struct kernel {
    const struct tile_points *p;
    const struct perturbed_tables *t;
    struct tile_samples *samples;
    struct perturbed_cycle *cycle; /* of each point */
    struct perturbed_point *orbit; /* of each point; in the tail z is the orbit itself */
    struct orbit_slope *slope;     /* of each point, with PERTURBED_SLOPE */
    struct list extended, around, tail, escaped;
    struct list again;         /* around the reference in the next round of stages */
    uint64_t rounds, executed; /* the latter: steps, in which a segment is one */
};

INLINE bool stopped(struct kernel *k) {
    return k->rounds++ % STOP_ROUNDS == 0 && atomic_load_explicit(k->p->stop, memory_order_relaxed);
}

/* An orbit that has got to the limit. */
INLINE void end_at_limit(struct kernel *k, uint32_t id, uint32_t m) {
    const struct perturbed_point *o = &k->orbit[id];
    struct tile_samples *samples = k->samples;
    if (!samples->undecided)
        return;
    const size_t to = samples->undecided_size++;
    samples->undecided[to] = (uint16_t)id;
    ((struct state *)samples->states)[to] = (struct state){o->zr, o->zi, m, o->n, o->log2, 0};
}

/* The stage around the reference: takes the orbits of its list, up to a vector of them from the
 * `at`th on, to where they end or go to another stage. False: stopped. */
bool ISA_NAME(around)(struct kernel *k, size_t at, size_t size);

#endif
