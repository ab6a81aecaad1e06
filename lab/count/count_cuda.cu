/* Counting kernels (CUDA): counts alone, in unfused arithmetic. The number of instructions of any
 * kind limits their speed. So the first steps of an orbit are unrolled with a test each, and the
 * rest goes in blocks with one test at the end. A block with an escape is repeated. */
#include "lab/gpu/gpu_kernels.h"
#include "render/formula/formula.h"
#include "render/inline.h"
#include "render/interior.h"

/* A warp draws a tile of 8x4 pixels; the warps of a block draw adjacent tiles. */
#define TILE_X      8
#define TILE_Y      4
#define WARP        32
#define THREADS     128
#define FIRST_STEPS 14 /* with a test after each */
#define BLOCK_STEPS 16 /* with one test */

/* An orbit and the squares of z. */
template <typename real> struct walk { real cr, ci, zr, zi, rr, ii; };

/* Does a step. 2 p is exact, so fma(2, p, ci) is (2 zr zi) + ci with both roundings, in one
 * instruction less. */
template <typename real> INLINE void walk_step(struct walk<real> *w) {
    const real p = w->zr * w->zi;
    w->zr = (w->rr - w->ii) + w->cr;
    w->zi = fma(real(2), p, w->ci);
    w->rr = w->zr * w->zr;
    w->ii = w->zi * w->zi;
}

INLINE bool inside(float n2) {
    return n2 < 4.0f;
}

/* Returns true if n2 < 4. The high words compare as the numbers do; the high word of a NaN is
 * larger, whatever its sign. */
INLINE bool inside(double n2) {
    return (uint32_t)__double2hiint(n2) < 0x40100000u;
}

/* Iterates in blocks up to the block with the escape. Orbits with |c|^2 < FORMULA_SAFE stay outside
 * once they have escaped, so one test a block is enough. Returns the steps done. */
template <typename real>
INLINE uint32_t walk_blocks(struct walk<real> *w, uint32_t n, uint32_t limit) {
#pragma unroll 1
    while (n + BLOCK_STEPS <= limit) {
        const struct walk<real> before = *w;
#pragma unroll
        for (int k = 0; k < BLOCK_STEPS; k++)
            walk_step(w);
        if (!inside(w->rr + w->ii)) {
            *w = before;
            break;
        }
        n += BLOCK_STEPS;
    }
    return n;
}

/* Returns the step in which c escapes; a value above the limit if it does not escape within the
 * limit. */
template <typename real>
INLINE uint32_t count_pixel(real cr, real ci, uint32_t limit, bool cardioid) {
    struct walk<real> w = {
        cr, ci, cr, ci, cr *cr, ci *ci
    };
    const bool safe = w.rr + w.ii < real(FORMULA_SAFE);
    uint32_t n = 1;
    bool in = inside(w.rr + w.ii);
#pragma unroll
    for (int k = 0; k < FIRST_STEPS && in; k++) {
        walk_step(&w);
        in = inside(w.rr + w.ii);
        n++;
    }
    if (in && cardioid &&
        interior_surely(double(cr), double(ci),
                        sizeof(real) == sizeof(float) ? INTERIOR_MARGIN_FLOAT
                                                      : INTERIOR_MARGIN_DOUBLE))
        return limit + 1;
    if (in && safe)
        n = walk_blocks(&w, n, limit);
#pragma unroll 1
    while (in && n <= limit) {
        walk_step(&w);
        in = inside(w.rr + w.ii);
        n++;
    }
    return n;
}

template <typename real>
static __global__ void __launch_bounds__(THREADS) draw(const __grid_constant__ struct gpu_job a) {
    const int lane = (int)threadIdx.x % WARP,
              warp = (int)(blockIdx.x * THREADS + threadIdx.x) / WARP;
    const int x = warp * TILE_X + lane % TILE_X, y = (int)blockIdx.y * TILE_Y + lane / TILE_X;
    if (x >= a.width_px || y >= a.height_px)
        return;
    const size_t pixel = (size_t)y * a.width_px + x;
    const uint32_t n = count_pixel(((const real *)a.re)[x], ((const real *)a.im)[y], a.limit,
                                   a.shortcuts & SHORTCUTS_CARDIOID);
    const uint32_t count = n > a.limit ? 0 : n;
    if (!a.table) {
        a.count[pixel] = count;
        return;
    }
    const uint32_t colour = a.table[count];
    uint8_t *rgb = (uint8_t *)a.count + 3 * pixel;
    rgb[0] = (uint8_t)colour;
    rgb[1] = (uint8_t)(colour >> 8);
    rgb[2] = (uint8_t)(colour >> 16);
}

cudaError_t gpu_ours_launch(const struct gpu_job *job) {
    struct gpu_job a = *job;
    const int columns = THREADS / WARP * TILE_X;
    const dim3 grid((a.width_px - 1) / columns + 1, (a.height_px - 1) / TILE_Y + 1);
    if (a.table && a.limit >= GPU_TABLE_SIZE)
        a.limit = GPU_TABLE_SIZE - 1; /* larger counts are coloured like the interior */
    if (a.type == TYPE_FLOAT)
        draw<float><<<grid, THREADS>>>(a);
    else
        draw<double><<<grid, THREADS>>>(a);
    return cudaGetLastError();
}
