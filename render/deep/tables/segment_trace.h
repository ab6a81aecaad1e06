/* What orbits that take a segment pass on their way (render/formula/trace.h), where they are so close to the reference
 * that it is what the reference passes. */
#ifndef FATHOM_RENDER_DEEP_TABLES_SEGMENT_TRACE_H
#define FATHOM_RENDER_DEEP_TABLES_SEGMENT_TRACE_H

#include "render/inline.h"

/* Of the indices from the second after a segment's start to the last before its end: the first one of all depends on where
 * the orbit was at the start, and the last is where it lands. */
struct ALIGNED_16 segment_trace {
    double stripe, triangle; /* sums */
    double square, line, cross,
        circle;       /* the least: |Z|^2, in units of TRACE_UNIT^2, and distances */
    double size;      /* |Z| at the last one */
    uint32_t nearest; /* steps from the start to where |Z| is least, the first of such */
    /* An orbit may take it while max|x| < T 2^-near; or T 2^-far, where no trap comes nearer by it. Distances then are below
     * 2^-15 |Z| all along, and in the former case below 2^-13 of what is nearest to an axis or the circle, or below 2^-37. */
    int16_t near, far;
};

/* Whether it does for max|x| < T 2^-below and an orbit that has come so near; it comes no nearer from twice as far, as
 * distances are below half of it. */
INLINE bool segment_trace_fits(const GLOBAL struct segment_trace *s, int32_t below, double line,
                               double cross, double circle) {
    return below >= s->near || (below >= s->far && s->line >= line + line &&
                                s->cross >= cross + cross && s->circle >= circle + circle);
}

#endif
