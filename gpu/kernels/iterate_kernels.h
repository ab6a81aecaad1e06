/* Iteration kernels: iterate the pixels of a lattice or of a list by some steps, one thread per
 * pixel. A finished pixel's sample and colour are written at once. Other pixels keep their state
 * and are listed for the next round, so that no team waits for a few long orbits.
 *
 * -D options: FORMULA (orbit.h), MAP or AROUND (a reference) choose the kind of orbit.
 *   CYCLE, LISTS   0 or 1: whether cycles are detected and pixels are listed; else the task says so
 *   SHARED         one program for all maps, or for all formulas except z^2 + c
 *   FOLDED, TURNS  with AROUND, 0 or 1: steps fold parts of z; several formulas take turns
 *   SCREENED       with AROUND, 0 or 1: pixels are screened in doubles (screened.h) */
#ifndef FATHOM_GPU_KERNELS_ITERATE_KERNELS_H
#define FATHOM_GPU_KERNELS_ITERATE_KERNELS_H

#ifndef LISTS
#define LISTS (at->to != 0)
#endif
#ifndef CYCLE
#define CYCLE (a->cycle != 0)
#endif

#ifdef AROUND
#define ITERATE_LIST ITERATE_AROUND_ARGUMENTS
#else
#define ITERATE_LIST ITERATE_ARGUMENTS
#endif
struct iterate_args {
    ITERATE_LIST(MEMBER, struct iterate_args)
};

/* Work that a thread has done. */
struct work {
    uint32_t steps, done;
    uint64_t skipped;
};

/* Returns true if a pixel with that count is not final; its orbit continues from step *before. */
INLINE bool iterate_goes_on(const struct iterate_task *a, uint32_t count, uint32_t *before) {
    *before = count & SAMPLE_COUNT_MASK;
    return (count & SAMPLE_INTERIOR) && *before < a->limit;
}

/* Stores a pixel's result. Returns true if it is not final. */
INLINE bool iterate_store(const struct iterate_task *a, const struct iterate_args *at,
                          uint32_t pixel, uint32_t count, float fraction, float norm2, bool final) {
    PLANE(at->planes, count)[pixel] = count;
    PLANE(at->planes, fraction)[pixel] = fraction;
    if (PLANE(at->planes, norm2))
        PLANE(at->planes, norm2)[pixel] = sample_norm2(norm2);
    if (final && at->rgba)
        STORE_RELAXED(at->rgba[pixel], shade(&a->shades, at->table, count, fraction));
    return !final;
}

/* Marks the sample as missing. */
INLINE void iterate_clear(const struct iterate_args *at, uint32_t pixel) {
    PLANE(at->planes, count)[pixel] = SAMPLE_MISSING;
    if (at->rgba)
        STORE_RELAXED(at->rgba[pixel], 0);
}

#ifdef AROUND
#include "gpu/kernels/around_point.h"
#ifdef PERTURBED_SCREEN
#include "gpu/kernels/screened.h"
#else
#include "gpu/kernels/around.h"
#endif
#elif defined MAP
#include "gpu/kernels/map.h"
#else
#include "gpu/kernels/direct.h"
#endif

