/* How threads share the pixels of a launch, whatever an orbit is: kernels over a lattice and over a list. The build says
 * FORMULA (of gpu/kernels/orbit.h), MAP or AROUND, and more of each; CYCLE and LISTS, 0 or 1. */

#define ITERATE_ARGUMENTS                                                                          \
    const struct iterate_task a, const GLOBAL COORDS *coords, GLOBAL uint *count_of,               \
        GLOBAL float *fraction_of, GLOBAL float *norm2_of, GLOBAL uint *angle_of,                  \
        GLOBAL void *states, GLOBAL uint *rgba, const GLOBAL uint *table, const GLOBAL uint *from, \
        GLOBAL uint *to, GLOBAL uint *tally,                                                       \
        volatile const GLOBAL uint *abort ITERATE_TABLES_ARGUMENTS

/* What a thread reads and writes of a launch's memory. */
struct places {
    const GLOBAL COORDS *coords;
    struct {
        GLOBAL uint *count, *angle;
        GLOBAL float *fraction, *norm2;
    } planes;
    GLOBAL void *states;
    GLOBAL uint *rgba;
    const GLOBAL uint *table;
#ifdef AROUND
    const struct perturbed_tables *tables;
#endif
};
#define PLACES           struct places
#define PLACES_LISTS(at) LISTS

#ifdef AROUND
#define ITERATE_TABLES_ARGUMENTS , TABLES_ARGUMENTS
#define ITERATE_TABLES           TABLES(tables)
#define ITERATE_TABLES_AT        , &tables
#else
#define ITERATE_TABLES_ARGUMENTS
#define ITERATE_TABLES
#define ITERATE_TABLES_AT
#endif
#define ITERATE_PLACES                                                                             \
    {coords, {count_of, angle_of, fraction_of, norm2_of}, states, rgba, table ITERATE_TABLES_AT}

#include "gpu/kernels/iterate.h"
#ifdef AROUND
#if defined NUMBER_WIDE && !SCREENED
#define AROUND_WIDE
#else
#define AROUND_DOUBLES
#endif
#include "gpu/kernels/around_point.h"
#if SCREENED
#include "gpu/kernels/screened.h"
#else
#include "gpu/kernels/around.h"
#endif
#elif defined MAP
#include "gpu/kernels/map.h"
#else
#include "gpu/kernels/direct.h"
#endif

/* Takes a pixel further that is not final; true: it must go on in the next round. */
INLINE bool iterate_pixel(const struct iterate_task *a, const struct places *at, uint x, uint y,
                          bool fresh, struct work *work) {
    uint before = 0;
    if (!fresh && !iterate_goes_on(a, at->planes.count[y * a->width + x], &before))
        return false;
#if defined AROUND && SCREENED /* 1: the first of two orbits; 2: the one beside it */
    return screened_advance(a, at, at->tables, SCREENED == 2, CYCLE, x, y, fresh, before, work);
#elif defined AROUND
    around_point o = {.m = 0, .n = 0};
    return around_advance(a, at, at->tables, FOLDED, CYCLE, x, y, before, &o, work);
#elif defined MAP
    real cr, ci;
    number_place(at->coords, a->aligned, a->width, x, y, &cr, &ci);
    return map_pixel(a, at, FORMULA, CYCLE, cr, ci, y * a->width + x, before, work);
#else
    struct orbit o = {.number = 0};
    return direct_advance(a, at, FORMULA, CYCLE, x, y, before, &o, work);
#endif
}

/* Adds the pixels of a group's unfinished threads to the list; all its threads must come here. */
INLINE void list_pixel(uint pixel, bool unfinished, GLOBAL uint *to, GLOBAL uint *tally,
                       volatile __local uint *own) {
    const uint entry = memory_append(tally + TALLY_LISTED, unfinished, own);
    if (unfinished)
        to[entry] = pixel;
}

/* Adds what a group has done; all its threads must come here. `sum` is six words, which are 0. */
INLINE void count_work(GLOBAL uint *tally, volatile __local uint *sum, const struct work *work) {
    if (work->steps > 0)
        memory_add_local(sum, work->steps);
    if (work->skipped > 0)
        memory_add_local(sum + 2, work->skipped);
    if (work->done > 0)
        atomic_add(sum + 4, work->done);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) > 0)
        return;
    volatile GLOBAL uint *share = memory_share(tally);
    memory_add(share + TALLY_STEPS, memory_sum(sum));
    memory_add(share + TALLY_SKIPPED, memory_sum(sum + 2));
    memory_add(share + TALLY_DONE, sum[4]);
}

/* Prepares a group's own memory, eight words. Whether its request was given up: the same for all its threads. */
INLINE bool begin_group(const struct iterate_task *a, volatile const GLOBAL uint *abort,
                        volatile __local uint *own) {
    const uint thread = (uint)get_local_id(0);
    if (thread < 7)
        own[thread] = 0;
    if (thread == 7)
        own[7] = *abort == a->serial;
    barrier(CLK_LOCAL_MEM_FENCE);
    const bool stop = own[7];
    barrier(CLK_LOCAL_MEM_FENCE);
    return stop;
}

/* Rows of the lattice's tiles: a row of groups each, a run of tiles for each 32 threads. */
__kernel __attribute__((reqd_work_group_size(GROUP_THREADS, 1, 1))) void
iterate_lattice(ITERATE_ARGUMENTS) {
    __local uint own[8];
    ITERATE_TABLES
    const struct places at = ITERATE_PLACES;
    const uint warp = (uint)get_global_id(0) / LATTICE_TILE_POINTS;
    const bool stop = begin_group(&a, abort, own);
    struct work work = {0, 0, 0};
    uint x, y, last = 0;
    bool going = false;
    lattice_pixel(&a.lattice, a.begin + (uint)get_global_id(1), warp * a.run,
                  (uint)get_local_id(0) % LATTICE_TILE_POINTS, &x, &y);
    const uint run = stop && !a.blank ? 0 : a.run;
    for (uint k = 0; k < run; k++, x += a.lattice.stride_x << a.lattice.tile_x_log2) {
        const uint pixel = y * a.width + x;
        const bool there = x < a.width && y < a.height;
        last = pixel;
        if (there && !stop) {
            going = iterate_pixel(&a, &at, x, y, a.fresh, &work);
        } else if (there) {
            iterate_clear(&at, pixel);
        }
    }
    if (LISTS) /* whose runs are of one tile */
        list_pixel(last, going, to, tally, own + 6);
    count_work(tally, own, &work);
}

/* Entries of a list. */
__kernel __attribute__((reqd_work_group_size(GROUP_THREADS, 1, 1))) void
iterate_list(ITERATE_ARGUMENTS) {
    __local uint own[8];
    ITERATE_TABLES
    const struct places at = ITERATE_PLACES;
    const uint i = (uint)get_global_id(0);
    struct work work = {0, 0, 0};
    uint pixel = 0;
    bool going = false;
    const bool stop = begin_group(&a, abort, own);
    if (!stop && i < a.size) {
        pixel = from[a.begin + i];
        const uint y = pixel / a.width;
        going = iterate_pixel(&a, &at, pixel - y * a.width, y, false, &work);
    }
    if (LISTS)
        list_pixel(pixel, going, to, tally, own + 6);
    count_work(tally, own, &work);
}
