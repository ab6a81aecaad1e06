/* Makes the common beginning of a view's orbits. */
#ifndef FATHOM_RENDER_DEEP_TABLES_SERIES_MAKE_H
#define FATHOM_RENDER_DEEP_TABLES_SERIES_MAKE_H

#include "render/deep/perturbed.h"
#include "render/deep/perturbed_trace.h"

/* Of all points of a view with those tables, whose orbits begin at the index `first`; 0.1 us a single step,
 * 1 us a segment. It ends
 * where an orbit might part from the others (rebase, leave the reference, escape), and where the
 * polynomial would lose more than rounding does. */
struct series series_make(const struct perturbed_tables *tables, uint32_t first, uint32_t limit);

/* The same of orbits whose traces are wanted: it ends where what they pass is not what the reference passes. `segment` is of
 * the tables' segments; *begun: what has been passed up to the point before the end. */
struct series series_make_traced(const struct perturbed_tables *tables, uint32_t first,
                                 uint32_t limit, const struct segment_trace *segment,
                                 struct perturbed_trace *begun);

#endif
