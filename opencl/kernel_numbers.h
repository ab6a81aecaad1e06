/* Numbers that the host and the kernels agree on. */
#ifndef FATHOM_OPENCL_KERNEL_NUMBERS_H
#define FATHOM_OPENCL_KERNEL_NUMBERS_H

#define GROUP_THREADS 128 /* of a group */
#define GROUP_TILES   (GROUP_THREADS / LATTICE_TILE_POINTS)
#define GATHER_COUNTS 16 /* that a thread looks at */

/* Words of struct tally, two of each number, the lower first. */
#define TALLY_STEPS   0
#define TALLY_SKIPPED 2
#define TALLY_DONE    4
#define TALLY_POINTS  6
#define TALLY_LISTED  8
#define TALLY_WORDS   10

#endif
