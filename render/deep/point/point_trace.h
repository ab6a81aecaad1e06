/* What one perturbed orbit has passed (render/formula/trace.h), and what a view has for that. */
#ifndef FATHOM_RENDER_DEEP_POINT_POINT_TRACE_H
#define FATHOM_RENDER_DEEP_POINT_POINT_TRACE_H

#include "render/deep/point/perturbed_point.h"
#include "render/deep/tables/segment_trace.h"
#include "render/deep/tables/series.h"

/* Sums also without the last point; the least likewise in trace_step.h's units. */
struct perturbed_trace {
    double size; /* |W| of the last point */
    double stripe, stripe_before, triangle, triangle_before;
    double square, line, cross, circle;
    uint32_t nearest;          /* the number of the point that came nearest to 0 */
    struct extended tiny;      /* the least |W|^2, of those of which a double does not hold it */
    double caught_r, caught_i; /* where the nearest one is of those that can be caught */
};

/* What a view has for its orbits' traces: those of its segments, and a common beginning that keeps as close to the
 * reference as they do, in place of the tables' own, with what is passed up to the point before its end. */
struct perturbed_traces {
    const GLOBAL struct segment_trace *segment;
    struct series series;
    struct perturbed_trace begun;
};

/* Orbits of more rounds have no trace: a thread of a GPU would walk for too long. */
#define TRACE_ROUNDS_MAX (1u << 18)

/* An orbit on its way, at W, which is passed. */
struct trace_walk {
    const struct perturbed_tables *t;
    const GLOBAL struct segment_trace *segment;
    struct perturbed_point o;
    struct perturbed_trace passed;
    double wr, wi;
    double cr, ci, c_size; /* c as it is */
    uint32_t count, rounds;
};

#endif
