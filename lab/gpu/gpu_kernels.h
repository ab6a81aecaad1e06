/* The laboratory's kernels, for the files around them. All pointers in structs are to device memory.
 * Launches return at once, in the default stream. */
#ifndef FATHOM_LAB_GPU_GPU_KERNELS_H
#define FATHOM_LAB_GPU_GPU_KERNELS_H

#include "lab/gpu/gpu_orbits.h"
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GPU_TABLE_SIZE 256

/* These take jobs with the device's memory in place of the host's. With a table, `count` is where
 * the bytes go. Ours counts bit for bit, provided that every coordinate is 0 or not tiny: at least
 * 1e-250 in size for doubles, 1e-25 for floats (a subnormal 2 zr zi would be rounded once less). */
cudaError_t gpu_ours_launch(const struct gpu_job *job);
cudaError_t gpu_paper_launch(const struct gpu_job *job);
cudaError_t gpu_hybridizer_launch(const struct gpu_job *job);

/* Seed 000; rgb has 3 * side^2 bytes, cleared for all versions but the first. block: out, a block's
 * threads in x and y. */
cudaError_t gpu_classic_launch(enum gpu_classic which, int side, uint8_t *rgb, int block[2]);

/* a[i] += b[i], or a[i] = b[i] by GPU_COPY_KERNEL; a and b at 16-byte addresses. */
cudaError_t gpu_add_launch(enum gpu_add which, int processors, double *a, const double *b,
                           size_t elements);
/* Small whole numbers into both, so that sums are exact. */
cudaError_t gpu_add_fill(double *a, double *b, size_t elements);
/* Adds to *wrong where a is not what `runs` additions (or copies) have made of it. */
cudaError_t gpu_add_check(const double *a, size_t elements, int runs, bool copied,
                          unsigned long long *wrong);

/* Seed 001's arrays, with an entry for every thread but for the canvas. */
struct gpu_orbits_memory {
    uint32_t *canvas;
    void *z; /* float4 */
    float *dists;
    uint32_t *counts;
    void *generators; /* of GPU_ORBITS_SELECTIVE*, made beforehand */
};
size_t gpu_orbits_generator_bytes(void); /* of one; 0: there are none */
cudaError_t gpu_orbits_launch(const struct gpu_orbits_job *job,
                              const struct gpu_orbits_memory *memory);

#define GPU_PEAK_ROUND   512 /* fused multiply-adds of one thread in a round */
#define GPU_PEAK_THREADS 256 /* of one block */
/* Runs `rounds` rounds in every thread. sink: one number of the type, never written. */
cudaError_t gpu_peak_launch(enum number_type type, int blocks, uint32_t rounds, void *sink);

#ifdef __cplusplus
}
#endif

#endif
