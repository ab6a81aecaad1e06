/* Seed 001's kernels as the host sees them. Pointers are to device memory; launches return at once.
 */
#ifndef FATHOM_LAB_GPU_GPU_ORBITS_KERNELS_H
#define FATHOM_LAB_GPU_GPU_ORBITS_KERNELS_H

#include "lab/gpu/gpu_orbits.h"
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Entries for every thread, but for the canvas. */
struct gpu_orbits_memory {
    uint32_t *canvas;
    void *z; /* float4 */
    float *dists;
    uint32_t *counts;
    void *generators;
};

bool gpu_orbits_has(enum gpu_orbits program);
size_t gpu_orbits_generator_bytes(void); /* of one */
/* As the job says, of which canvas is not looked at. The generators of GPU_ORBITS_SELECTIVE* have
 * been made. */
cudaError_t gpu_orbits_launch(const struct gpu_orbits_job *job,
                              const struct gpu_orbits_memory *memory);

#ifdef __cplusplus
}
#endif

#endif
