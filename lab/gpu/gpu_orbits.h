/* Programs of seed 001 on a GPU: its kernels as published, fathom's by the rules of its grid, and
 * random increments for comparison. One thread; errors are logged, as in lab/gpu/gpu.h. */
#ifndef FATHOM_LAB_GPU_GPU_ORBITS_H
#define FATHOM_LAB_GPU_GPU_ORBITS_H

#include "lab/gpu/gpu.h"

/* Programs, compiled with nvcc's --use_fast_math as the seed requires, for pictures of 1440x2560
 * and 144x256 pixels and 20 iterations. A canvas has 32-bit counts. */
enum gpu_orbits {
    /* Selective sampling: z, |z|^2 and the step are in global memory, and so are the generators,
     * which are made beforehand. Increments are not atomic, so some are lost. */
    GPU_ORBITS_SELECTIVE,
    GPU_ORBITS_SELECTIVE_ATOMIC, /* the same with atomic increments */
    /* All threads go from cell to cell of a grid together and take a sample of each. Generators are
     * made in the kernel. */
    GPU_ORBITS_GRID,
    GPU_ORBITS_HALVES,     /* the same for the upper half, each orbit plotted twice */
    GPU_ORBITS_GENERATORS, /* only makes the generators */
    GPU_ORBITS_FOLDED,     /* ours: as the grid, in the upper half, counted once and mirrored */
    GPU_ORBITS_RANDOM,     /* increments of uniformly random pixels */
    GPU_ORBITS_COUNT
};

struct gpu_orbits_job {
    enum gpu_orbits program;
    int width_px, height_px;
    int blocks, threads; /* threads of a block */
    /* Work of each thread: cells along a side of the grid; samples of GPU_ORBITS_SELECTIVE*;
     * increments of GPU_ORBITS_RANDOM. For GPU_ORBITS_FOLDED: cells along a side for all threads
     * together; a warp takes 32 samples of each. */
    int each;
    int seed;         /* seed of the generators */
    uint32_t *canvas; /* output, rows from re = -3.2 down; NULL: not copied back */
};

#ifdef FATHOM_CUDA
/* Returns true if the toolkit of the build had the program's generators (curand_kernel.h). */
bool lab_gpu_orbits_has(enum gpu_orbits program);
/* Runs a program; *ms: [ms] of the kernel, by events. Returns false on an error, or if there is no
 * such program; both are logged. */
bool lab_gpu_orbits(struct lab_gpu *gpu, const struct gpu_orbits_job *job, double *ms);
#else
#define lab_gpu_orbits_has(program) false
#define lab_gpu_orbits              gpu_missing
#endif

#endif
