/* The counting kernels. A warp draws tiles of 8x4 pixels one below another. What bounds them is the
 * number of instructions of any kind, so an orbit's first steps are written out one after another,
 * and the rest goes by blocks that end in one test; a block with an escape is done again. */
#include "lab/gpu/gpu_kernels.h"
#include "lab/gpu/step.cuh"
#include "render/formula/formula.h"
#include "render/interior.h"

#define TILE_X     8
#define TILE_Y     4
#define WARP       32
#define THREADS    128 /* of a block, its warps side by side */
#define TILES_MOST 8   /* that a warp does */

/* Entries of a block's table: its last ones stand for interior pixels, whose orbits may be counted
 * a little beyond the limit. */
#define TABLE_SIZE (GPU_TABLE_SIZE + 16)

/* How an orbit is divided: so many steps one by one or two by two, each time with a test, then long
 * blocks, then short ones. For the colours' limit of 255 the first two leave nothing to the third.
 */
template <int first_block_, int first_steps_, int long_block_, int late_block_> struct count_shape {
    static constexpr int first_block = first_block_;
    static constexpr int first_steps = first_steps_;
    static constexpr int long_block = long_block_;
    static constexpr int late_block = late_block_;
    static_assert(first_block == 1 || first_block == 2, "or look back further");
    static_assert(first_steps % first_block == 0 && first_steps <= 14, "the table has room");
};
typedef count_shape<1, 14, 24, 4> rgb_shape;
template <typename real>
using plain_shape = count_shape<2, 12, 64, sizeof(real) == sizeof(float) ? 8 : 4>;

/* An orbit, with the squares of z where the arithmetic rounds them. */
template <bool fused, typename real> struct walk { real cr, ci, zr, zi, rr, ii; };

/* Unfused: 2 p is exact, hence fma(2, p, ci) is (2 zr zi) + ci with both roundings, and an
 * instruction less. */
template <bool fused, typename real> INLINE void walk_step(struct walk<fused, real> *w) {
    if (fused) {
        step<true>(&w->zr, &w->zi, w->cr, w->ci);
    } else {
        const real p = w->zr * w->zi;
        w->zr = (w->rr - w->ii) + w->cr;
        w->zi = real_fma(real(2), p, w->ci);
        w->rr = w->zr * w->zr;
        w->ii = w->zi * w->zi;
    }
}

template <bool fused, typename real> INLINE real walk_norm2(const struct walk<fused, real> *w) {
    return fused ? norm<true>(w->zr, w->zi) : w->rr + w->ii;
}

INLINE bool inside(float n2) {
    return n2 < 4.0f;
}

/* The high words compare as the numbers do; that of a NaN is larger, of either sign. */
INLINE bool inside(double n2) {
    return (uint32_t)__double2hiint(n2) < 0x40100000u;
}

/* Whether |c|^2 is past what is safe for blocks, or so near that a high word does not tell. */
INLINE bool risky(float n2) {
    return !(n2 < (float)FORMULA_SAFE);
}

INLINE bool risky(double n2) {
    return (uint32_t)__double2hiint(n2) >= 0x400fae14u;
}

/* Shared memory by its own addresses. The compiler would make them anew for every pixel, did it not
 * take the shuffle's result for something new; all threads of a warp must come here. */
INLINE uint32_t shared_at(const void *first) {
    return __shfl_sync(~0u, (uint32_t)__cvta_generic_to_shared(first), 0);
}

INLINE void shared_load(uint32_t at, uint32_t *x) {
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(*x) : "r"(at));
}

INLINE void shared_load(uint32_t at, float *x) {
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(*x) : "r"(at));
}

INLINE void shared_load(uint32_t at, double *x) {
    asm volatile("ld.shared.f64 %0, [%1];" : "=d"(*x) : "r"(at));
}

/* Two numbers, at an address that is a multiple of their size. */
INLINE void shared_load(uint32_t at, float *x, float *y) {
    asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(*x), "=f"(*y) : "r"(at));
}

