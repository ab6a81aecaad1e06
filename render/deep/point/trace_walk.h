/* What one perturbed point's orbit passes, by a way of its own along it; for includers as those of trace_round.h. */
#ifndef FATHOM_RENDER_DEEP_POINT_TRACE_WALK_H
#define FATHOM_RENDER_DEEP_POINT_TRACE_WALK_H

#include "render/deep/point/perturbed_begin.h"
#include "render/deep/point/trace_round.h"
#include "render/sample.h"

#ifdef FORMULA_KERNEL

/* Finds where the orbit is, and passes that if it is after the first step. */
INLINE void trace_walk_arrive(struct trace_walk *w, const bool folded) {
    const struct perturbed_point *o = &w->o;
    if (o->log2 != 0) {
        const struct extended z = {o->zr, o->zi, o->log2};
        const struct extended W = extended_sum(perturbed_reference(w->t, o->m), z);
        extended_get(W, &w->wr, &w->wi);
        if (o->n > 0)
            perturbed_trace_pass_extended(w->c_size, o->n, W, &w->passed);
    } else {
        w->wr = w->t->orbit[2 * (size_t)o->m] + o->zr;
        w->wi = w->t->orbit[2 * (size_t)o->m + 1] + o->zi;
        if (o->n > 0)
            perturbed_trace_pass(trace_walk_power(w, folded), w->c_size, o->n, w->wr, w->wi,
                                 &w->passed);
    }
    if (o->n > trace_caught_from(w->count))
        perturbed_trace_catch(w->wr, w->wi, &w->passed);
}

/* Of the common beginning. */
INLINE void trace_walk_catch(struct trace_walk *w) {
    for (uint32_t n = trace_caught_from(w->count) + 1; n < w->o.n; n++) {
        const GLOBAL double *Z = w->t->orbit + 2 * (size_t)(w->o.m - (w->o.n - n));
        perturbed_trace_catch(Z[0], Z[1], &w->passed);
    }
}

/* At the end of the common beginning. */
INLINE struct trace_walk trace_walk_begin(const struct perturbed_tables *t,
                                          const struct perturbed_traces *traces, const bool folded,
                                          double cr, double ci, uint32_t count) {
    struct trace_walk w;
    w.t = t;
    w.segment = traces->segment;
    w.o.cr = cr;
    w.o.ci = ci;
    w.passed = traces->begun;
    w.count = count;
    w.rounds = 0;
    perturbed_begin(t, &w.o);
    if (w.o.m == PERTURBED_TAIL) {
        w.o.m = 0;
        w.passed = perturbed_trace_none();
    }
    if (t->julia)
        w.o.cr = w.o.ci = 0.0;
    perturbed_place_of(t, &w.o, &w.cr, &w.ci);
    w.c_size = perturbed_trace_size(trace_square(w.cr, w.ci));
    trace_walk_catch(&w);
    trace_walk_arrive(&w, folded);
    return w;
}

/* Whether the orbit is left there: also before the count, where that was of other roundings. */
INLINE bool trace_walk_ends(const struct trace_walk *w) {
    return !(double_fma(w->wr, w->wr, w->wi * w->wi) < SMOOTH_NORM2) ||
           w->o.n >= w->count + SMOOTH_STEPS;
}

/* Of a point that has escaped after `count` steps, with tables whose series is that of the traces. *points: how many it
 * has passed. False: that takes too many rounds. */
INLINE bool perturbed_trace_walk(const struct perturbed_tables *t,
                                 const struct perturbed_traces *traces, const bool folded,
                                 double cr, double ci, uint32_t count,
                                 struct perturbed_trace *passed, uint32_t *points) {
    struct trace_walk w = trace_walk_begin(t, traces, folded, cr, ci, count);
    while (!trace_walk_ends(&w)) {
        if (w.rounds == TRACE_ROUNDS_MAX)
            return false;
        trace_walk_round(&w, folded);
        trace_walk_arrive(&w, folded);
    }
    *passed = w.passed;
    *points = w.o.n;
    return true;
}

#endif

#endif
