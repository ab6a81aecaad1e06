/* The arguments of orbit density's kernels; as in gpu/escape/tasks.h none needs to be padded at its end. */
#ifndef FATHOM_OPENCL_DENSITY_ARGUMENTS_H
#define FATHOM_OPENCL_DENSITY_ARGUMENTS_H

#include "gpu/density/points.h"
#include "opencl/kernel_numbers.h"

#define OPENCL_ROUNDS     32                   /* ROUNDS_MOST */
#define OPENCL_PAIRS      (GROUP_THREADS / 32) /* of clumps, that a group draws */
#define OPENCL_PAINT_MOST 1024                 /* groups that look at all counters */

/* As struct points_draw; rounds are numbered on from the first. */
struct opencl_draw {
    uint64_t first_round;
    struct {
        uint32_t octave, position, key;
    } rounds[OPENCL_ROUNDS];
    uint32_t live, begin, end, first_clump, end_clump, turn, room, pad;
};

/* As struct points_slice. */
struct opencl_slice {
    uint32_t begin, size, steps;
};

/* As struct paint_job. */
struct opencl_paint {
    struct density_place place;
    uint64_t size; /* counters */
    int32_t channels, width_px, height_px, pad;
};

#endif
