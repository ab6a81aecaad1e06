/* Passes over samples that are there already: colouring them and moving them. Bound by memory. */
#include "cuda/orbit.cuh"

#include "cuda/kernels.h"

#define BLOCK_THREADS 256

static __global__ void __launch_bounds__(BLOCK_THREADS)
    colour(const __grid_constant__ struct colour_args a) {
    const uint32_t i = blockIdx.x * BLOCK_THREADS + threadIdx.x;
    const size_t pixel = a.begin + i;
    bool done = false;
    if (i < a.size) {
        const float fraction = a.planes.fraction[pixel];
        done = !isnan(fraction);
        if (a.rgba)
            a.rgba[pixel] =
                done ? colour_of(a.colouring, a.colouring->table, a.planes.count[pixel], fraction)
                     : 0;
    }
    const int found = __syncthreads_count(done);
    if (threadIdx.x == 0 && a.tally && found > 0)
        atomicAdd(&a.tally->done, (unsigned long long)found);
}

static __global__ void __launch_bounds__(BLOCK_THREADS)
    shift(const __grid_constant__ struct shift_args a) {
    const uint32_t i = blockIdx.x * BLOCK_THREADS + threadIdx.x;
    if (i >= a.size)
        return;
    const uint32_t pixel = (uint32_t)(a.begin + i);
    const uint32_t y = pixel / a.width, x = pixel - y * a.width;
    const int64_t from_x = (int64_t)x + a.dx, from_y = (int64_t)y + a.dy;
    uint32_t count = 0;
    float fraction = nanf("");
    if (from_x >= 0 && from_x < a.width && from_y >= 0 && from_y < a.height) {
        const size_t from = (size_t)from_y * a.width + (size_t)from_x;
        fraction = a.from.fraction[from];
        if (!isnan(fraction))
            count = a.from.count[from];
    }
    a.to.count[pixel] = count;
    a.to.fraction[pixel] = fraction;
}

static cudaError_t launch(const void *kernel, const void *args, uint32_t size,
                          cudaStream_t stream) {
    void *arguments[] = {(void *)args};
    return cudaLaunchKernel(kernel, dim3((size - 1) / BLOCK_THREADS + 1), dim3(BLOCK_THREADS),
                            arguments, 0, stream);
}

cudaError_t pixels_colour(const struct colour_args *args, cudaStream_t stream) {
    return launch((const void *)colour, args, args->size, stream);
}

cudaError_t pixels_shift(const struct shift_args *args, cudaStream_t stream) {
    return launch((const void *)shift, args, args->size, stream);
}

cudaError_t pixels_load(void) {
    cudaFuncAttributes attributes;
    const cudaError_t error = cudaFuncGetAttributes(&attributes, (const void *)colour);
    return error != cudaSuccess ? error : cudaFuncGetAttributes(&attributes, (const void *)shift);
}
