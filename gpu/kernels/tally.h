/* Tally: numbers that kernels add up for the host. */
#ifndef FATHOM_GPU_KERNELS_TALLY_H
#define FATHOM_GPU_KERNELS_TALLY_H

#include "render/inline.h"

/* Kernels add to one of TALLY_SHARES tallies, so that additions rarely collide. Only the first
 * tally uses `listed`. */
struct tally {
    uint64_t steps;   /* executed steps, up to escape, limit or proof */
    uint64_t skipped; /* steps up to the limit that a proof saved */
    uint64_t done;    /* samples that became final or were found to be final */
    uint64_t points;  /* counted points of orbits */
    uint64_t listed;  /* entries of the list that is being written */
};

#define TALLY_SHARES 64u

/* Words of struct tally, two of each number, the lower first. */
enum {
    TALLY_STEPS,
    TALLY_SKIPPED = 2,
    TALLY_DONE = 4,
    TALLY_POINTS = 6,
    TALLY_LISTED = 8,
    TALLY_WORDS = 10
};

#endif
