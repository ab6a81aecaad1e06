/* The host device's kernels for orbit density, as the part that is compiled for each number type
 * sees them. */
#ifndef FATHOM_TESTS_GPU_HOST_DENSITY_H
#define FATHOM_TESTS_GPU_HOST_DENSITY_H

#include "gpu/density/kernels.h"

/* A list, its places in memory; cr, ci, zr, zi of an orbit are neighbours. */
struct host_list {
    void *number[4];
    uint32_t *done, *end;
    uint8_t *plane;
};

/* A launch of `draw`, `search` or `plot`. */
struct host_points {
    struct points_job job;
    struct points_draw draw;
    struct points_slice slice;
    uint32_t *counts;
    const uint32_t *abort;
    struct points_state *state;
    struct host_list from, to, listed; /* listed: those to be plotted */
    struct tally work;                 /* the launch's */
};

#define HOST_POINTS_TYPE(type)                                                                     \
    void host_draw_##type(struct host_points *launch, const struct sample_round *round,            \
                          uint32_t cell, uint32_t lane, const uint32_t *words);                    \
    void host_search_##type(struct host_points *launch, uint32_t entry);                           \
    void host_plot_##type(struct host_points *launch, uint32_t entry);
HOST_POINTS_TYPE(float)
HOST_POINTS_TYPE(double)
#undef HOST_POINTS_TYPE

#endif
