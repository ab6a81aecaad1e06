/* Rounds of an orbit on its way for what it passes, below a double's range; for includers as those of trace_round.h. */
#ifndef FATHOM_RENDER_DEEP_POINT_TRACE_EXTENDED_H
#define FATHOM_RENDER_DEEP_POINT_TRACE_EXTENDED_H

#include "render/deep/perturbed_traced.h"
#include "render/deep/point/step_trace.h"

#ifdef FORMULA_KERNEL

/* The segment that it takes: none when points can be caught. */
INLINE uint32_t trace_walk_find(const struct trace_walk *w, int32_t x_log2) {
    const uint32_t from = trace_caught_from(w->count), left = w->o.n < from ? from - w->o.n : 0;
    return perturbed_find_traced(w->t, w->segment, w->o.m, x_log2, left, w->passed.line,
                                 w->passed.cross, w->passed.circle);
}

/* Below a double's range. */
INLINE void trace_walk_extended(struct trace_walk *w, struct extended z) {
    const struct perturbed_tables *t = w->t;
    struct perturbed_point *o = &w->o;
    const struct extended c = extended_make(o->cr, o->ci, t->c_log2);
    struct extended Z = perturbed_reference(t, o->m);
    const struct extended W = extended_sum(Z, z);
    if (extended_less(W, z) || o->m == t->last) {
        z = W;
        o->m = 0;
        Z = perturbed_reference(t, 0);
    }
    const struct extended x = extended_product(extended_sum(extended_twice(Z), z), z);
    uint32_t found = PERTURBED_SINGLE, length = 1;
    if (x.log2 != EXTENDED_ZERO)
        found = trace_walk_find(w, x.log2);
    z = extended_sum(x, c);
    if (found != PERTURBED_SINGLE) {
        const struct extended first = extended_sum(perturbed_reference(t, o->m + 1), z);
        perturbed_trace_pass_extended(w->c_size, o->n + 1, first, &w->passed);
        perturbed_trace_along(&w->segment[found], o->n, &w->passed);
        z = perturbed_extended_land(&t->segment[found], x, c);
        length = (uint32_t)t->segment[found].length;
    }
    o->m += length;
    o->n += length;
    o->zr = z.re;
    o->zi = z.im;
    o->log2 = z.log2;
    if (z.log2 > PERTURBED_DOUBLE_FROM) {
        extended_get(z, &o->zr, &o->zi);
        o->log2 = 0;
    }
}

#endif

#endif
