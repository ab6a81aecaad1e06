/* Plotting of orbit density: adds the points of orbits to the counters of pixels. */
#ifndef FATHOM_GPU_KERNELS_POINTS_PLOT_H
#define FATHOM_GPU_KERNELS_POINTS_PLOT_H

#include "gpu/density/points_search.h"

#ifdef __CUDACC__

INLINE uint32_t warp_max(uint32_t x) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(~0u, x);
#else
    for (int distance = 16; distance > 0; distance /= 2)
        x = max(x, __shfl_xor_sync(~0u, x, distance));
    return x;
#endif
}

/* True if the last check found about as many pixels as threads in the warp, so that merging saves
 * nothing. Long orbits are checked every CROWD_POINTS points. */
struct crowd {
    uint32_t turn;
    bool spread;
};
#define CROWD_POINTS 16u

/* Adds a point for each thread that is `in`. Points in one pixel are added up first. Collective. */
INLINE void plot_add(uint32_t *counts, uint32_t pixel, bool in, struct crowd *crowd) {
    if (DEEP && crowd->turn++ % CROWD_POINTS != 0 && crowd->spread) {
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
    if (DEEP)
        crowd->spread = 4 * __popc(__ballot_sync(~0u, first)) > 3 * __popc(mask);
}

INLINE uint32_t plot_one(const struct points_task *task, const struct points_numbers *numbers,
                         uint32_t *counts, real zr, real zi, bool on, uint32_t plane,
                         struct crowd *crowd) {
    uint32_t pixel;
    const bool in = points_locate(FOLD, numbers, task, zr, zi, &pixel) && on;
    plot_add(counts, plane + pixel, in, crowd);
    return in;
}

/* Counts the points of an orbit from step k up to, but not including, step `until`, and makes these
 * steps or more. Returns the number of increments. `plane` is the first index of the orbit's plane.
 * Collective. */
INLINE uint32_t plot_points(const struct points_task *task, const struct points_numbers *numbers,
                            uint32_t *counts, struct points_orbit *o, uint32_t k, uint32_t until,
                            uint32_t plane) {
    const uint32_t size = until > k ? until - k : 0, longest = warp_max(size);
    struct crowd crowd = {0, false};
    uint32_t points = 0;
    ROLLED
    for (uint32_t turn = 0; turn < longest; turn++) {
        points += plot_one(task, numbers, counts, o->zr, o->zi, turn < size, plane, &crowd);
        if (FOLD == DENSITY_FOLD_NONE && task->place.both)
            points += plot_one(task, numbers, counts, o->zr, -o->zi, turn < size, plane, &crowd);
        points_step(o);
    }
    return points;
}

#else

/* Successive points of a thread in one pixel, which are added to the counter together. */
struct stay {
    uint32_t pixel, points;
};

INLINE void plot_add_stay(GLOBAL uint32_t *counts, const struct stay *stay) {
    if (stay->points > 0)
        ATOMIC_ADD(counts + stay->pixel, stay->points);
}

INLINE uint32_t plot_one(const struct points_task *task, const struct points_numbers *numbers,
                         GLOBAL uint32_t *counts, real zr, real zi, uint32_t plane,
                         struct stay *stay) {
    uint32_t pixel;
    if (!points_locate(FOLD, numbers, task, zr, zi, &pixel))
        return 0;
    pixel += plane;
    if (pixel != stay->pixel) {
        plot_add_stay(counts, stay);
        stay->pixel = pixel;
        stay->points = 0;
    }
    stay->points++;
    return 1;
}

INLINE uint32_t plot_points(const struct points_task *task, const struct points_numbers *numbers,
                            GLOBAL uint32_t *counts, struct points_orbit *o, uint32_t k,
                            uint32_t until, uint32_t plane) {
    struct stay stay = {0, 0}, mirrored = {0, 0};
    uint32_t points = 0;
    for (; k < until; k++) {
        points += plot_one(task, numbers, counts, o->zr, o->zi, plane, &stay);
        if (FOLD == DENSITY_FOLD_NONE && task->place.both)
            points += plot_one(task, numbers, counts, o->zr, -o->zi, plane, &mirrored);
        points_step(o);
    }
    plot_add_stay(counts, &stay);
    plot_add_stay(counts, &mirrored);
    return points;
}

#endif

#endif
