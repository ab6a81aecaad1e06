/* Orbit density's kernels: their numbers, and the records that they share. */
#ifndef FATHOM_GPU_DENSITY_POINTS_H
#define FATHOM_GPU_DENSITY_POINTS_H

#include "render/density/density_rule.h"
#include "render/density/density_sample.h"
#include "render/inline.h"

/* What does not change while a request is counted, and lies in no memory. */
struct points_task {
    struct density_place place;
    struct density_rule rule;
    uint64_t random;
    uint32_t cells;
    uint32_t plane; /* counters in one */
    uint32_t young; /* steps done when a sample is drawn; rule.limit if nothing is listed */
    uint32_t serial;
};

/* Coefficients of a struct density_place, rounded to a number type. */
#define POINTS_NUMBER_LIST(X)                                                                      \
    X(column_re)                                                                                   \
    X(column_im)                                                                                   \
    X(column_0)                                                                                    \
    X(row_re)                                                                                      \
    X(row_im)                                                                                      \
    X(row_0)
#define POINTS_NUMBER_FLOAT(name)  float name;
#define POINTS_NUMBER_DOUBLE(name) double name;
struct points_numbers_float {
    POINTS_NUMBER_LIST(POINTS_NUMBER_FLOAT)
};
struct points_numbers_double {
    POINTS_NUMBER_LIST(POINTS_NUMBER_DOUBLE)
};
#undef POINTS_NUMBER_FLOAT
#undef POINTS_NUMBER_DOUBLE

/* Part of the rounds that one launch draws, as struct rounds_part (rounds.h). `turn`: the number in
 * state->claimed; `room`: entries that the list has room for. */
#define DRAW_ROUNDS 32
struct draw_part {
    uint64_t first_round;
    struct {
        uint32_t octave, position, key;
    } rounds[DRAW_ROUNDS];
    uint32_t live, begin, end, first_clump, end_clump, turn, room, pad;
};

/* Entries of a list of orbits, and the steps that each may do. */
struct slice_part {
    uint32_t begin, size, steps, pad;
};

/* A picture of counters: `size` counters of each kind. */
struct paint_task {
    struct density_place place;
    uint64_t size;
    int32_t channels, width_px, height_px, pad;
};

/* A pair of clumps with something to plot: what is known of the orbits of its two cells, in this
 * view. Bounds are 0 when nothing of the cell is counted in the picture. Otherwise, from the lowest
 * byte: the first step whose point may be in the picture; the last one, or BOUNDS_OPEN when it is
 * not known; the steps within which none of the cell's orbits escapes; and, for what is known of
 * the end, after how many all do. */
#define BOUNDS_OPEN  255u
#define BOUNDS_STEPS 200u /* that are looked at */
struct points_pair {
    uint32_t cell[2], bounds[2];
};

/* What kernels write for the host and each other: counters that many threads add to, a cache line
 * each. */
struct points_counter {
    uint32_t value, unused[31];
};
struct points_state {
    struct points_counter claimed[2]; /* pairs taken by warps, and a few more; of two launches */
    struct points_counter searched;   /* entries in the list of orbits to be searched */
    struct points_counter plotted;    /* ... to be plotted */
};

/* Whether there may be orbits that outlive the drawing, and are listed. */
INLINE bool points_deep(const struct points_task *task) {
    return task->young < task->rule.limit;
}

/* The last point's step of an orbit that escaped after n steps, or has not within the limit; 0: it
 * is not counted. */
INLINE uint32_t points_end(const struct points_task *task, uint32_t n) {
    const struct density_rule *rule = &task->rule;
    if (rule->bounded)
        return n > rule->limit ? rule->limit : 0;
    return n >= rule->least && n <= rule->limit ? n : 0;
}

/* The first counter of the plane for orbits of n steps. */
INLINE uint32_t points_plane(const struct points_task *task, uint32_t n) {
    const struct density_planes *planes = &task->rule.planes;
    uint32_t plane = 0;
    if (planes->count == 1)
        return 0;
    for (int i = 0; i + 1 < DENSITY_PLANES_MAX; i++)
        if (i + 1 < planes->count && n > planes->top[i])
            plane += task->plane;
    return plane;
}

/* The bounds of a pair's clump, 0 when it is not among those asked for. */
INLINE uint32_t points_bounds_within(uint32_t bounds, uint32_t clump, uint32_t first,
                                     uint32_t end) {
    return clump >= first && clump < end ? bounds : 0;
}

#endif
