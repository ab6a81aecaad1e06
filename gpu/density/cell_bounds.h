/* What is known of the cells' orbits, in a view, before any is drawn. */
#ifndef FATHOM_GPU_DENSITY_CELL_BOUNDS_H
#define FATHOM_GPU_DENSITY_CELL_BOUNDS_H

#include "gpu/density/points.h"

#ifdef __cplusplus
extern "C" {
#endif

struct plans {
    uint32_t live;  /* pairs in the list */
    uint32_t open;  /* clumps whose end is not known */
    uint32_t plots; /* the sum of the other ones' steps from the first to the last plotted */
};

/* Lists the pairs of cells in `order` that have something to plot, in order; `numbers` are their numbers in a
 * round. `memory` is room for job->cells pairs of 32-bit numbers. All pointers are to device memory. */
cudaError_t cell_bounds_make(const struct points_job *job, const uint32_t *order, void *memory,
                             struct points_pair *pairs, uint32_t *numbers, struct plans *result,
                             cudaStream_t stream);
/* Loads the code, which the runtime would otherwise leave to the first launch. */
cudaError_t cell_bounds_load(void);

#ifdef __cplusplus
}
#endif

#endif
