/* The baseline that GPU kernels are measured against, and the peak. Unlike the backend's kernels
 * these are compiled with nvcc's defaults: the baseline is what plain operators become where the
 * compiler may fuse them, so that its counts are those of no canonical arithmetic. */
#include "lab/bench/gpu_kernels.h"

#define SIDE   16 /* of a block of the baseline */
#define CHAINS 8

template <typename real> static __global__ void loop(const __grid_constant__ gpu_loop_args a) {
    const uint32_t x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
    if (x >= a.width || y >= a.height)
        return;
    const real cr = ((const real *)a.re)[x], ci = ((const real *)a.im)[y];
    real zr = 0, zi = 0;
    uint32_t n = 1;
    for (; n <= a.limit; n++) {
        const real re = zr * zr - zi * zi, im = real(2) * zr * zi;
        zr = re + cr;
        zi = im + ci;
        if (zr * zr + zi * zi >= real(4))
            break;
    }
    a.count[y * a.width + x] = min(n, a.limit);
}

/* Enough chains and warps to fill every issue slot. The chains are orbits of x^2 - 1.9, which stay
 * in [-2, 2] and never settle: constant operands would switch fewer transistors, and the clock
 * would rise above what real work is given. */
template <typename real>
static __global__ void __launch_bounds__(GPU_PEAK_THREADS)
    peak(uint32_t rounds, real term, real *sink) {
    real chain[CHAINS];
    for (int i = 0; i < CHAINS; i++)
        chain[i] = real(threadIdx.x + i) / GPU_PEAK_THREADS - real(0.5);
    for (uint32_t round = 0; round < rounds; round++)
#pragma unroll
        for (int k = 0; k < GPU_PEAK_ROUND; k++)
            chain[k % CHAINS] = chain[k % CHAINS] * chain[k % CHAINS] + term;
    real sum = 0;
    for (int i = 0; i < CHAINS; i++)
        sum += chain[i];
    if (sum > 1000) /* never, but the compiler cannot know */
        *sink = sum;
}

cudaError_t gpu_loop_launch(enum number_type type, const struct gpu_loop_args *args) {
    const dim3 block(SIDE, SIDE);
    const dim3 grid((args->width + SIDE - 1) / SIDE, (args->height + SIDE - 1) / SIDE);
    if (type == TYPE_FLOAT)
        loop<float><<<grid, block>>>(*args);
    else
        loop<double><<<grid, block>>>(*args);
    return cudaGetLastError();
}

cudaError_t gpu_peak_launch(enum number_type type, int blocks, uint32_t rounds, void *sink) {
    if (type == TYPE_FLOAT)
        peak<float><<<blocks, GPU_PEAK_THREADS>>>(rounds, -1.9f, (float *)sink);
    else
        peak<double><<<blocks, GPU_PEAK_THREADS>>>(rounds, -1.9, (double *)sink);
    return cudaGetLastError();
}
