/* Perturbation kernel (scalar): a list of points around a reference orbit. With PERTURBED_SCREEN it
 * also judges their samples (render/number/screen.h). */
#ifndef FATHOM_CPU_SCALAR_AROUND_LIST_H
#define FATHOM_CPU_SCALAR_AROUND_LIST_H

#include "cpu/scalar/scalar.h"
#include "render/deep/perturbed_round.h"
#include "render/number/wide_round.h"

#ifdef NUMBER_WIDE
#define AROUND_WIDE
#else
#define AROUND_DOUBLES
#endif
#include "gpu/kernels/around_point.h"

/* Sets c of a point. */
INLINE void point_place(const struct tile_points *p, uint32_t id, around_point *o) {
    o->cr = list_value(p->cr, id);
    o->ci = list_value(p->ci, id);
}

/* Iterates a point's orbit to its end and stores the result. Returns false if stopped. */
INLINE bool advance(const struct tile_points *p, struct tile_samples *samples, const bool folded,
                    uint32_t id, uint64_t *executed) {
    const struct perturbed_tables *t = p->perturbed;
    around_events events = {.next = PERTURBED_CYCLE_FIRST};
    around_point o = {.m = 0, .n = 0, .log2 = 0};
    const around_stored *states = p->states;
    enum perturbed_end end = PERTURBED_GOES_ON;
    around_stored *state;
    point_place(p, id, &o);
    if (states && states[id].m != SCREEN_NOT_WIDE)
        around_load(&o, states + id);
    else
        around_begin(t, &o);
    do {
        uint32_t steps = STOP_STEPS;
        if (stopped(p))
            return false;
        end = around_run(t, folded, &o, p->limit, p->shortcuts & SHORTCUTS_CYCLE, &events, &steps);
        *executed += steps;
    } while (end == PERTURBED_GOES_ON && o.n < p->limit);
#ifdef PERTURBED_SCREEN
    samples->screen[id] = (uint8_t)perturbed_screen_judge(t, folded, &o, end, p->limit);
#endif
    if (end == PERTURBED_ESCAPED && o.n <= p->limit) {
        const uint32_t count = o.n;
        float norm2;
        const float fraction = around_fraction(t, folded, p->recipe, &o, &norm2);
        samples_escape(samples, id, count, fraction, norm2);
    } else if (end != PERTURBED_RETURNS && (state = samples_open(samples, id, sizeof *state))) {
        if (end == PERTURBED_ESCAPED) /* after the limit: z = W, from index 0 */
            o.m = 0;
        around_store(state, &o);
    }
    return true;
}

INLINE bool advance_all(const struct tile_points *p, struct tile_samples *samples,
                        const bool folded) {
    uint64_t executed = 0;
    bool ran = true;
    tile_samples_begin(p, samples);
    for (uint32_t id = 0; ran && id < p->size; id++)
        ran = advance(p, samples, folded, id, &executed);
    tile_samples_skip(p, samples, executed);
    return ran;
}

#endif
