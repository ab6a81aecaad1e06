/* Where in the rounds of samples a run is, and which of them a launch draws. Pure arithmetic. */
#ifndef FATHOM_GPU_DENSITY_ROUNDS_H
#define FATHOM_GPU_DENSITY_ROUNDS_H

#include "render/density/density_cells.h"
#include "render/density/density_sample.h"
#include <stdbool.h>

#define ROUNDS_MOST 32u /* that one launch may touch */

struct rounds {
    uint32_t cells, live;    /* clumps in a round; pairs of them that have something to plot */
    const uint32_t *numbers; /* of those pairs, ascending; not owned */
    uint64_t random;
    uint64_t clumps, target; /* started; to be done. Counted through all rounds */
};

/* What a launch draws: pairs [begin, end) in the list of live ones, counted on from entry 0 in
 * rounds[0], `live` to a round; of these only clumps whose number is from first_clump to before
 * end_clump, counted on from clump 0 of rounds[0]. */
struct rounds_part {
    struct sample_round rounds[ROUNDS_MOST];
    uint32_t live, begin, end;
    uint32_t first_clump, end_clump;
};

/* Samples that were started stay; what is asked for is rounded up to whole chunks, UINT64_MAX
 * down. */
void rounds_aim(struct rounds *rounds, uint64_t samples);
/* Fills in which at most `pairs` pairs come next. False: nothing is left; the target is reached
 * then. */
bool rounds_place(struct rounds *rounds, uint32_t pairs, struct rounds_part *part);
/* Pairs before `end` of what was placed are started. */
void rounds_advance(struct rounds *rounds, const struct rounds_part *part, uint32_t end);

#endif
