/* Seed 002's ways to share pixels out among threads, with the canonical arithmetics and fixed
 * point, so that counts compare with those of processors. */
#include "lab/gpu/gpu_kernels.h"
#include "lab/gpu/step.cuh"

#define SIDE 16 /* of a block, unless said */

/* What a program does with its numbers: a step, and whether z is inside. */
template <typename real, bool fused> struct floating {
    typedef real number;
    INLINE bool inside(real zr, real zi) {
        return norm<fused>(zr, zi) < real(4);
    }
    INLINE void step(real *zr, real *zi, real cr, real ci) {
        ::step<fused>(zr, zi, cr, ci);
    }
};

struct fixed {
    typedef int32_t number;
    INLINE bool inside(int32_t zr, int32_t zi) {
        return (int64_t)zr * zr + (int64_t)zi * zi < (int64_t)4 << (2 * GPU_FIXED_BITS);
    }
    INLINE void step(int32_t *zr, int32_t *zi, int32_t cr, int32_t ci) {
        const int64_t difference = (int64_t)*zr * *zr - (int64_t)*zi * *zi;
        const int64_t product = (int64_t)*zr * *zi;
        *zr = (int32_t)((difference >> GPU_FIXED_BITS) + cr);
        *zi = (int32_t)((product >> (GPU_FIXED_BITS - 1)) + ci);
    }
};

/* A thread for every pixel, a test after every step. */
template <typename math> static __global__ void pixel(const __grid_constant__ gpu_band b) {
    typedef typename math::number number;
    const uint32_t x = blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= b.width || y >= b.rows)
        return;
    const number cr = ((const number *)b.re)[x], ci = ((const number *)b.im)[y];
    number zr = 0, zi = 0;
    uint32_t count = 0;
    for (uint32_t n = 1; n <= b.limit; n++) {
        math::step(&zr, &zi, cr, ci);
        if (!math::inside(zr, zi)) {
            count = n;
            break;
        }
    }
    b.count[(size_t)y * b.width + x] = count;
}

/* The listing tests the z before the last step, so it is given one step more. It stores `remaining`
 * where it means the depth; what is stored here is the count that belongs to it. */
template <typename math> static __global__ void strided(const __grid_constant__ gpu_band b) {
    typedef typename math::number number;
    const uint32_t pixels = b.width * b.rows;
    for (uint32_t j = threadIdx.x; j < pixels; j += GPU_STRIDED_THREADS) {
        number zr = ((const number *)b.slot[SLOT_ZX])[j], zi = ((const number *)b.slot[SLOT_ZY])[j];
        const number cr = ((const number *)b.slot[SLOT_CX])[j],
                     ci = ((const number *)b.slot[SLOT_CY])[j];
        uint32_t remaining = b.limit + 1;
        bool in = true;
        while (remaining && in) {
            in = math::inside(zr, zi);
            math::step(&zr, &zi, cr, ci);
            remaining--;
        }
        ((number *)b.slot[SLOT_FX])[j] = zr;
        ((number *)b.slot[SLOT_FY])[j] = zi;
        b.count[j] = in ? 0 : b.limit - remaining;
    }
}

/* The same number of steps for all pixels, without effect for those that have escaped. */
template <typename math> static __global__ void masked(const __grid_constant__ gpu_band b) {
    typedef typename math::number number;
    const uint32_t x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;
    if (x >= b.width || y >= b.rows)
        return;
    const size_t i = (size_t)y * b.width + x;
    const number cr = ((const number *)b.re)[x], ci = ((const number *)b.im)[y];
    number zr = b.first ? number(0) : ((number *)b.slot[SLOT_ZX])[i];
    number zi = b.first ? number(0) : ((number *)b.slot[SLOT_ZY])[i];
    uint32_t steps = b.first ? 0 : ((uint32_t *)b.slot[SLOT_STEPS])[i];
    bool in = math::inside(zr, zi);
    if (!b.first && (!in || steps >= b.limit))
        return;
    for (int k = 0; k < GPU_MASKED_STEPS; k++) {
        const bool going = in && steps < b.limit;
        number next_r = zr, next_i = zi;
        math::step(&next_r, &next_i, cr, ci);
        zr = going ? next_r : zr;
        zi = going ? next_i : zi;
        steps += going;
        in = math::inside(zr, zi);
    }
    ((number *)b.slot[SLOT_ZX])[i] = zr;
    ((number *)b.slot[SLOT_ZY])[i] = zi;
    ((uint32_t *)b.slot[SLOT_STEPS])[i] = steps;
    b.count[i] = in ? 0 : steps;
    if (in && steps < b.limit)
        *(uint32_t *)b.slot[SLOT_LEFT] = 1;
}

template <typename math> static void launch(enum gpu_program program, const struct gpu_band *b) {
    const bool chosen = program == GPU_PIXEL && b->block_x;
    const uint32_t side_x = chosen ? b->block_x : SIDE, side_y = chosen ? b->block_y : SIDE;
    const dim3 grid((b->width - 1) / side_x + 1, (b->rows - 1) / side_y + 1);
    if (program == GPU_STRIDED64)
        strided<math><<<1, GPU_STRIDED_THREADS>>>(*b);
    else if (program == GPU_MASKED32)
        masked<math><<<grid, dim3(side_x, side_y)>>>(*b);
    else
        pixel<math><<<grid, dim3(side_x, side_y)>>>(*b);
}

cudaError_t gpu_modes_launch(enum gpu_program program, const struct gpu_band *b) {
    if (b->number == GPU_FIXED)
        launch<fixed>(program, b);
    else if (b->number == GPU_FLOAT && b->fused)
        launch<floating<float, true>>(program, b);
    else if (b->number == GPU_FLOAT)
        launch<floating<float, false>>(program, b);
    else if (b->fused)
        launch<floating<double, true>>(program, b);
    else
        launch<floating<double, false>>(program, b);
    return cudaGetLastError();
}