INLINE void shared_load(uint32_t at, double *x, double *y) {
    asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(*x), "=d"(*y) : "r"(at));
}

INLINE void shared_store(uint32_t at, float x, float y) {
    asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(at), "f"(x), "f"(y) : "memory");
}

INLINE void shared_store(uint32_t at, double x, double y) {
    asm volatile("st.shared.v2.f64 [%0], {%1, %2};" ::"r"(at), "d"(x), "d"(y) : "memory");
}

/* By one step to a test until an escape or past the limit. */
template <bool fused, typename real>
INLINE uint32_t walk_singly(struct walk<fused, real> *w, uint32_t n, uint32_t limit) {
    bool in = true;
#pragma unroll 1
    while (in && n <= limit) {
        walk_step(w);
        in = inside(walk_norm2(w));
        n++;
    }
    return in ? limit + 1 : n;
}

/* By short blocks, and back to the first step of the last one that was outside. */
template <int size, bool fused, typename real>
INLINE uint32_t walk_late(struct walk<fused, real> *w, uint32_t n, uint32_t limit) {
    real a[size], b[size];
    bool in = true;
#pragma unroll 1
    while (in && n < limit) {
#pragma unroll
        for (int k = 0; k < size; k++) {
            walk_step(w);
            a[k] = fused ? w->zr : w->rr;
            b[k] = fused ? w->zi : w->ii;
        }
        in = inside(walk_norm2(w));
        n += size;
    }
    if (in)
        return limit + 1;
    uint32_t back = 0;
#pragma unroll
    for (int k = size - 2; k >= 0; k--)
        if (!inside(fused ? norm<true>(a[k], b[k]) : a[k] + b[k]))
            back = size - 1 - k;
    return n - back;
}

/* By long blocks as far as they have no escape. Where one began is kept in shared memory, `kept`:
 * in registers it would cost moves. */
template <int size, bool fused, typename real>
INLINE uint32_t walk_long(struct walk<fused, real> *w, uint32_t n, uint32_t limit, uint32_t kept) {
    const uint32_t blocks = n < limit ? (limit - n) / size : 0;
    uint32_t left = blocks;
#pragma unroll 1
    for (; left > 0; left--) {
        shared_store(kept, w->zr, w->zi);
#pragma unroll
        for (int k = 0; k < size; k++)
            walk_step(w);
        if (!inside(walk_norm2(w))) {
            shared_load(kept, &w->zr, &w->zi);
            w->rr = w->zr * w->zr;
            w->ii = w->zi * w->zi;
            break;
        }
    }
    return n + (blocks - left) * size;
}

/* The first steps; true: escaped, *n says when. The orbit starts at z = c with one step done. */
template <typename shape, bool fused, typename real>
INLINE bool walk_first(struct walk<fused, real> *w, uint32_t *n) {
    real a = 0, b = 0;
#pragma unroll
    for (int k = 0; k < shape::first_steps; k += shape::first_block) {
#pragma unroll
        for (int i = 0; i < shape::first_block; i++) {
            a = fused ? w->zr : w->rr;
            b = fused ? w->zi : w->ii;
            walk_step(w);
        }
        *n = 1 + k + shape::first_block;
        if (!inside(walk_norm2(w))) {
            if (shape::first_block > 1 && !inside(fused ? norm<true>(a, b) : a + b))
                --*n;
            return true;
        }
    }
    return false;
}

/* When c escapes; past the limit: not up to there. rr and ii are the squares of cr and ci. */
template <typename shape, bool fused, typename real>
INLINE uint32_t count_pixel(real cr, real ci, real rr, real ii, uint32_t limit, bool cardioid,
                            uint32_t kept) {
    struct walk<fused, real> w = {
        cr, ci, cr, ci, rr, ii
    };
    const real c2 = walk_norm2(&w);
    uint32_t n = 1;
    if (!inside(c2))
        return n;
    if (shape::first_block > 1 && risky(c2))
        return walk_singly(&w, n, limit);
    if (walk_first<shape>(&w, &n))
        return n;
    if (cardioid && interior_surely(double(cr), double(ci),
                                    sizeof(real) == sizeof(float) ? INTERIOR_MARGIN_FLOAT
                                                                  : INTERIOR_MARGIN_DOUBLE))
        return limit + 1;
    if (shape::first_block == 1 && risky(c2))
        return walk_singly(&w, n, limit);
    n = walk_long<shape::long_block>(&w, n, limit, kept);
    return walk_late<shape::late_block>(&w, n, limit);
}

