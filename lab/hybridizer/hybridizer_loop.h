/* Program of seed 004: C# that Hybridizer compiles for GPUs, here in C and OpenMP. */
#ifndef FATHOM_LAB_HYBRIDIZER_HYBRIDIZER_LOOP_H
#define FATHOM_LAB_HYBRIDIZER_HYBRIDIZER_LOOP_H

#include <stdint.h>

/* Fills light[side * side] for -2 .. 2 squared. Line i of the memory has the real part -2 + i * 4 /
 * side, so rows and columns are swapped. An entry is min(limit, n + 1), where n is the number of
 * steps done when |z|^2 > 4 first held. Lines are handed out one by one, as Parallel.For does
 * it. */
void hybridizer_run(int side, int limit, int threads, int32_t *light);

#endif
