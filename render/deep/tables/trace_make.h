/* Makes what the segments of an orbit pass. */
#ifndef FATHOM_RENDER_DEEP_TABLES_TRACE_MAKE_H
#define FATHOM_RENDER_DEEP_TABLES_TRACE_MAKE_H

#include "render/deep/tables/segment.h"
#include "render/deep/tables/segments.h"

/* The orbits that segments are of, as segments_init_folded has them. */
struct segment_orbits {
    const double *z; /* pairs of real and imaginary part */
    const struct step_list *steps;
    const uint32_t *begin;
    uint32_t first;
};

/* Of all segments of those, with the parameter re + i im; 20 ns an index. NULL: no memory. The caller frees it. */
struct segment_trace *segment_traces_make(const struct segments *segments,
                                          const struct segment_orbits *orbits, double re,
                                          double im);

#endif
