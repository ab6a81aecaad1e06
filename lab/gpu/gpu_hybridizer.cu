/* Seed 004's kernels. Where it computes coordinates from indices, these take them from tables;
 * where nvcc would fuse its products with sums, the fused ones say so. */
#include "lab/gpu/gpu_kernels.h"

#define LINE_THREADS 128
#define GRID_SIDE    32
#define BLOCK_SIDE   16

template <bool fused>
static __device__ __forceinline__ uint32_t iter_count(float cx, float cy, uint32_t maxiter) {
    uint32_t result = 0;
    float x = 0, y = 0, xx = 0, yy = 0;
    while (xx + yy <= 4.0f && result < maxiter) {
        xx = x * x;
        yy = y * y;
        const float xtmp = (fused ? fmaf(x, x, -yy) : xx - yy) + cx;
        y = fused ? fmaf(2.0f * x, y, cy) : 2.0f * x * y + cy;
        x = xtmp;
        result++;
    }
    return result;
}

/* A block for every line. */
template <bool fused> static __global__ void lines(const __grid_constant__ gpu_band b) {
    const uint32_t i = blockIdx.x;
    for (uint32_t j = threadIdx.x; j < b.width; j += LINE_THREADS)
        b.count[(size_t)i * b.width + j] =
            iter_count<fused>(((const float *)b.re)[j], ((const float *)b.im)[i], b.limit);
}

/* Blocks that stride over the picture; `across`: neighbouring threads are in different rows. */
template <bool fused, bool across>
static __global__ void strides(const __grid_constant__ gpu_band b) {
    const uint32_t tx = threadIdx.x + BLOCK_SIDE * blockIdx.x;
    const uint32_t ty = threadIdx.y + BLOCK_SIDE * blockIdx.y;
    for (uint32_t i = across ? tx : ty; i < b.rows; i += BLOCK_SIDE * GRID_SIDE)
        for (uint32_t j = across ? ty : tx; j < b.width; j += BLOCK_SIDE * GRID_SIDE)
            b.count[(size_t)i * b.width + j] =
                iter_count<fused>(((const float *)b.re)[j], ((const float *)b.im)[i], b.limit);
}

template <bool fused> static void launch(enum gpu_program program, const struct gpu_band *b) {
    const dim3 grid(GRID_SIDE, GRID_SIDE), block(BLOCK_SIDE, BLOCK_SIDE);
    if (program == GPU_HYBRIDIZER_LINES)
        lines<fused><<<b->rows, LINE_THREADS>>>(*b);
    else if (program == GPU_HYBRIDIZER_GRID)
        strides<fused, false><<<grid, block>>>(*b);
    else
        strides<fused, true><<<grid, block>>>(*b);
}

cudaError_t gpu_hybridizer_launch(enum gpu_program program, const struct gpu_band *band) {
    if (band->fused)
        launch<true>(program, band);
    else
        launch<false>(program, band);
    return cudaGetLastError();
}
