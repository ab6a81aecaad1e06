/* The GPU's measured kernels as the host sees them. Launches return at once. */
#ifndef FATHOM_LAB_BENCH_GPU_KERNELS_H
#define FATHOM_LAB_BENCH_GPU_KERNELS_H

#include "render/frame.h"
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What loop_job is to the CPU; re, im and count are in device memory, of the type launched with. */
struct gpu_loop_args {
    const void *re, *im;
    uint32_t *count;
    uint32_t width, height, limit;
};
/* The baseline: 16x16 blocks, a thread for every pixel, a test every step. */
cudaError_t gpu_loop_launch(enum number_type type, const struct gpu_loop_args *args);

/* Fused multiply-adds that one thread of the peak kernel makes in one round. */
#define GPU_PEAK_ROUND   512
#define GPU_PEAK_THREADS 256 /* of one block */
/* Runs `rounds` rounds in every thread. sink: one number of the type, never written. */
cudaError_t gpu_peak_launch(enum number_type type, int blocks, uint32_t rounds, void *sink);

#ifdef __cplusplus
}
#endif

#endif
