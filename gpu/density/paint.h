/* Passes over a histogram of orbit density, as the host sees them. All pointers are to device memory. A
 * launch returns at once; bound by memory. */
#ifndef FATHOM_GPU_DENSITY_PAINT_H
#define FATHOM_GPU_DENSITY_PAINT_H

#include "render/density/density_counts.h"
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Stored pixels, planes * height * width; a count is the sum of both. */
struct paint_counts {
    uint32_t *fresh;
    uint64_t *total;
    size_t size;
};

/* Moves what is fresh to the totals. */
cudaError_t paint_flush(const struct paint_counts *counts, cudaStream_t stream);

struct paint_job {
    struct paint_counts counts;
    struct density_place place;
    int channels;
    int width_px, height_px; /* of the picture */
};

/* The levels of each channel; TONE_CHANNELS_MAX of them are written. */
cudaError_t paint_levels(const struct paint_job *job, struct tone_levels *levels,
                         cudaStream_t stream);
/* The picture; rgba has width_px * height_px. */
cudaError_t paint_picture(const struct paint_job *job, const struct tone_map *map, uint32_t *rgba,
                          cudaStream_t stream);

/* Loads the code, which the runtime would otherwise leave to the first launch. */
cudaError_t paint_load(void);

#ifdef __cplusplus
}
#endif

#endif
