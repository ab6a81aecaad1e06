/* Kernels of seed 004, compiled with -fmad=false to get the same counts as the CPU. The seed
 * computes coordinates from indices; these kernels read coordinates from tables. */
#include "lab/gpu/gpu_kernels.h"

#define LINE_THREADS 128
#define GRID_SIDE    32
#define BLOCK_SIDE   16

static __device__ __forceinline__ uint32_t iter_count(float cx, float cy, uint32_t maxiter) {
    uint32_t result = 0;
    float x = 0, y = 0, xx = 0, yy = 0;
    while (xx + yy <= 4.0f && result < maxiter) {
        xx = x * x;
        yy = y * y;
        const float xtmp = xx - yy + cx;
        y = 2.0f * x * y + cy;
        x = xtmp;
        result++;
    }
    return result;
}

/* Draws with a block for every line. */
static __global__ void lines(const __grid_constant__ gpu_job b) {
    const int i = (int)blockIdx.x;
    for (int j = (int)threadIdx.x; j < b.width_px; j += LINE_THREADS)
        b.count[(size_t)i * b.width_px + j] =
            iter_count(((const float *)b.re)[j], ((const float *)b.im)[i], b.limit);
}

/* Draws with blocks that stride over the picture. */
static __global__ void strides(const __grid_constant__ gpu_job b) {
    const int x = (int)(threadIdx.x + BLOCK_SIDE * blockIdx.x);
    const int y = (int)(threadIdx.y + BLOCK_SIDE * blockIdx.y);
    for (int i = y; i < b.height_px; i += BLOCK_SIDE * GRID_SIDE)
        for (int j = x; j < b.width_px; j += BLOCK_SIDE * GRID_SIDE)
            b.count[(size_t)i * b.width_px + j] =
                iter_count(((const float *)b.re)[j], ((const float *)b.im)[i], b.limit);
}

cudaError_t gpu_hybridizer_launch(const struct gpu_job *b) {
    if (b->program == GPU_HYBRIDIZER_LINES)
        lines<<<b->height_px, LINE_THREADS>>>(*b);
    else
        strides<<<dim3(GRID_SIDE, GRID_SIDE), dim3(BLOCK_SIDE, BLOCK_SIDE)>>>(*b);
    return cudaGetLastError();
}
