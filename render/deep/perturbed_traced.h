/* The search for segments along orbits whose traces are wanted. */
#ifndef FATHOM_RENDER_DEEP_PERTURBED_TRACED_H
#define FATHOM_RENDER_DEEP_PERTURBED_TRACED_H

#include "render/deep/perturbed_index.h"
#include "render/deep/tables/segment_trace.h"

/* How many segments serve at m, and the first of them. */
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

/* The longest segment at m that does for max|x| < 2^x_log2 and an orbit that has come so near to the traps, of at most
 * `most` steps; or PERTURBED_SINGLE. */
INLINE uint32_t perturbed_find_traced(const struct perturbed_tables *t,
                                      const GLOBAL struct segment_trace *trace, uint32_t m,
                                      int32_t x_log2, uint32_t most, double line, double cross,
                                      double circle) {
    uint32_t first = 0, fit = 0;
    const uint32_t usable = perturbed_segments_at(t, m, &first);
    while (fit < usable &&
           segment_trace_fits(&trace[first + fit], t->segment[first + fit].t_log2 - x_log2, line,
                              cross, circle) &&
           (uint32_t)t->segment[first + fit].length <= most)
        fit++;
    return fit > 0 ? first + fit - 1 : PERTURBED_SINGLE;
}

#endif