#if defined MAP && defined SHARED
INLINE bool iterate_map(const struct iterate_task *a, const struct iterate_args *at, real cr,
                        real ci, uint32_t pixel, uint32_t before, struct work *work) {
    switch (a->recipe.kind) {
#define MAP_CASE(name, ...)                                                                        \
    case FORMULA_##name:                                                                           \
        return map_pixel(a, at, FORMULA_##name, CYCLE, cr, ci, pixel, before, work);
        FORMULA_MAP_LIST(MAP_CASE)
#undef MAP_CASE
    default:
        return false;
    }
}
#elif defined MAP
#define iterate_map(a, at, cr, ci, pixel, before, work)                                            \
    map_pixel(a, at, FORMULA, CYCLE, cr, ci, pixel, before, work)
#endif

/* Iterates a pixel unless it is final. Returns true if it must continue in the next round. */
INLINE bool iterate_pixel(const struct iterate_task *a, const struct iterate_args *at, uint32_t x,
                          uint32_t y, bool fresh, struct work *work) {
    uint32_t before = 0;
    if (!fresh && !iterate_goes_on(a, PLANE(at->planes, count)[y * a->width + x], &before))
        return false;
#ifdef AROUND
    const struct perturbed_tables t = tables_of(&at->tables);
#ifdef PERTURBED_SCREEN
    return screened_advance(a, at, &t, FOLDED, CYCLE, x, y, before, work);
#else
    around_point o = {.m = 0, .n = 0, .log2 = 0};
    return around_advance(a, at, &t, FOLDED, CYCLE, x, y, before, &o, work);
#endif
#elif defined MAP
    real cr, ci;
    number_place(at->coords, a->layout, a->width, x, y, &cr, &ci);
    return iterate_map(a, at, cr, ci, y * a->width + x, before, work);
#else
    struct orbit o = {.number = 0};
    return direct_advance(a, at, FORMULA, CYCLE, x, y, before, &o, work);
#endif
}

/* Lists a pixel that must continue. Collective. */
INLINE void iterate_append(const struct iterate_args *at, uint32_t pixel, bool going,
                           LOCAL struct group *own) {
    const uint32_t entry = team_append(at->tally + TALLY_LISTED, going, own);
    if (going)
        at->to[entry] = pixel;
}

INLINE void iterate_tally(const struct iterate_args *at, const struct work *work,
                          LOCAL struct group *own) {
    const int number[3] = {TALLY_STEPS, TALLY_SKIPPED, TALLY_DONE};
    team_tally(at->tally, number, work->steps, work->skipped, work->done, own);
}

/* Iterates the lattice's tiles: thread_y() is the row of tiles, and each 32 threads work on `run`
 * tiles after each other, one point of a tile per thread. If the request is cancelled, a team
 * clears its pixels (task.uncleared) or returns at once. */
KERNEL(iterate_lattice, ITERATE_LIST, struct iterate_args, struct group) {
    const struct iterate_task *const a = VALUE_OF(at->task);
    const uint32_t tile = thread_x() / LATTICE_TILE_POINTS * a->run;
    struct work work = {0, 0, 0};
    uint32_t x, y;
    group_begin(own);
    const bool stop = team_broadcast(own, LOAD_RELAXED(*at->abort) == a->serial);
    if (stop && !a->uncleared)
        return;
    lattice_pixel(&a->lattice, a->begin + thread_y(), tile, thread_x() % LATTICE_TILE_POINTS, &x,
                  &y);
    for (uint32_t k = 0; k < a->run; k++, x += a->lattice.stride_x << a->lattice.tile_x_log2) {
        const uint32_t pixel = y * a->width + x;
        const bool there = x < a->width && y < a->height;
        bool going = false;
        if (there && !stop)
            going = iterate_pixel(a, at, x, y, a->fresh, &work);
        else if (there)
            iterate_clear(at, pixel);
        if (LISTS)
            iterate_append(at, pixel, going, own);
    }
    iterate_tally(at, &work, own);
}

/* Iterates the entries of a list, one thread each. */
KERNEL(iterate_list, ITERATE_LIST, struct iterate_args, struct group) {
    const struct iterate_task *const a = VALUE_OF(at->task);
    const uint32_t i = thread_x();
    struct work work = {0, 0, 0};
    uint32_t pixel = 0;
    bool going = false;
    group_begin(own);
    if (team_broadcast(own, LOAD_RELAXED(*at->abort) == a->serial))
        return;
    if (i < a->size) {
        pixel = at->from[a->begin + i];
        const uint32_t y = pixel / a->width;
        going = iterate_pixel(a, at, pixel - y * a->width, y, false, &work);
    }
    if (LISTS)
        iterate_append(at, pixel, going, own);
    iterate_tally(at, &work, own);
}

#define KERNELS(X) X(iterate_lattice) X(iterate_list)

#endif
