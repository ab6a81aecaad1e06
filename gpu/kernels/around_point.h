/* Orbit around a reference: the functions that depend on its number type, AROUND_DOUBLES or
 * AROUND_WIDE. A program has one of the two. around_point, around_stored and around_events are the
 * types of a point, of its stored state, and of the events that its rounds detect. */
#ifndef FATHOM_GPU_KERNELS_AROUND_POINT_H
#define FATHOM_GPU_KERNELS_AROUND_POINT_H

/* State of an orbit that may continue; frame_req_state_size returns its size. */
struct around_state {
    double zr, zi;
    uint32_t m, n;
    int32_t log2, spare;
};

#ifdef AROUND_DOUBLES
typedef struct perturbed_point around_point;
typedef struct around_state around_stored;
typedef struct perturbed_cycle around_events;

INLINE void around_load(struct perturbed_point *o, const GLOBAL struct around_state *state) {
    o->zr = state->zr;
    o->zi = state->zi;
    o->m = state->m;
    o->n = state->n;
    o->log2 = state->log2;
}

INLINE void around_store(GLOBAL struct around_state *at, const struct perturbed_point *o) {
    at->zr = o->zr;
    at->zi = o->zi;
    at->m = o->m;
    at->n = o->n;
    at->log2 = o->log2;
}

/* Returns true if a point that continues after `before` steps certainly never escapes. */
INLINE bool around_is_inside(const struct perturbed_tables *t, uint32_t before,
                             const struct perturbed_point *o) {
    return minibrot_decides_between(&t->minibrot, before / t->last, o->cr, o->ci);
}

INLINE void around_begin(const struct perturbed_tables *t, struct perturbed_point *o) {
    perturbed_begin(t, o);
}

INLINE enum perturbed_end around_run(const struct perturbed_tables *t, const bool folded,
                                     struct perturbed_point *o, uint32_t until, const bool cycle,
                                     struct perturbed_cycle *events, uint32_t *rounds) {
    return perturbed_run(t, folded, o, until, cycle, events, rounds);
}

/* Returns the fraction of an escaped orbit. Sets *left to the last |z|^2. */
INLINE float around_fraction(const struct perturbed_tables *t, const bool folded,
                             const struct recipe *recipe, struct perturbed_point *o, float *left) {
    double cr, ci, n2 = norm2(o->zr, o->zi);
    uint32_t steps = 0;
    perturbed_place_of(t, o, &cr, &ci);
    for (; n2 < (double)SMOOTH_NORM2 && steps < SMOOTH_STEPS; steps++) {
        perturbed_direct_step(t, folded, perturbed_turn(t, folded, o->n + steps), &o->zr, &o->zi,
                              cr, ci);
        n2 = norm2(o->zr, o->zi);
    }
    *left = (float)n2;
    return sample_fraction((float)n2, (int)steps,
                           folded ? recipe_scale(recipe, o->n + steps) : 1.0f);
}
#endif

#ifdef AROUND_WIDE
struct around_wide {
    struct wide zr, zi;
    uint32_t m, n;
    int32_t log2, spare;
};

typedef struct wide_point around_point;
typedef struct around_wide around_stored;
typedef struct wide_cycle around_events;

INLINE void around_load(struct wide_point *o, const GLOBAL struct around_wide *state) {
    o->zr = state->zr;
    o->zi = state->zi;
    o->m = state->m;
    o->n = state->n;
    o->log2 = state->log2;
}

INLINE void around_store(GLOBAL struct around_wide *at, const struct wide_point *o) {
    at->zr = o->zr;
    at->zi = o->zi;
    at->m = o->m;
    at->n = o->n;
    at->log2 = o->log2;
}

INLINE bool around_is_inside(const struct perturbed_tables *t, uint32_t before,
                             const struct wide_point *o) {
    return minibrot_decides_between(&t->minibrot, before / t->last, o->cr.hi, o->ci.hi);
}

INLINE void around_begin(const struct perturbed_tables *t, struct wide_point *o) {
    wide_begin(t, o);
}

INLINE enum perturbed_end around_run(const struct perturbed_tables *t, const bool folded,
                                     struct wide_point *o, uint32_t until, const bool cycle,
                                     struct wide_cycle *events, uint32_t *rounds) {
    return wide_run(t, folded, o, until, cycle, events, rounds);
}

INLINE float around_fraction(const struct perturbed_tables *t, const bool folded,
                             const struct recipe *recipe, struct wide_point *o, float *left) {
    struct wide cr, ci;
    double n2 = norm2(o->zr.hi, o->zi.hi);
    uint32_t steps = 0;
    wide_place_of(t, o, &cr, &ci);
    for (; n2 < (double)SMOOTH_NORM2 && steps < SMOOTH_STEPS; steps++) {
        wide_direct_step(t, folded, perturbed_turn(t, folded, o->n + steps), &o->zr, &o->zi, cr,
                         ci);
        n2 = norm2(o->zr.hi, o->zi.hi);
    }
    *left = (float)n2;
    return sample_fraction((float)n2, (int)steps,
                           folded ? recipe_scale(recipe, o->n + steps) : 1.0f);
}
#endif

#endif
