/* Screened pixel (render/number/screen.h): an orbit in doubles with an estimate of its
 * rounding error. A doubtful pixel remains missing, and is iterated in wide numbers. */
#ifndef FATHOM_GPU_KERNELS_SCREENED_H
#define FATHOM_GPU_KERNELS_SCREENED_H

#include "gpu/kernels/around_point.h"

/* State of a point until it is found to be doubtful. */
struct screened_state {
    double zr, zi, ratio, error;
    /* SCREEN_NOT_WIDE; distinguishes this state from an around_wide, whose m lies here */
    uint32_t not_wide;
    uint32_t m, n;
    int32_t log2;
};

INLINE void screened_load(struct perturbed_point *o, const GLOBAL struct screened_state *state) {
    o->zr = state->zr;
    o->zi = state->zi;
    o->screen.ratio = state->ratio;
    o->screen.error = state->error;
    o->m = state->m;
    o->n = state->n;
    o->log2 = state->log2;
}

INLINE void screened_store(GLOBAL struct screened_state *at, const struct perturbed_point *o) {
    at->zr = o->zr;
    at->zi = o->zi;
    at->ratio = o->screen.ratio;
    at->error = o->screen.error;
    at->not_wide = SCREEN_NOT_WIDE;
    at->m = o->m;
    at->n = o->n;
    at->log2 = o->log2;
}

/* Iterates a pixel's orbit: from the stored state for a list, otherwise from the start, also if it
 * is open and the limit has been raised. Returns true if it must continue in the next round. */
INLINE bool screened_advance(const struct iterate_task *a, const struct iterate_args *at,
                             const struct perturbed_tables *t, const bool folded, const bool cycle,
                             uint32_t x, uint32_t y, uint32_t before, struct work *work) {
    const uint32_t pixel = y * a->width + x;
    GLOBAL struct screened_state *state =
        (GLOBAL struct screened_state *)at->states + (pixel - a->first);
    struct perturbed_point o = {0};
    struct wide cr, ci;
    if (before > 0 && state->not_wide != SCREEN_NOT_WIDE)
        return false; /* the pixel is doubtful */
    number_place(at->coords, a->layout, a->width, x, y, &cr, &ci);
    o.cr = cr.hi;
    o.ci = ci.hi;
    if (a->listed)
        screened_load(&o, state);
    else
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
    work->skipped += steps > executed ? steps - executed : 0;
    if (end == PERTURBED_GOES_ON && o.n < a->limit) {
        screened_store(state, &o);
        PLANE(at->planes, count)[pixel] = SAMPLE_MISSING;
        return true;
    }
    const enum screen screen = perturbed_screen_judge(t, folded, &o, end, a->limit);
    if (screen == SCREEN_DOUBTFUL) {
        PLANE(at->planes, count)[pixel] = SAMPLE_MISSING;
        return false;
    }
    float fraction = 0.0f, norm2 = 0.0f;
    uint32_t count = o.n;
    if (screen == SCREEN_OPEN) {
        screened_store(state, &o);
        count = a->limit | SAMPLE_INTERIOR;
    } else if (end == PERTURBED_ESCAPED) {
        fraction = around_fraction(t, folded, &a->recipe, &o, &norm2);
    } else {
        count = SAMPLE_NEVER;
    }
    work->done++;
    iterate_store(a, at, pixel, count, fraction, norm2, true);
    return false;
}

#endif
