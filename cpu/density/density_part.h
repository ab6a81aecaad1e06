/* Density part: a part of a round of samples, counted by one worker. */
#ifndef FATHOM_CPU_DENSITY_DENSITY_PART_H
#define FATHOM_CPU_DENSITY_DENSITY_PART_H

#include "cpu/density/density.h"

void density_task_init(struct density_task *task, const struct density_req *req,
                       const atomic_bool *stop);

struct density_part {
    const struct density_kernels *kernels;
    tile_fn *tile;
    struct sample_round round;
    const uint32_t *order; /* order of the cells */
    uint32_t first, end;   /* range of clumps */
    struct density_points *points;
};

union density_numbers {
    float f32[DENSITY_LIST_ROOM];
    double f64[DENSITY_LIST_ROOM];
};

struct density_order {
    uint32_t end, at;
};

/* Scratch memory of a worker. About 0.9 MB. */
struct density_scratch {
    struct tile_scratch tile;
    union density_numbers cr, ci, zr, zi, chosen_cr, chosen_ci;
    uint32_t count[DENSITY_LIST_ROOM], end[DENSITY_LIST_ROOM];
    float fraction[DENSITY_LIST_ROOM];
    _Alignas(8) unsigned char states[DENSITY_LIST_ROOM * FRAME_STATE_MAX];
    struct density_order order[DENSITY_LIST_ROOM], sorted[DENSITY_LIST_ROOM];
    struct density_list list;
    uint64_t steps; /* output: steps of the orbits that escaped */
};

/* Counts a part. Its points are in part->points afterwards, or were applied. Returns false if it
 * was stopped; some points may be missing then. */
bool density_part_count(const struct density_task *task, const struct density_part *part,
                        struct density_scratch *scratch);

#endif
