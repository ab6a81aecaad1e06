/* Finds out what all orbits of a cell have in common before any is drawn, by following them at
 * once, as a disc. */
#include "cuda/launch.cuh"
#include "gpu/density/kernels.h"

#define BLOCK_THREADS 256

static __global__ void __launch_bounds__(BLOCK_THREADS)
    bound_cells(const __grid_constant__ struct points_task task, const uint32_t *order,
                uint2 *bounds) {
    const uint32_t k = blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (k >= task.cells)
        return;
    uint32_t cell = order[k];
    const uint32_t known = cell_bounds_of(&task, cell);
    bounds[k] = make_uint2(cell, known);
}

#define LIST_THREADS 1024

/* One block: pairs with bounds, in order. */
static __global__ void __launch_bounds__(LIST_THREADS)
    list_pairs(uint32_t cells, const uint2 *bounds, struct points_pair *pairs, uint32_t *numbers,
               struct cell_bounds *result) {
    __shared__ uint32_t sums[LIST_THREADS / 32];
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, all = (cells + 1) / 2;
    uint32_t size = 0, open = 0, plots = 0;
    for (uint32_t begin = 0; begin < all; begin += LIST_THREADS) {
        const uint32_t m = begin + threadIdx.x;
        const uint2 none = make_uint2(0, 0);
        const uint2 a = m < all ? bounds[2 * m] : none,
                    b = 2 * m + 1 < cells ? bounds[2 * m + 1] : none;
        const bool live = a.y || b.y;
        const unsigned mask = __ballot_sync(~0u, live);
        if (lane == 0)
            sums[warp] = (uint32_t)__popc(mask);
        __syncthreads();
        uint32_t before = size + (uint32_t)__popc(mask & ((1u << lane) - 1));
        for (uint32_t i = 0; i < LIST_THREADS / 32; i++) {
            before += i < warp ? sums[i] : 0;
            size += sums[i];
        }
        __syncthreads();
        open += cell_bounds_are_open(a.y) + cell_bounds_are_open(b.y);
        plots += cell_bounds_plots(a.y) + cell_bounds_plots(b.y);
        if (!live)
            continue;
        pairs[before] = {{a.x, b.x}, {a.y, b.y}};
        numbers[before] = m;
    }
    atomicAdd(&result->open, open);
    atomicAdd(&result->plots, plots);
    if (threadIdx.x == 0)
        result->live = size;
}

enum device_error cell_bounds_make(const struct cell_bounds_args *args,
                                   struct device_queue *queue) {
    const struct points_task *task = &args->job->task;
    const cudaStream_t stream = (cudaStream_t)queue;
    uint2 *const bounds = (uint2 *)args->memory;
    const cudaError_t error = cudaMemsetAsync(args->result, 0, sizeof *args->result, stream);
    if (error != cudaSuccess || task->cells == 0)
        return cuda_device_error(error);
    bound_cells<<<(task->cells - 1) / BLOCK_THREADS + 1, BLOCK_THREADS, 0, stream>>>(
        *task, args->order, bounds);
    list_pairs<<<1, LIST_THREADS, 0, stream>>>(task->cells, bounds, args->pairs, args->numbers,
                                               args->result);
    return cuda_device_error(cudaGetLastError());
}

cudaError_t cell_bounds_load(void) {
    const void *const kernels[] = {(const void *)bound_cells, (const void *)list_pairs};
    return load_kernels(kernels, sizeof kernels / sizeof *kernels);
}
