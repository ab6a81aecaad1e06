/* Perturbation, traces: statistics of the points of one orbit (render/formula/trace.h), and a
 * view's tables for them. */
#ifndef FATHOM_RENDER_DEEP_PERTURBED_TRACE_H
#define FATHOM_RENDER_DEEP_PERTURBED_TRACE_H

#include "render/deep/perturbed_point.h"
#include "render/formula/trace.h"

/* Sums, also without the last point, and least values, in trace_step.h's units. */
struct perturbed_trace {
    double size; /* |W| of the last point */
    double stripe, stripe_before, triangle, triangle_before;
    double square, line, cross, circle;
    uint32_t nearest;          /* number of the point nearest to 0 */
    struct extended tiny;      /* least |W|^2 of the points whose |W|^2 a double does not hold */
    double caught_r, caught_i; /* the nearest point of those that can be caught */
};

/* Computes the values of an orbit that escaped after `count` steps, with that fraction, and has
 * passed `points` points. */
INLINE void perturbed_trace_values(const struct perturbed_trace *t, uint32_t points, uint32_t count,
                                   float fraction, float to[TRACE_VALUES]) {
    const double part = trace_part(fraction, (int)(points - count));
    to[0] = trace_mean(t->stripe, t->stripe_before, (double)points, part);
    to[1] = trace_mean(t->triangle, t->triangle_before, (double)points - 1, part);
    to[2] = trace_nearness(double_sqrt(t->square) * (1 / TRACE_UNIT));
    to[3] = trace_nearness(t->line);
    to[4] = trace_nearness(t->cross);
    to[5] = trace_nearness(t->circle);
}

/* Tables of a view for traces. */
struct perturbed_traces {
    const GLOBAL struct segment_trace *segment; /* trace of each segment */
    /* Common beginning of all orbits, used in place of the tables' own. Orbits stay as close to the
     * reference in the beginning as in segments. */
    struct series series;
    struct perturbed_trace begun; /* trace of the beginning, up to the point before its end */
};

/* Orbits of more rounds have no trace: a thread of a GPU would run for too long. */
#define TRACE_ROUNDS_MAX (1u << 18)

/* An orbit in progress, at W, which has been passed. */
struct trace_walk {
    const struct perturbed_tables *t;
    const GLOBAL struct segment_trace *segment;
    struct perturbed_point o;
    struct perturbed_trace passed;
    double wr, wi;
    double cr, ci, c_size; /* c as it is, and |c| */
    uint32_t count, rounds;
};

/* Returns the number of segments that serve at m; *first is the first one. */
INLINE uint32_t perturbed_segments_at(const struct perturbed_tables *t, uint32_t m,
                                      uint32_t *first) {
    if (PERTURBED_HAS_INDEX(t)) {
        const struct perturbed_index index = perturbed_index_load(&t->index[m]);
        *first = index.first;
        return index.usable;
    }
    const uint32_t list = t->list_at[m];
    if (list == 0)
        return 0;
    *first = t->list[list - 1].first;
    return t->usable ? t->usable[list - 1] : perturbed_usable_at(t, m);
}

/* Returns log2 of how far below T orbits stay in a segment, as segment_trace_fits needs it, with
 * max|x| < 2^x_log2. What c adds counts like x: it is below 2^-20 |Z| while |c| < T_c. */
#define TRACE_CROSS 12
INLINE int32_t perturbed_trace_below(const struct perturbed_tables *t, uint32_t at,
                                     int32_t x_log2) {
    const GLOBAL struct segment *s = &t->segment[at];
    const int32_t below = perturbed_t_log2(t, s) - x_log2;
    if (!perturbed_crosses(t, s))
        return below;
    const int32_t of_c = t->cross[at].t_c_log2 - t->c_most_log2 + TRACE_CROSS;
    return of_c < below ? of_c : below;
}

/* Returns the longest segment at m for max|x| < 2^x_log2, of at most `most` steps, for an orbit
 * that has come that near to the traps; or PERTURBED_SINGLE. */
INLINE uint32_t perturbed_find_traced(const struct perturbed_tables *t,
                                      const GLOBAL struct segment_trace *trace, uint32_t m,
                                      int32_t x_log2, uint32_t most, double line, double cross,
                                      double circle) {
    uint32_t first = 0, fit = 0;
    const uint32_t usable = perturbed_segments_at(t, m, &first);
    while (fit < usable &&
           segment_trace_fits(&trace[first + fit], perturbed_trace_below(t, first + fit, x_log2),
                              line, cross, circle) &&
           (uint32_t)t->segment[first + fit].length <= most)
        fit++;
    return fit > 0 ? first + fit - 1 : PERTURBED_SINGLE;
}

#endif
