/* Colours, moves and hands out samples that are there already, so that a palette or a pan iterates
 * nothing. Bound by memory. */
#include "cuda/launch.cuh"
#include "gpu/escape/pixels.h"

#include "gpu/kernels/move.h"
#include "gpu/kernels/shade.h"

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
    const size_t pixel = (size_t)a.task.begin + i;
    bool done = false;
    if (i < a.task.size) {
        done = SAMPLE_FINAL(a.planes.count[pixel], a.task.limit);
        if (a.rgba)
            a.rgba[pixel] = done ? shade_layers(&a.task.shades, a.table, a.planes.plane, pixel) : 0;
    }
    const int found = __syncthreads_count(done);
    if (threadIdx.x == 0 && a.tally && found > 0)
        atomicAdd(&a.tally[blockIdx.x % TALLY_SHARES].done, (unsigned long long)found);
}

static __global__ void __launch_bounds__(BLOCK_THREADS)
    shift(const __grid_constant__ struct shift_args a) {
    const uint32_t i = blockIdx.x * BLOCK_THREADS + threadIdx.x, pixel = a.task.begin + i;
    uint32_t from;
    if (i >= a.task.size)
        return;
    const uint32_t count = move_shifted(&a.task, a.from.plane, (const uint64_t *)a.from_states,
                                        (uint64_t *)a.to_states, pixel, &from);
    move_planes(a.from.plane, a.to.plane, from, pixel, count, 1.0f);
}

static __global__ void __launch_bounds__(BLOCK_THREADS)
    keep(const __grid_constant__ struct keep_args a) {
    const uint32_t i = blockIdx.x * BLOCK_THREADS + threadIdx.x, pixel = a.task.begin + i;
    uint32_t from;
    if (i >= a.task.size)
        return;
    const bool there = keep_from(&a.task, a.lines, pixel, &from);
    move_planes(a.from.plane, a.to.plane, from, pixel,
                there ? keep_count(&a.task, a.from.count[from]) : SAMPLE_MISSING, a.task.unit);
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
    return launch((const void *)colour, args, args->task.size, queue);
}

enum device_error pixels_shift(const struct shift_args *args, struct device_queue *queue) {
    return launch((const void *)shift, args, args->task.size, queue);
}

enum device_error pixels_keep(const struct keep_args *args, struct device_queue *queue) {
    return launch((const void *)keep, args, args->task.size, queue);
}

enum device_error pixels_export(const struct export_args *args, struct device_queue *queue) {
    return launch((const void *)counts, args, args->size, queue);
}

cudaError_t pixels_load(void) {
    const void *const kernels[] = {(const void *)clear, (const void *)colour, (const void *)shift,
                                   (const void *)keep, (const void *)counts};
    return load_kernels(kernels, sizeof kernels / sizeof *kernels);
}
