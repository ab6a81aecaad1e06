/* Trace of an orbit: stores its values in the planes. */
#ifndef FATHOM_CPU_WALK_TRACE_PUT_H
#define FATHOM_CPU_WALK_TRACE_PUT_H

#include "render/formula/trace.h"
#include "render/planes.h"

/* Stores the values of sample number `at` in the planes that are not NULL: TRACE_VALUES numbers
 * from SAMPLE_PLANE_stripe on, the number of the point nearest to 0, and trace_place of the caught
 * point. */
static inline void trace_put(const struct sample_planes *planes, size_t at, const float *values,
                             uint32_t nearest, uint32_t caught) {
    for (int i = 0; i < TRACE_VALUES; i++)
        if (planes->plane[SAMPLE_PLANE_stripe + i])
            ((float *)planes->plane[SAMPLE_PLANE_stripe + i])[at] = values[i];
    if (planes->domain)
        planes->domain[at] = nearest;
    if (planes->caught)
        planes->caught[at] = caught;
}

#endif
