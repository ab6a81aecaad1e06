/* Rounds of samples: the position of a run, and the samples that a launch draws. Pure
 * arithmetic. */
#ifndef FATHOM_GPU_DENSITY_ROUNDS_H
#define FATHOM_GPU_DENSITY_ROUNDS_H

#include "render/density/density_cells.h"
#include "render/density/density_sample.h"
#include <stdbool.h>

#define ROUNDS_MOST 32u /* maximum number of rounds that one launch touches */

struct rounds {
    uint32_t cells, live;    /* clumps in a round; pairs of clumps in which any point is plotted */
    const uint32_t *numbers; /* numbers of those pairs, ascending; not owned */
    uint64_t random;
    uint64_t clumps, target; /* clumps started and wanted, counted through all rounds */
};

/* Part that a launch draws: the pairs [begin, end) in the list of live pairs, counted from entry 0
 * in rounds[0], with `live` pairs per round. Of these pairs, only the clumps from first_clump to
 * before end_clump are drawn, counted from clump 0 of rounds[0]. */
struct rounds_part {
    struct sample_round rounds[ROUNDS_MOST];
    uint32_t live, begin, end;
    uint32_t first_clump, end_clump;
};

/* Sets the target. Samples that were started remain. `samples` is rounded up to whole chunks, but
 * UINT64_MAX is rounded down. */
void rounds_aim(struct rounds *rounds, uint64_t samples);
/* Sets *part to the next pairs, `pairs` at most. Returns false if nothing is left; the target is
 * then reached. */
bool rounds_place(struct rounds *rounds, uint32_t pairs, struct rounds_part *part);
/* Marks the pairs of *part before `end` as started. */
void rounds_advance(struct rounds *rounds, const struct rounds_part *part, uint32_t end);

#endif
