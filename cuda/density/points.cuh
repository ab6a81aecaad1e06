/* What the kernels that count points share: their numbers, where a point is counted, tallies and
 * lists. To be included first. */
#ifndef FATHOM_CUDA_DENSITY_POINTS_CUH
#define FATHOM_CUDA_DENSITY_POINTS_CUH

#include "cuda/escape/number.cuh"
#include "cuda/launch.cuh"
#include "gpu/density/kernels.h"

/* Saturated; below 0 for all x < 0. */
INLINE uint32_t points_down(float x) {
    return (uint32_t)__float2int_rd(x);
}
INLINE uint32_t points_down(double x) {
    return (uint32_t)__double2int_rd(x);
}

#define real_down points_down
#include "gpu/density/points_search.h"

/* The job as kernels have it. */
template <typename real> struct points_args {
    struct points_numbers<real> number;
    struct points_task task;
    uint32_t *counts;
    struct tally *tally;
    struct points_state *state;
    const uint32_t *abort;
};

/* --- where a point is counted --- */

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

template <int fold, bool adaptive, typename real>
INLINE uint32_t plot_one(const struct points_args<real> *a, real zr, real zi, bool on,
                         uint32_t plane, struct crowd *crowd) {
    uint32_t pixel;
    const bool in = points_locate(fold, &a->number, &a->task, zr, zi, &pixel) && on;
    add_points<adaptive>(a->counts, plane + pixel, in, crowd);
    return in;
}

/* Returns how many increments it made. `plane` is the first index of it. All of a warp come
 * here. */
template <int fold, bool adaptive, typename real>
INLINE uint32_t plot_point(const struct points_args<real> *a, real zr, real zi, bool on,
                           uint32_t plane, struct crowd *crowd) {
    uint32_t points = plot_one<fold, adaptive>(a, zr, zi, on, plane, crowd);
    if (fold == DENSITY_FOLD_NONE && a->task.place.both)
        points += plot_one<fold, adaptive>(a, zr, -zi, on, plane, crowd);
    return points;
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
    return __any_sync(~0u, *(const volatile uint32_t *)a->abort == a->task.serial);
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
INLINE void load(const struct points_list *list, uint32_t i, struct points_orbit<real> *o) {
    o->cr = ((const real *)list->cr)[i];
    o->ci = ((const real *)list->ci)[i];
    o->zr = ((const real *)list->zr)[i];
    o->zi = ((const real *)list->zi)[i];
}

template <typename real>
INLINE void save(const struct points_list *list, uint32_t i, const struct points_orbit<real> *o,
                 uint32_t done) {
    ((real *)list->cr)[i] = o->cr;
    ((real *)list->ci)[i] = o->ci;
    ((real *)list->zr)[i] = o->zr;
    ((real *)list->zi)[i] = o->zi;
    list->done[i] = done;
}

#endif
