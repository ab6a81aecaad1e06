/* Screened pixel (render/number/screen.h): two orbits in doubles, one per launch. The planes store
 * the first orbit's result, except its count, which the state stores. */
#ifndef FATHOM_GPU_KERNELS_SCREENED_H
#define FATHOM_GPU_KERNELS_SCREENED_H

#include "gpu/kernels/around_point.h"

/* State of a point until it is found to be doubtful. */
struct screened_state {
    double zr, zi;
    uint32_t m, n;
    int32_t log2;
    uint32_t count; /* count of the point itself, once known */
    /* SCREEN_NOT_WIDE; distinguishes this state from an around_wide, whose m lies here */
    uint32_t not_wide;
    uint32_t spare[3];
};

/* Stores the state and marks the sample as missing. */
INLINE void screened_store(const struct iterate_args *at, uint32_t pixel,
                           const struct perturbed_point *o, uint32_t count,
                           GLOBAL struct screened_state *state) {
    const struct screened_state is = {o->zr, o->zi,           o->m, o->n, o->log2,
                                      count, SCREEN_NOT_WIDE, {0}};
    *state = is;
    PLANE(at->planes, count)[pixel] = SAMPLE_MISSING;
}

/* Compares the count `own` with `count` and `fraction` of the orbit next to the point, and stores
 * the pixel's result. */
INLINE void screened_judge(const struct iterate_task *a, const struct iterate_args *at,
                           uint32_t pixel, const struct perturbed_point *o, uint32_t own,
                           uint32_t count, float fraction, GLOBAL struct screened_state *state,
                           struct work *work) {
    const float own_fraction = PLANE(at->planes, fraction)[pixel];
    const enum screen screen = screen_of(own, own_fraction, count, fraction);
    if (screen == SCREEN_OPEN) { /* is iterated again from the start if the limit is raised */
        own = a->limit | SAMPLE_INTERIOR;
        screened_store(at, pixel, o, own, state);
    }
    PLANE(at->planes, count)[pixel] = screen == SCREEN_DOUBTFUL ? SAMPLE_MISSING : own;
    if (screen != SCREEN_DOUBTFUL && at->rgba)
        STORE_RELAXED(at->rgba[pixel], shade(&a->shades, at->table, own, own_fraction));
    work->done += screen != SCREEN_DOUBTFUL;
}

/* Iterates one of the two orbits: from the stored state for a list, otherwise from the start.
 * Returns true if it must continue in the next round. */
INLINE bool screened_advance(const struct iterate_task *a, const struct iterate_args *at,
                             const struct perturbed_tables *t, const bool folded,
                             const bool neighbour, const bool cycle, uint32_t x, uint32_t y,
                             bool fresh, uint32_t before, struct work *work) {
    const uint32_t pixel = y * a->width + x;
    GLOBAL struct screened_state *state =
        (GLOBAL struct screened_state *)at->states + (pixel - a->first);
    struct perturbed_point o = {0.0, 0.0, 0.0, 0.0, 0, 0, 0};
    struct wide cr, ci;
    uint32_t own = 0;
    if (!fresh && (before > 0 || neighbour || a->listed)) {
        const struct screened_state was = *state;
        own = was.count;
        if (before > 0 && was.not_wide != SCREEN_NOT_WIDE)
            return false; /* the pixel is doubtful */
        if (a->listed) {
            o.zr = was.zr;
            o.zi = was.zi;
            o.m = was.m;
            o.n = was.n;
            o.log2 = was.log2;
        }
    }
    number_place(at->coords, a->aligned, a->width, x, y, &cr, &ci);
    o.cr = neighbour ? cr.hi * SCREEN_NEIGHBOUR : cr.hi;
    o.ci = neighbour ? ci.hi * SCREEN_NEIGHBOUR : ci.hi;
    if (!a->listed)
        perturbed_begin(t, &o);
    const uint32_t begun = o.n;
    uint32_t executed = LISTS ? a->steps : ~0u;
    struct perturbed_cycle events = {0};
    events.next = PERTURBED_CYCLE_FIRST;
    enum perturbed_end end = PERTURBED_RETURNS;
    if (!cycle || !a->listed || !around_is_inside(t, begun, &o))
        end = perturbed_run(t, folded, &o, a->limit, cycle, &events, &executed);
    else
        executed = 0;
    const uint32_t steps = (o.n < a->limit ? o.n : a->limit) - begun;
    work->steps += executed;
    work->skipped += !neighbour && steps > executed ? steps - executed : 0;
    if (end == PERTURBED_GOES_ON && o.n < a->limit) {
        screened_store(at, pixel, &o, own, state);
        return true;
    }
    float fraction = 0.0f, norm2 = 0.0f;
    uint32_t count = end == PERTURBED_RETURNS ? SAMPLE_NEVER : a->limit | SAMPLE_INTERIOR;
    if (end == PERTURBED_ESCAPED && o.n <= a->limit) {
        count = o.n;
        fraction = around_fraction(t, folded, &a->recipe, &o, &norm2);
    }
    if (neighbour) {
        screened_judge(a, at, pixel, &o, own, count, fraction, state, work);
        return false;
    }
    iterate_store(a, at, pixel, count, fraction, norm2, false);
    screened_store(at, pixel, &o, count, state);
    return false;
}

#endif
