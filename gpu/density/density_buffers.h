/* Device memory for counting orbits: the histogram, which outlives a request, and what counting
 * needs. */
#ifndef FATHOM_GPU_DENSITY_DENSITY_BUFFERS_H
#define FATHOM_GPU_DENSITY_DENSITY_BUFFERS_H

#include "gpu/density/kernels.h"

#define DENSITY_BUFFERS_LISTS 2 /* of each kind: those that go on in this round, and in the next */

/* What is copied to the host while counting, in pinned memory. */
struct density_buffers_news {
    struct points_state state;
    struct cell_bounds bounds;
    struct tone_levels levels[TONE_CHANNELS_MAX];
    struct tone_map map; /* to the device */
    uint32_t numbers[CELLS_X * CELLS_Y / 2];
};

struct density_buffers {
    struct device *device;       /* stays when they are finished */
    struct paint_counts counts;  /* counts.size 0: nothing is allocated */
    size_t pixels;               /* room in rgba; 0: none */
    struct device_pointer rgba;  /* for targets in host memory */
    struct device_pointer order; /* all of these for CELLS_X * CELLS_Y cells, see kernels.h */
    struct device_pointer bounds, pairs, numbers, result;
    struct device_pointer state;  /* struct points_state */
    struct device_pointer levels; /* struct tone_levels for each channel */
    struct device_pointer map;    /* struct tone_map */
    uint32_t room; /* of search lists; plot lists have twice that; 0: there are none */
    struct points_list search[DENSITY_BUFFERS_LISTS], plot[DENSITY_BUFFERS_LISTS];
    struct density_buffers_news *news;
};

/* Makes room for the histogram of a request; memory that is there is used again, its contents are
 * not kept. On false the buffers are empty, and it was logged why, unless *error says that the
 * device failed. */
bool density_buffers_reserve(struct density_buffers *buffers, const struct density_req *req,
                             bool rgba, enum device_error *error);
/* Makes room for `room` long orbits, of either type. */
enum device_error density_buffers_reserve_lists(struct density_buffers *buffers, uint32_t room);
void density_buffers_finish(struct density_buffers *buffers);

#endif
