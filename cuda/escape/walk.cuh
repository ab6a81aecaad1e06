/* How threads share the pixels of a launch that walks along orbits once more. */
#ifndef FATHOM_CUDA_ESCAPE_WALK_CUH
#define FATHOM_CUDA_ESCAPE_WALK_CUH

#include "cuda/launch.cuh"
#include "gpu/escape/slope.h"
#include "render/formula/slope.h"

#define WALK_THREADS 128

typedef void walk_kernel(struct slope_args);

/* A thread's pixel; false: it has none, or the request was given up. */
static __device__ __forceinline__ bool walk_pixel(const struct slope_args *a, uint32_t *pixel) {
    const uint32_t i = blockIdx.x * WALK_THREADS + threadIdx.x;
    *pixel = a->task.begin + i;
    return i < a->task.size && *a->abort != a->task.serial;
}

static inline enum device_error walk_launch(walk_kernel *kernel, const struct slope_args *args,
                                            struct device_queue *queue) {
    void *arguments[] = {(void *)args};
    return launch_kernel((const void *)kernel, dim3((args->task.size - 1) / WALK_THREADS + 1),
                         WALK_THREADS, arguments, queue);
}

/* --- what walks find out --- */

static __device__ __forceinline__ void put_slope(const struct planes *planes, uint32_t pixel,
                                                 const struct slope &slope) {
    planes->distance[pixel] = slope.distance;
    planes->normal[pixel] = slope.normal;
    planes->angle[pixel] = slope.angle;
}

static __device__ __forceinline__ void put_trace(const struct planes *planes, uint32_t pixel,
                                                 const float values[TRACE_VALUES], uint32_t nearest,
                                                 uint32_t caught) {
    for (int p = 0; p < TRACE_VALUES; p++)
        if (planes->plane[SAMPLE_PLANE_stripe + p])
            ((float *)planes->plane[SAMPLE_PLANE_stripe + p])[pixel] = values[p];
    if (planes->domain)
        planes->domain[pixel] = nearest;
    if (planes->caught)
        planes->caught[pixel] = caught;
}

#endif
