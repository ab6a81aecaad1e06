/* How threads share the pixels of a launch, whatever an orbit is: kernels over a lattice and over a
 * list. `path` says what a pixel's orbit is, how it is loaded (false: its sample is final), where it
 * starts, and how it is taken further (true: it must go on in the next round); and by `blocks` how many
 * blocks a multiprocessor must have room for at a time, 0: as many as the compiler likes. */
#ifndef FATHOM_CUDA_ESCAPE_ITERATE_CUH
#define FATHOM_CUDA_ESCAPE_ITERATE_CUH

#include "cuda/escape/warp.cuh"

/* Rows of the lattice's tiles: a row of blocks each, a run of tiles for each warp. */
template <class path>
static __global__ void __launch_bounds__(ITERATE_THREADS, path::blocks)
    iterate_lattice(const __grid_constant__ struct iterate_args a) {
    const uint32_t warp = blockIdx.x * ITERATE_TILES + threadIdx.x / LATTICE_TILE_POINTS;
    const bool stop = aborted(&a);
    struct work work = {0, 0, 0};
    uint32_t x, y;
    if (stop && !a.blank)
        return;
    lattice_pixel(&a.lattice, a.begin + blockIdx.y, warp * a.run, threadIdx.x % LATTICE_TILE_POINTS,
                  &x, &y);
    for (uint32_t k = 0; k < a.run; k++, x += a.lattice.stride_x << a.lattice.tile_x_log2) {
        const uint32_t pixel = y * a.width + x;
        const bool there = x < a.width && y < a.height;
        typename path::orbit o = {};
        uint32_t before = 0;
        bool going = there && !stop && path::load(&a, pixel, a.fresh, &before, &o);
        if (going) {
            path::place(&a, x, y, before, &o);
            going = path::advance(&a, pixel, before, &o, &work);
        } else if (there && stop) {
            clear(&a, pixel);
        }
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
    typename path::orbit o = {};
    uint32_t pixel = 0, before = 0;
    if (aborted(&a))
        return;
    bool going = i < a.size;
    if (going) {
        pixel = a.from[a.begin + i];
        going = path::load(&a, pixel, false, &before, &o);
    }
    if (going) {
        const uint32_t y = pixel / a.width;
        path::place(&a, pixel - y * a.width, y, before, &o);
        going = path::advance(&a, pixel, before, &o, &work);
    }
    if (a.to)
        append(&a, pixel, going);
    count_work(a.tally, &work);
}

template <class path> static iterate_kernel *choose_kernel(bool list) {
    return list ? iterate_list<path> : iterate_lattice<path>;
}

#endif
