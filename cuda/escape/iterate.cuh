/* How threads share the pixels of a launch, whatever an orbit is: kernels over a lattice and over a
 * list. `path` says how a pixel is taken further that is not final (true: it must go on in the next round);
 * and by `blocks` how many blocks a multiprocessor must have room for at a time, 0: as many as the
 * compiler likes. */
#ifndef FATHOM_CUDA_ESCAPE_ITERATE_CUH
#define FATHOM_CUDA_ESCAPE_ITERATE_CUH

#include "cuda/escape/number.cuh"

#include "cuda/escape/warp.cuh"

template <class path>
static __device__ __forceinline__ bool iterate_pixel(const struct iterate_args *a, uint32_t x,
                                                     uint32_t y, bool fresh, struct work *work) {
    uint32_t before = 0;
    return (fresh || iterate_goes_on(&a->task, a->planes.count[y * a->task.width + x], &before)) &&
           path::advance(a, x, y, fresh, before, work);
}

/* Rows of the lattice's tiles: a row of blocks each, a run of tiles for each warp. */
template <class path>
static __global__ void __launch_bounds__(ITERATE_THREADS, path::blocks)
    iterate_lattice(const __grid_constant__ struct iterate_args a) {
    const struct iterate_task *const task = &a.task;
    const uint32_t warp = blockIdx.x * ITERATE_TILES + threadIdx.x / LATTICE_TILE_POINTS;
    const bool stop = aborted(&a);
    struct work work = {0, 0, 0};
    uint32_t x, y;
    if (stop && !task->blank)
        return;
    lattice_pixel(&task->lattice, task->begin + blockIdx.y, warp * task->run,
                  threadIdx.x % LATTICE_TILE_POINTS, &x, &y);
    for (uint32_t k = 0; k < task->run;
         k++, x += task->lattice.stride_x << task->lattice.tile_x_log2) {
        const uint32_t pixel = y * task->width + x;
        const bool there = x < task->width && y < task->height;
        bool going = false;
        if (there && !stop)
            going = iterate_pixel<path>(&a, x, y, task->fresh, &work);
        else if (there)
            iterate_clear(&a, pixel);
        if (a.to)
            append(&a, pixel, going);
    }
    count_work(a.tally, &work);
}

/* Entries of a list. */
template <class path>
static __global__ void __launch_bounds__(ITERATE_THREADS, path::blocks)
    iterate_list(const __grid_constant__ struct iterate_args a) {
    const uint32_t i = blockIdx.x * ITERATE_THREADS + threadIdx.x;
    struct work work = {0, 0, 0};
    uint32_t pixel = 0;
    bool going = false;
    if (aborted(&a))
        return;
    if (i < a.task.size) {
        pixel = a.from[a.task.begin + i];
        const uint32_t y = pixel / a.task.width;
        going = iterate_pixel<path>(&a, pixel - y * a.task.width, y, false, &work);
    }
    if (a.to)
        append(&a, pixel, going);
    count_work(a.tally, &work);
}

template <class path> static iterate_kernel *choose_kernel(bool list) {
    return list ? iterate_list<path> : iterate_lattice<path>;
}

#endif
