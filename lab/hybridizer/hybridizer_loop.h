/* Seed 004's program: C# that Hybridizer takes to GPUs, here in C and OpenMP. */
#ifndef FATHOM_LAB_HYBRIDIZER_HYBRIDIZER_LOOP_H
#define FATHOM_LAB_HYBRIDIZER_HYBRIDIZER_LOOP_H

#include <stdint.h>

/* Its three ways over the lines; Parallel.For hands out what is next, as `dynamic` does. */
enum hybridizer_loop { HYBRIDIZER_SERIAL, HYBRIDIZER_DYNAMIC, HYBRIDIZER_STATIC };

/* Fills light[side * side], -2 .. 2 squared. Line i of the memory has the real part -2 + i * 4 /
 * side, so the picture lies on its side. An entry is min(limit, n + 1), n being the steps done when
 * |z|^2 > 4 first held. */
void hybridizer_run(enum hybridizer_loop loop, int side, int limit, int threads, int32_t *light);

#endif
