/* A part of a round: its short orbits are counted where they are, the others followed in lists. */
#ifndef FATHOM_CPU_DENSITY_DENSITY_PART_H
#define FATHOM_CPU_DENSITY_DENSITY_PART_H

#include "cpu/density/density.h"

void density_task_init(struct density_task *task, const struct density_req *req,
                       const atomic_bool *stop);

struct density_part {
    const struct density_kernels *kernels;
    tile_fn *tile;
    struct sample_round round;
    const uint32_t *order; /* of cells */
    uint32_t first, end;   /* clumps */
    struct density_points *points;
};

union density_numbers {
    float f32[DENSITY_LIST_ROOM];
    double f64[DENSITY_LIST_ROOM];
};

struct density_order {
    uint32_t end, at;
};

/* A worker's memory, about 0.9 MB. */
struct density_scratch {
    struct tile_scratch tile;
    union density_numbers cr, ci, zr, zi, chosen_cr, chosen_ci;
    uint32_t count[DENSITY_LIST_ROOM], end[DENSITY_LIST_ROOM];
    float fraction[DENSITY_LIST_ROOM];
    _Alignas(8) unsigned char states[DENSITY_LIST_ROOM * FRAME_STATE_MAX];
    struct density_order order[DENSITY_LIST_ROOM], sorted[DENSITY_LIST_ROOM];
    struct density_list list;
    uint64_t steps; /* out: of orbits that escaped */
};

/* Its points are in part->points afterwards, or applied. False: stopped; some may be missing. */
bool density_part_count(const struct density_task *task, const struct density_part *part,
                        struct density_scratch *scratch);

#endif
