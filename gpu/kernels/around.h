/* Pixel of a perturbed picture: continues its orbit like direct.h, with rounds instead of steps. */
#ifndef FATHOM_GPU_KERNELS_AROUND_H
#define FATHOM_GPU_KERNELS_AROUND_H

#include "gpu/kernels/around_point.h"

/* Continues the orbit of a pixel, like direct_advance; `o` must be 0. */
INLINE bool around_advance(const struct iterate_task *a, const struct iterate_args *at,
                           const struct perturbed_tables *t, const bool folded, const bool cycle,
                           uint32_t x, uint32_t y, uint32_t before, around_point *o,
                           struct work *work) {
    const uint32_t pixel = y * a->width + x;
    GLOBAL around_stored *state = (GLOBAL around_stored *)at->states + (pixel - a->first);
    around_events events = {0};
    events.next = PERTURBED_CYCLE_FIRST;
    number_place(at->coords, a->layout, a->width, x, y, &o->cr, &o->ci);
    if (before > 0)
        around_load(o, state);
    else
        around_begin(t, o);
    enum perturbed_end end = PERTURBED_RETURNS;
    uint32_t executed = 0;
    if (!cycle || before == 0 || !around_is_inside(t, before, o)) {
        executed = LISTS ? a->steps : ~0u;
        end = around_run(t, folded, o, a->limit, cycle, &events, &executed);
    }
    float fraction = 0.0f, norm2 = 0.0f;
    uint32_t count = o->n;
    bool final = true;
    if (end == PERTURBED_ESCAPED && count <= a->limit) {
        fraction = around_fraction(t, folded, &a->recipe, o, &norm2);
    } else if (end == PERTURBED_RETURNS) {
        o->n = a->limit;
        count = SAMPLE_NEVER;
    } else {
        if (end == PERTURBED_ESCAPED) { /* after the limit: z = W, from index 0 */
            o->m = 0;
            count = a->limit;
        }
        count = count < SAMPLE_COUNT_MASK ? count : SAMPLE_COUNT_MASK - 1;
        final = count >= a->limit;
        count |= SAMPLE_INTERIOR;
        around_store(state, o);
    }
    const uint32_t steps = (o->n < a->limit ? o->n : a->limit) - before;
    work->steps += executed;
    work->skipped += steps > executed ? steps - executed : 0;
    work->done += final;
    return iterate_store(a, at, pixel, count, fraction, norm2, final);
}

#endif
