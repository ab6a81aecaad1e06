/* What the kernels that count points share: their numbers, where a point is counted, tallies and
 * lists. To be included first. */
#ifndef FATHOM_CUDA_DENSITY_POINTS_CUH
#define FATHOM_CUDA_DENSITY_POINTS_CUH

#include "cuda/escape/number.cuh"
#include "cuda/launch.cuh"
#include "gpu/density/kernels.h"

enum place_kind { PLACE_ROWS, PLACE_COLUMNS, PLACE_ANY }; /* folded rows, folded columns, neither */

/* The job in the kernels' numbers. */
template <typename real> struct points_args {
    real scale_re, offset_re, scale_im, offset_im;
    real column_re, column_im, column_0, row_re, row_im, row_0;
    real bailout2;
    uint32_t width, height, plane_size;
    uint32_t first, least, limit, young;
    bool bounded, seed_skips, both;
    int planes;
    uint32_t top[DENSITY_PLANES_MAX];
    uint64_t random;
    uint32_t cells;
    uint32_t *counts;
    struct tally *tally;
    struct points_state *state;
    const uint32_t *abort;
    uint32_t serial;
};

/* --- where a point is counted --- */

INLINE float absolute(float x) {
    return fabsf(x);
}
INLINE double absolute(double x) {
    return fabs(x);
}
/* Saturated; below 0 for all x < 0. */
INLINE uint32_t down(float x) {
    return (uint32_t)__float2int_rd(x);
}
INLINE uint32_t down(double x) {
    return (uint32_t)__double2int_rd(x);
}

/* Whether z is in the picture, and in which pixel. Coefficients that a kind leaves out are zeros,
 * whose products change nothing. None is infinite, so a place is a number, or infinite. */
template <int kind, typename real>
INLINE bool locate(const struct points_args<real> *a, real zr, real zi, uint32_t *pixel) {
    real column, row;
    if (kind == PLACE_ROWS) {
        column = real_fma(zr, a->column_re, a->column_0);
        row = real_fma(absolute(zi), a->row_im, a->row_0);
    } else if (kind == PLACE_COLUMNS) {
        column = real_fma(absolute(zi), a->column_im, a->column_0);
        row = real_fma(zr, a->row_re, a->row_0);
    } else {
        column = real_fma(zi, a->column_im, real_fma(zr, a->column_re, a->column_0));
        row = real_fma(zi, a->row_im, real_fma(zr, a->row_re, a->row_0));
    }
    const uint32_t x = down(column), y = down(row);
    *pixel = y * a->width + x;
    return x < a->width && y < a->height;
}

/* What a warp remembers of its points: whether they were in as many pixels as there are threads
 * when it last looked, so that there is nothing to be added up. */
struct crowd {
    uint32_t turn;
    bool spread;
};

#define CROWD_LOOK 16u /* points until it looks again */

/* Adds a point for each thread that is `in`; all of a warp come here. Counts of one pixel are added
 * up first. */
template <bool adaptive>
INLINE void add_points(uint32_t *counts, uint32_t pixel, bool in, struct crowd *crowd) {
    if (adaptive && crowd->turn++ % CROWD_LOOK != 0 && crowd->spread) {
        if (in)
            atomicAdd(&counts[pixel], 1u);
        return;
    }
    const unsigned mask = __ballot_sync(~0u, in);
    bool first = false;
    if (in) {
        const unsigned same = __match_any_sync(mask, pixel);
        first = (same & ((1u << threadIdx.x % 32) - 1)) == 0;
        if (first)
            atomicAdd(&counts[pixel], (uint32_t)__popc(same));
    }
    if (adaptive)
        crowd->spread = 4 * __popc(__ballot_sync(~0u, first)) > 3 * __popc(mask);
}

template <int kind, bool adaptive, typename real>
INLINE uint32_t plot_one(const struct points_args<real> *a, real zr, real zi, bool on,
                         uint32_t plane, struct crowd *crowd) {
    uint32_t pixel;
    const bool in = locate<kind>(a, zr, zi, &pixel) && on;
    add_points<adaptive>(a->counts, plane + pixel, in, crowd);
    return in;
}

/* Returns how many increments it made. `plane` is the first index of it. All of a warp come
 * here. */
template <int kind, bool adaptive, typename real>
INLINE uint32_t plot_point(const struct points_args<real> *a, real zr, real zi, bool on,
                           uint32_t plane, struct crowd *crowd) {
    uint32_t points = plot_one<kind, adaptive>(a, zr, zi, on, plane, crowd);
    if (kind == PLACE_ANY && a->both)
        points += plot_one<kind, adaptive>(a, zr, -zi, on, plane, crowd);
    return points;
}

/* The first index of the plane for orbits of n steps. */
template <typename real> INLINE uint32_t plane_of(const struct points_args<real> *a, uint32_t n) {
    uint32_t plane = 0;
    if (a->planes == 1)
        return 0;
    for (int i = 0; i + 1 < DENSITY_PLANES_MAX; i++)
        if (i + 1 < a->planes && n > a->top[i])
            plane += a->plane_size;
    return plane;
}

/* --- tallies and lists --- */

INLINE uint32_t warp_max(uint32_t x) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(~0u, x);
#else
    for (int distance = 16; distance > 0; distance /= 2)
        x = max(x, __shfl_xor_sync(~0u, x, distance));
    return x;
#endif
}

INLINE unsigned long long warp_sum64(unsigned long long x) {
    for (int distance = 16; distance > 0; distance /= 2)
        x += __shfl_xor_sync(~0u, x, distance);
    return x;
}

INLINE void count_work(struct tally *tally, unsigned long long steps, unsigned long long points) {
    steps = warp_sum64(steps);
    points = warp_sum64(points);
    if (threadIdx.x % 32 != 0)
        return;
    tally += (blockIdx.x + threadIdx.x / 32) % TALLY_SHARES;
    atomicAdd(&tally->steps, steps);
    atomicAdd(&tally->points, points);
}

template <typename real> INLINE bool aborted(const struct points_args<real> *a) {
    return __any_sync(~0u, *(const volatile uint32_t *)a->abort == a->serial);
}

/* An entry of a list of its own for each thread with `wanted`; all of a warp come here. */
INLINE uint32_t append(uint32_t *size, bool wanted) {
    const unsigned mask = __ballot_sync(~0u, wanted);
    const uint32_t lane = threadIdx.x % 32;
    uint32_t entry = 0;
    if (lane == 0 && mask)
        entry = atomicAdd(size, (uint32_t)__popc(mask));
    return __shfl_sync(~0u, entry, 0) + (uint32_t)__popc(mask & ((1u << lane) - 1));
}

template <typename real>
INLINE void load(const struct points_list *list, uint32_t i, struct orbit<real> *o) {
    o->cr = ((const real *)list->cr)[i];
    o->ci = ((const real *)list->ci)[i];
    o->zr = ((const real *)list->zr)[i];
    o->zi = ((const real *)list->zi)[i];
}

template <typename real>
INLINE void save(const struct points_list *list, uint32_t i, const struct orbit<real> *o,
                 uint32_t done) {
    ((real *)list->cr)[i] = o->cr;
    ((real *)list->ci)[i] = o->ci;
    ((real *)list->zr)[i] = o->zr;
    ((real *)list->zi)[i] = o->zi;
    list->done[i] = done;
}

#endif
