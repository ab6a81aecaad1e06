/* Seed 004's program: C# that Hybridizer takes to GPUs, here in C and OpenMP. */
#ifndef FATHOM_LAB_HYBRIDIZER_HYBRIDIZER_LOOP_H
#define FATHOM_LAB_HYBRIDIZER_HYBRIDIZER_LOOP_H

#include <stdint.h>

/* Fills light[side * side], -2 .. 2 squared. Line i of the memory has the real part -2 + i * 4 /
 * side, so the picture lies on its side. An entry is min(limit, n + 1), n being the steps done when
 * |z|^2 > 4 first held. Lines are handed out one by one, as Parallel.For does it. */
void hybridizer_run(int side, int limit, int threads, int32_t *light);

#endif
