/* Rounds of samples: the position of a run, and the samples that a launch draws. Pure
 * arithmetic. */
#ifndef FATHOM_GPU_DENSITY_ROUNDS_H
#define FATHOM_GPU_DENSITY_ROUNDS_H

#include "gpu/density/points.h"
#include "render/density/density_cells.h"
#include <stdbool.h>

struct rounds {
    uint32_t cells, live;    /* clumps in a round; pairs of clumps in which any point is plotted */
    const uint32_t *numbers; /* numbers of those pairs, ascending; not owned */
    uint64_t random;
    uint64_t clumps, target; /* clumps started and wanted, counted through all rounds */
};

/* Sets the target. Samples that were started remain. `samples` is rounded up to whole chunks, but
 * UINT64_MAX is rounded down. */
void rounds_set_target(struct rounds *rounds, uint64_t samples);
/* Sets *part to the next pairs, `pairs` at most, without the members that describe the launch.
 * Returns false if nothing is left; the target is then reached. */
bool rounds_next_part(struct rounds *rounds, uint32_t pairs, struct draw_part *part);
/* Marks the pairs of *part before `end` as started. */
void rounds_advance(struct rounds *rounds, const struct draw_part *part, uint32_t end);

#endif