/* What a thread draws: pixels one below another, TILE_Y rows apart. */
template <typename real> struct column {
    real cr;
    uint32_t x, y;       /* the first one */
    uint32_t im, im_end; /* shared: the rows' coordinates, and where to stop */
    uint32_t table;      /* shared */
    uint32_t kept;       /* shared, the thread's own two numbers */
    uint32_t lane;
};

/* All of them are in the picture. Three of four threads write a word of what four have made. */
template <typename shape, bool fused, bool rgb, typename real>
INLINE void draw_whole(const struct gpu_band *a, const struct column<real> *c) {
    const uint32_t limit = a->limit, quarter = c->lane % 4;
    const uint32_t selector = quarter == 0 ? 0x4210 : quarter == 1 ? 0x5421 : 0x6542;
    const real rr = c->cr * c->cr;
    const uint64_t pixel = (uint64_t)c->y * a->width + c->x;
    uint32_t *out = rgb ? (uint32_t *)a->rgb : a->count;
    uint32_t at = (uint32_t)(rgb ? pixel / 4 * 3 + quarter : pixel);
    const uint32_t stride = a->width / (rgb ? 4 : 1) * (rgb ? 3 * TILE_Y : TILE_Y);
#pragma unroll 1
    for (uint32_t im = c->im; im < c->im_end; im += TILE_Y * sizeof(real), at += stride) {
        real ci;
        shared_load(im, &ci);
        const uint32_t n = count_pixel<shape, fused>(c->cr, ci, rr, ci * ci, limit,
                                                     a->shortcuts & SHORTCUTS_CARDIOID, c->kept);
        if (rgb) {
            uint32_t colour;
            shared_load(c->table + 4 * n, &colour);
            const uint32_t next = __shfl_down_sync(~0u, colour, 1);
            const uint32_t word = __byte_perm(colour, next, selector);
            if (quarter < 3)
                out[at] = word;
        } else {
            out[at] = n > limit ? 0 : n;
        }
    }
}

/* Some are not, or rows do not begin at words. */
template <typename shape, bool fused, bool rgb, typename real>
INLINE void draw_part(const struct gpu_band *a, const struct column<real> *c) {
    uint32_t y = c->y;
    if (c->x >= a->width)
        return;
#pragma unroll 1
    for (uint32_t im = c->im; im < c->im_end && y < a->rows;
         im += TILE_Y * sizeof(real), y += TILE_Y) {
        const size_t pixel = (size_t)y * a->width + c->x;
        real ci;
        shared_load(im, &ci);
        const uint32_t n = count_pixel<shape, fused>(c->cr, ci, c->cr * c->cr, ci * ci, a->limit,
                                                     a->shortcuts & SHORTCUTS_CARDIOID, c->kept);
        if (rgb) {
            uint32_t colour;
            shared_load(c->table + 4 * n, &colour);
            a->rgb[3 * pixel] = (uint8_t)colour;
            a->rgb[3 * pixel + 1] = (uint8_t)(colour >> 8);
            a->rgb[3 * pixel + 2] = (uint8_t)(colour >> 16);
        } else {
            a->count[pixel] = n > a->limit ? 0 : n;
        }
    }
}

