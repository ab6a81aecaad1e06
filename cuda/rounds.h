/* Where in the rounds of samples a census is, and which of them a launch draws. Pure arithmetic. */
#ifndef FATHOM_CUDA_ROUNDS_H
#define FATHOM_CUDA_ROUNDS_H

#include "cuda/points.h"

struct rounds {
    uint32_t cells, live;    /* clumps in a round; pairs of them that have something to plot */
    const uint32_t *numbers; /* of those pairs, ascending; not owned */
    uint64_t random;
    uint64_t clumps, target; /* started; to be done. Counted through all rounds */
};

/* Samples that were started stay; what is asked for is rounded up to whole chunks, UINT64_MAX down. */
void rounds_aim(struct rounds *rounds, uint64_t samples);
/* Fills in which at most `pairs` pairs come next. False: nothing is left; the target is reached then. */
bool rounds_place(struct rounds *rounds, uint32_t pairs, struct points_draw *draw);
/* Pairs before `end` of what was placed are started. */
void rounds_advance(struct rounds *rounds, const struct points_draw *draw, uint32_t end);

#endif
