/* Seed 001's kernels as published, ours by the rules of its grid, and the rate of random increments
 * that they are measured by. As lab/gpu/gpu.h: one thread, errors are logged. */
#ifndef FATHOM_LAB_GPU_GPU_ORBITS_H
#define FATHOM_LAB_GPU_GPU_ORBITS_H

#include "lab/gpu/gpu.h"

/* Compiled with nvcc's --use_fast_math, as the seed asks for, for pictures of 1440x2560 and 144x256
 * pixels and 20 iterations; a canvas has 32-bit counts. */
enum gpu_orbits {
    /* Selective sampling: z, |z|^2 and the step in global memory, generators made beforehand and
     * kept there, and increments that are not atomic, so that some are lost. */
    GPU_ORBITS_SELECTIVE,
    GPU_ORBITS_SELECTIVE_ATOMIC, /* the same, losing none */
    /* All threads go from cell to cell of a grid together and take a sample of each; generators are
     * made in the kernel. */
    GPU_ORBITS_GRID,
    GPU_ORBITS_HALVES,     /* the same for the upper half, each orbit plotted twice */
    GPU_ORBITS_GENERATORS, /* the making of generators alone */
    GPU_ORBITS_FOLDED,     /* ours: as the grid, in the upper half, counted once and mirrored */
    GPU_ORBITS_RANDOM,     /* increments of uniformly random pixels */
    GPU_ORBITS_COUNT
};

struct gpu_orbits_job {
    enum gpu_orbits program;
    int width_px, height_px;
    int blocks, threads; /* of a block */
    /* Of each thread: cells along a side of the grid; samples of GPU_ORBITS_SELECTIVE*, increments
     * of GPU_ORBITS_RANDOM. Of GPU_ORBITS_FOLDED: cells along a side for all threads together, each
     * of which a warp takes 32 samples of. */
    int each;
    int seed;         /* of the generators */
    uint32_t *canvas; /* out, rows from re = -3.2 down; NULL: not copied back */
};

#ifdef FATHOM_CUDA
/* Whether the toolkit that this was built with had the generators (curand_kernel.h). */
bool lab_gpu_orbits_has(enum gpu_orbits program);
/* Milliseconds of the kernel, by events. False: an error, or no such program; logged. */
bool lab_gpu_orbits(struct lab_gpu *gpu, const struct gpu_orbits_job *job, double *ms);
#else
#define lab_gpu_orbits_has(program) false
#define lab_gpu_orbits              gpu_missing
#endif

#endif
