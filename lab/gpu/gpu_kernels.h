/* Kernel launches of the laboratory. Pointers in structs are to device memory. Launches are
 * asynchronous, in the default stream. */
#ifndef FATHOM_LAB_GPU_GPU_KERNELS_H
#define FATHOM_LAB_GPU_GPU_KERNELS_H

#include "lab/gpu/gpu_orbits.h"
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GPU_TABLE_SIZE 256

/* Launch jobs with device memory in place of host memory. With a table, `count` receives bytes.
 * Counts of GPU_OURS are exact if every coordinate is 0 or not tiny: at least 1e-250 in size for
 * doubles, 1e-25 for floats. Otherwise a subnormal 2 zr zi would be rounded once less. */
cudaError_t gpu_ours_launch(const struct gpu_job *job);
cudaError_t gpu_paper_launch(const struct gpu_job *job);
cudaError_t gpu_hybridizer_launch(const struct gpu_job *job);

/* Launches seed 000; rgb has 3 * side^2 bytes, cleared for all versions except the first. block:
 * output, threads of a block in x and y. */
cudaError_t gpu_classic_launch(enum gpu_classic which, int side, uint8_t *rgb, int block[2]);

/* a[i] += b[i], or a[i] = b[i] by GPU_COPY_KERNEL; a and b at 16-byte addresses. */
cudaError_t gpu_add_launch(enum gpu_add which, int processors, double *a, const double *b,
                           size_t elements);
/* Fills both arrays with small whole numbers, so that sums are exact. */
cudaError_t gpu_add_fill(double *a, double *b, size_t elements);
/* Adds to *wrong the number of elements of `a` that are not the result of `runs` additions (or
 * copies). */
cudaError_t gpu_add_check(const double *a, size_t elements, int runs, bool copied,
                          unsigned long long *wrong);

/* Arrays of seed 001: an entry for every thread, except for the canvas. */
struct gpu_orbits_memory {
    uint32_t *canvas;
    void *z; /* array of float4 */
    float *dists;
    uint32_t *counts;
    void *generators; /* for GPU_ORBITS_SELECTIVE*, made beforehand */
};
size_t gpu_orbits_generator_bytes(void); /* size of a generator; 0: not available */
cudaError_t gpu_orbits_launch(const struct gpu_orbits_job *job,
                              const struct gpu_orbits_memory *memory);

#define GPU_PEAK_ROUND   512 /* fused multiply-adds of a thread in a round */
#define GPU_PEAK_THREADS 256 /* threads of a block */
/* Runs `rounds` rounds in every thread. sink: one number of the type, never written. */
cudaError_t gpu_peak_launch(enum number_type type, int blocks, uint32_t rounds, void *sink);

#ifdef __cplusplus
}
#endif

#endif
