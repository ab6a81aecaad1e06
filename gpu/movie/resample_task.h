/* Tasks of resampling, for host and kernels (see gpu/escape/tasks.h). */
#ifndef FATHOM_GPU_MOVIE_RESAMPLE_TASK_H
#define FATHOM_GPU_MOVIE_RESAMPLE_TASK_H

#include "render/movie/resample_sum.h"

/* Weights in one direction, as struct resample_direction. */
struct resample_span {
    int32_t begin, most;
    uint32_t taps, weights;
};

/* Ring in a frame. */
struct resample_place {
    struct resample_turn turn;         /* rotated rings only */
    struct resample_span across, down; /* other rings only */
    struct cells level, level_hole;    /* stored cells */
    struct cells outer, hole;          /* cells of the ring */
    struct cells pixels;               /* columns and rows of the frame that may touch it */
    int32_t m;                         /* number of the level */
    uint32_t turned;                   /* the ring is not parallel to the frame */
};

/* Makes the pixels [begin, begin + size) of a frame. */
struct resample_task {
    uint32_t begin, size;
    uint32_t width, rings;
    uint32_t deep, light; /* values have 16 bits; they are the light, without the curve */
};

#endif
