/* Makes what the segments of an orbit pass. */
#ifndef FATHOM_RENDER_DEEP_TABLES_TRACE_MAKE_H
#define FATHOM_RENDER_DEEP_TABLES_TRACE_MAKE_H

#include "render/deep/tables/segment_trace.h"
#include "render/deep/tables/segments.h"

/* Of all segments of the orbit Z_0 .. Z_length, pairs of real and imaginary part, of a power with the parameter re + i im;
 * 20 ns an index. NULL: no memory. The caller frees it. */
struct segment_trace *segment_traces_make(const struct segments *segments, const double *orbit,
                                          uint32_t power, double re, double im);

#endif
