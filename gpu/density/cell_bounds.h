/* The arguments of what finds out about the cells' orbits, in a view, before any is drawn. */
#ifndef FATHOM_GPU_DENSITY_CELL_BOUNDS_H
#define FATHOM_GPU_DENSITY_CELL_BOUNDS_H

#include "gpu/density/points.h"

struct plans {
    uint32_t live;  /* pairs in the list */
    uint32_t open;  /* clumps whose end is not known */
    uint32_t plots; /* the sum of the other ones' steps from the first to the last plotted */
};

/* Lists the pairs of cells in `order` that have something to plot, in order. */
struct cell_bounds_args {
    const struct points_job *job;
    DEVICE_POINTER(const uint32_t) order;
    DEVICE_POINTER(void) memory; /* room for job->cells pairs of 32-bit numbers */
    DEVICE_POINTER(struct points_pair) pairs;
    DEVICE_POINTER(uint32_t) numbers; /* theirs, in a round */
    DEVICE_POINTER(struct plans) result;
};

#endif
