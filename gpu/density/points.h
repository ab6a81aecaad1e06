/* Records and constants that the kernels of orbit density share. */
#ifndef FATHOM_GPU_DENSITY_POINTS_H
#define FATHOM_GPU_DENSITY_POINTS_H

#include "render/density/density_rule.h"
#include "render/density/density_sample.h"
#include "render/inline.h"

/* Values that do not change while a request is counted, and need no device memory. */
struct points_task {
    struct density_place place;
    struct density_rule rule;
    uint64_t random;
    uint32_t cells;
    uint32_t plane; /* counters in a plane */
    uint32_t young; /* steps made when a sample is drawn; rule.limit if nothing is listed */
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

#define DRAW_ROUNDS    32u /* maximum number of rounds that one launch touches */
#define DRAW_PAIRS_MAX 4u  /* number of pairs that a team of a GPU claims at a time */

/* Part of the rounds that one launch draws: the pairs [begin, end) in the list of live pairs,
 * counted from entry 0 in rounds[0], with `live` pairs per round. Of these pairs, only the clumps
 * from first_clump to before end_clump are drawn, counted from clump 0 of rounds[0]. */
struct draw_part {
    uint64_t first_round; /* number of rounds[0] */
    struct {
        uint32_t octave, position, key; /* as in struct sample_round */
    } rounds[DRAW_ROUNDS];
    uint32_t live, begin, end, first_clump, end_clump;
    uint32_t counter; /* index in state->claimed; the counter there must be 0 */
    uint32_t room;    /* [entries] capacity of the list of orbits, launch_draw_room() or more */
    uint32_t pad;
};

/* Entries of a list of orbits, and the maximum number of steps of each. */
struct slice_part {
    uint32_t begin, size, steps, pad;
};

/* Picture of counters: `size` counters of each kind. */
struct paint_task {
    struct density_place place;
    uint64_t size;
    int32_t channels, width_px, height_px, pad;
};

/* Pair of clumps in which any point is plotted: the bounds of its two cells in this view. Bounds
 * are 0 if no point of the cell counts in the picture. Otherwise they contain, from the lowest
 * byte: the first step whose point may be in the picture; the last such step, or BOUNDS_OPEN if
 * unknown; the number of steps within which none of the cell's orbits escapes; and, if the end is
 * known, the number of steps after which all have escaped. */
#define BOUNDS_OPEN  255u
#define BOUNDS_STEPS 200u /* number of steps that are examined */
struct points_pair {
    uint32_t cell[2], bounds[2];
};

/* State that kernels write for the host and for each other: counters to which many threads add,
 * each in its own cache line. */
struct points_counter {
    uint32_t value, unused[31];
};
struct points_state {
    /* for two launches: pairs claimed by warps; may exceed the number of pairs */
    struct points_counter claimed[2];
    struct points_counter searched; /* entries in the list of orbits to search */
    struct points_counter plotted;  /* entries in the list of orbits to plot */
};

/* Returns true if orbits may live longer than the drawing, and are then listed. */
INLINE bool points_deep(const struct points_task *task) {
    return task->young < task->rule.limit;
}

/* Returns the step of the last counted point of an orbit that escaped after n steps, or did not
 * within the limit. Returns 0 if the orbit does not count. */
INLINE uint32_t points_end(const struct points_task *task, uint32_t n) {
    const struct density_rule *rule = &task->rule;
    if (rule->bounded)
        return n > rule->limit ? rule->limit : 0;
    return n >= rule->least && n <= rule->limit ? n : 0;
}

/* Returns the first counter of the plane for orbits of n steps. */
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

#endif
