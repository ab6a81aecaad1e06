/* What orbits that take a segment pass on their way (render/formula/trace.h), where they are so close to the reference
 * that it is what the reference passes. */
#ifndef FATHOM_RENDER_DEEP_TABLES_SEGMENT_TRACE_H
#define FATHOM_RENDER_DEEP_TABLES_SEGMENT_TRACE_H

#include "render/inline.h"

/* Of the indices from the second after a segment's start to the last before its end: the first one of all depends on where
 * the orbit was at the start, and the last is where it lands. A view that wants traces takes the segment while
 * max|x| < 2^t_log2, which is less than its T: distances then are below 2^-23 |Z| all along, and below 2^-16 of the
 * nearest that the reference comes to an axis or the circle, or below 2^-40. */
struct ALIGNED_16 segment_trace {
    double stripe, triangle; /* sums */
    double square, line, cross,
        circle;  /* the least: |Z|^2, in units of TRACE_UNIT^2, and distances */
    double size; /* |Z| at the last one */
    int32_t t_log2;
    uint32_t nearest; /* steps from the start to where |Z| is least, the first of such */
};

/* 2^-16, in terms of max|x| / T: distances are below 2^-7 |Z| where that is 1. */
#define SEGMENT_TRACE_CLOSE 16
#define SEGMENT_TRACE_NEAR  10 /* the same where |Z| is not 1 but 2 */
#define SEGMENT_TRACE_LEAST 0x1p-24

#endif
