/* Colours, moves and hands out samples that are there already, so that a palette or a pan iterates
 * nothing. Bound by memory. */
#include "cuda/escape/orbit.cuh"
#include "cuda/escape/shade.cuh"
#include "gpu/escape/pixels.h"

#define BLOCK_THREADS 256
#define CLEAR_PIXELS  4u /* of a thread */

static __global__ void __launch_bounds__(BLOCK_THREADS)
    clear(const __grid_constant__ struct clear_args a) {
    const uint32_t i = CLEAR_PIXELS * (blockIdx.x * BLOCK_THREADS + threadIdx.x);
    uint32_t *const count = a.count + a.begin + i, *const rgba = a.rgba + a.begin + i;
    if (i + CLEAR_PIXELS <= a.size) {
        const uint32_t missing = SAMPLE_MISSING;
        *(uint4 *)count = make_uint4(missing, missing, missing, missing);
        *(uint4 *)rgba = make_uint4(0, 0, 0, 0);
        return;
    }
    for (uint32_t k = 0; i + k < a.size; k++) {
        count[k] = SAMPLE_MISSING;
        rgba[k] = 0;
    }
}

static __global__ void __launch_bounds__(BLOCK_THREADS)
    colour(const __grid_constant__ struct colour_args a) {
    const uint32_t i = blockIdx.x * BLOCK_THREADS + threadIdx.x;
    const size_t pixel = a.begin + i;
    bool done = false;
    if (i < a.size) {
        const uint32_t count = a.planes.count[pixel];
        done = SAMPLE_FINAL(count, a.limit);
        if (a.rgba)
            a.rgba[pixel] = done ? shade_layers(&a.shades, &a.planes, pixel) : 0;
    }
    const int found = __syncthreads_count(done);
    if (threadIdx.x == 0 && a.tally && found > 0)
        atomicAdd(&a.tally[blockIdx.x % TALLY_SHARES].done, (unsigned long long)found);
}

/* Whether a count, of a sample that is there, is not known for all limits. */
static __device__ __forceinline__ bool undecided(uint32_t count) {
    return (count & SAMPLE_INTERIOR) && count != SAMPLE_NEVER && count != SAMPLE_MISSING;
}

/* Moves the state of an orbit that may have to go on. */
static __device__ __forceinline__ void move_state(const struct shift_args *a, size_t from,
                                                  size_t to) {
    const uint32_t words = a->state_size / 8;
    for (uint32_t word = 0; word < words; word++)
        ((uint64_t *)a->to_states.memory)[to * words + word] =
            ((const uint64_t *)a->from_states.memory)[from * words + word];
}

/* What is made after the count is not there yet. */
static __device__ __forceinline__ void forget(const struct planes *to, uint32_t pixel) {
    if (to->distance)
        to->distance[pixel] = 0;
    if (to->last)
        to->last[pixel] = 0;
}

static __global__ void __launch_bounds__(BLOCK_THREADS)
    shift(const __grid_constant__ struct shift_args a) {
    const uint32_t i = blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (i >= a.size)
        return;
    const uint32_t pixel = (uint32_t)(a.begin + i);
    uint32_t from, count = SAMPLE_MISSING;
    if (shift_from(&a, pixel, &from)) {
        count = a.from.count[from];
        if (!a.from_states.memory && !SAMPLE_FINAL(count, a.limit))
            count = SAMPLE_MISSING;
        if (a.from_states.memory && undecided(count))
            move_state(&a, from, pixel);
        if (count != SAMPLE_MISSING)
            for (int p = SAMPLE_PLANE_count + 1; p < SAMPLE_PLANES; p++)
                if (a.to.plane[p])
                    ((uint32_t *)a.to.plane[p])[pixel] = ((const uint32_t *)a.from.plane[p])[from];
    }
    if (count == SAMPLE_MISSING)
        forget(&a.to, pixel);
    a.to.count[pixel] = count;
}

static __global__ void __launch_bounds__(BLOCK_THREADS)
    keep(const __grid_constant__ struct keep_args a) {
    const uint32_t i = blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (i >= a.size)
        return;
    const uint32_t pixel = (uint32_t)(a.begin + i);
    uint32_t from, count = SAMPLE_MISSING;
    if (keep_from(&a, a.lines, pixel, &from))
        count = keep_count(&a, a.from.count[from]);
    if (count != SAMPLE_MISSING)
        for (int p = SAMPLE_PLANE_count + 1; p < SAMPLE_PLANES; p++)
            if (a.to.plane[p])
                ((uint32_t *)a.to.plane[p])[pixel] = ((const uint32_t *)a.from.plane[p])[from];
    if (count == SAMPLE_MISSING)
        forget(&a.to, pixel);
    a.to.count[pixel] = count;
}

static __global__ void __launch_bounds__(BLOCK_THREADS)
    counts(const __grid_constant__ struct export_args a) {
    const uint32_t i = blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (i >= a.size)
        return;
    const uint32_t count = a.from[a.begin + i];
    a.to[a.begin + i] = count & SAMPLE_INTERIOR ? SAMPLE_INTERIOR | a.limit : count;
}

static enum device_error launch(const void *kernel, const void *args, uint32_t size,
                                struct device_queue *queue) {
    void *arguments[] = {(void *)args};
    return launch_kernel(kernel, dim3((size - 1) / BLOCK_THREADS + 1), BLOCK_THREADS, arguments,
                         queue);
}

enum device_error pixels_clear(const struct clear_args *args, struct device_queue *queue) {
    return launch((const void *)clear, args, (args->size - 1) / CLEAR_PIXELS + 1, queue);
}

enum device_error pixels_colour(const struct colour_args *args, struct device_queue *queue) {
    return launch((const void *)colour, args, args->size, queue);
}

enum device_error pixels_shift(const struct shift_args *args, struct device_queue *queue) {
    return launch((const void *)shift, args, args->size, queue);
}

enum device_error pixels_keep(const struct keep_args *args, struct device_queue *queue) {
    return launch((const void *)keep, args, args->size, queue);
}

enum device_error pixels_export(const struct export_args *args, struct device_queue *queue) {
    return launch((const void *)counts, args, args->size, queue);
}

cudaError_t pixels_load(void) {
    const void *const kernels[] = {(const void *)clear, (const void *)colour, (const void *)shift,
                                   (const void *)keep, (const void *)counts};
    return load_kernels(kernels, sizeof kernels / sizeof *kernels);
}