template <typename shape, bool fused, bool rgb, typename real>
static __global__ void __launch_bounds__(THREADS)
    draw(const __grid_constant__ struct gpu_band a, uint32_t tiles) {
    __shared__ real im[TILES_MOST * TILE_Y];
    __shared__ uint32_t table[rgb ? TABLE_SIZE : 1];
    __shared__ __align__(16) real kept[THREADS * 2];
    const uint32_t rows = tiles * TILE_Y, columns = THREADS / WARP * TILE_X;
    const uint32_t lane = threadIdx.x % WARP, top = blockIdx.y * rows;
    const uint32_t x = blockIdx.x * columns + threadIdx.x / WARP * TILE_X + lane % TILE_X;
    if (threadIdx.x < rows)
        im[threadIdx.x] = ((const real *)a.im)[min(top + threadIdx.x, a.rows - 1)];
    if (rgb) {
#pragma unroll 1
        for (uint32_t i = threadIdx.x; i < TABLE_SIZE; i += THREADS)
            table[i] = a.table[i <= a.limit ? i : 0];
    }
    __syncthreads();
    const uint32_t own_row = lane / TILE_X * (uint32_t)sizeof(real);
    struct column<real> c;
    c.cr = x < a.width ? ((const real *)a.re)[x] : real(0);
    c.x = x;
    c.y = top + lane / TILE_X;
    c.im = shared_at(im) + own_row;
    c.im_end = shared_at(im) + rows * (uint32_t)sizeof(real);
    c.table = shared_at(table);
    c.kept = shared_at(kept) + threadIdx.x * 2 * (uint32_t)sizeof(real);
    c.lane = lane;
    if (top + rows <= a.rows && (blockIdx.x + 1) * columns <= a.width && (!rgb || a.width % 4 == 0))
        draw_whole<shape, fused, rgb>(&a, &c);
    else
        draw_part<shape, fused, rgb>(&a, &c);
}

typedef void kernel(struct gpu_band, uint32_t);

template <bool fused, typename real> static kernel *choose(bool rgb) {
    return rgb ? (kernel *)draw<rgb_shape, fused, true, real>
               : (kernel *)draw<plain_shape<real>, fused, false, real>;
}

static kernel *choose_kernel(bool single, bool fused, bool rgb) {
    if (single)
        return fused ? choose<true, float>(rgb) : choose<false, float>(rgb);
    return fused ? choose<true, double>(rgb) : choose<false, double>(rgb);
}

/* Many tiles spare a warp's beginning; few of them share the work out better, which matters more
 * for long orbits and small pictures. Measured on a device of 132 multiprocessors. */
static uint32_t choose_tiles(const struct gpu_band *args) {
    const bool lengthy = args->limit > GPU_TABLE_SIZE;
    const uint64_t pixels = (uint64_t)args->width * args->rows;
    const uint64_t tiles = pixels / (lengthy ? 2700000 : 700000), most = lengthy ? 2 : TILES_MOST;
    return (uint32_t)(tiles < 1 ? 1 : tiles > most ? most : tiles);
}

cudaError_t gpu_ours_launch(const struct gpu_band *band) {
    struct gpu_band a = *band;
    uint32_t tiles = choose_tiles(&a);
    const uint32_t columns = THREADS / WARP * TILE_X, rows = tiles * TILE_Y;
    const dim3 grid((a.width - 1) / columns + 1, (a.rows - 1) / rows + 1);
    void *arguments[] = {&a, &tiles};
    if (a.rgb && a.limit >= GPU_TABLE_SIZE)
        a.limit = GPU_TABLE_SIZE - 1; /* larger counts look like the interior */
    return cudaLaunchKernel(
        (const void *)choose_kernel(a.number == GPU_FLOAT, a.fused, a.rgb != NULL), grid,
        dim3(THREADS), arguments, 0, NULL);
}

cudaError_t gpu_ours_load(void) {
    cudaError_t error = cudaSuccess;
    for (int axes = 0; axes < 8 && error == cudaSuccess; axes++) {
        cudaFuncAttributes attributes;
        error = cudaFuncGetAttributes(&attributes,
                                      (const void *)choose_kernel(axes & 1, axes & 2, axes & 4));
    }
    return error;
}
