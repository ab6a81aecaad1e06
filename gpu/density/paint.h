/* The arguments of passes over a histogram of orbit density. */
#ifndef FATHOM_GPU_DENSITY_PAINT_H
#define FATHOM_GPU_DENSITY_PAINT_H

#include "gpu/device.h"
#include "render/density/density_counts.h"

/* Stored pixels, planes * height * width; a count is the sum of both. The kernel `flush` moves what
 * is fresh to the totals. */
struct paint_counts {
    DEVICE_POINTER(uint32_t) fresh;
    DEVICE_POINTER(uint64_t) total;
    size_t size;
};

/* `levels` finds the levels of each channel, and `picture` makes the picture of them. */
struct paint_job {
    struct paint_counts counts;
    struct density_place place;
    int channels;
    int width_px, height_px;                   /* of the picture */
    DEVICE_POINTER(struct tone_levels) levels; /* TONE_CHANNELS_MAX, all are written */
    DEVICE_POINTER(const struct tone_map) map;
    DEVICE_POINTER(uint32_t) rgba; /* width_px * height_px */
};

#endif
