/* Device memory for orbit density: the histogram, which outlives a request, and scratch memory. */
#ifndef FATHOM_GPU_DENSITY_DENSITY_BUFFERS_H
#define FATHOM_GPU_DENSITY_DENSITY_BUFFERS_H

#include "gpu/density/density_args.h"

#define DENSITY_BUFFERS_LISTS 2 /* lists of each kind: orbits of this round and of the next */

/* Data that is copied to the host while counting, in pinned memory. */
struct density_buffers_staging {
    struct points_state state;
    struct cell_bounds bounds;
    struct tone_levels levels[TONE_CHANNELS_MAX];
    struct tone_map map; /* copied to the device */
    uint32_t numbers[CELLS_X * CELLS_Y / 2];
};

struct density_buffers {
    struct device *device;      /* remains set after density_buffers_finish */
    struct paint_counts counts; /* counts.size is 0 if nothing is allocated */
    size_t pixels;              /* capacity of rgba; 0: none */
    struct device_pointer rgba; /* for targets in host memory */
    /* `order` to `numbers` are for CELLS_X * CELLS_Y cells, see density_args.h */
    struct device_pointer order;
    struct device_pointer bounds, pairs, numbers, result;
    struct device_pointer state;  /* struct points_state */
    struct device_pointer levels; /* struct tone_levels for each channel */
    struct device_pointer map;    /* struct tone_map */
    uint32_t room; /* capacity of the search lists; plot lists have twice the capacity */
    struct points_list search[DENSITY_BUFFERS_LISTS], plot[DENSITY_BUFFERS_LISTS];
    struct density_buffers_staging *staging;
};

/* Reserves memory for the histogram of a request. Existing memory is reused, but its contents are
 * lost. On failure, frees the buffers and returns false; the reason is logged, unless *error
 * reports that the device failed. */
bool density_buffers_reserve(struct density_buffers *buffers, const struct density_req *req,
                             bool rgba, enum device_error *error);
/* Reserves memory for `room` long orbits of either number type. */
enum device_error density_buffers_reserve_lists(struct density_buffers *buffers, uint32_t room);
void density_buffers_finish(struct density_buffers *buffers);

#endif
