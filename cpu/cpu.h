/* The CPU backend: one implementation with three kernel tables. Workers are the threads of one
 * long-lived OpenMP region; they write only into memory of their job, which the owner's thread
 * copies to the target while polling, so that cancel never waits for a worker. */
#ifndef FATHOM_CPU_CPU_H
#define FATHOM_CPU_CPU_H

#include "render/backend.h"

extern const struct backend_impl backend_avx512, backend_avx2, backend_scalar;

/* How many workers there are by default: one for each processor that this process
 * may use. */
int cpu_threads(void);
/* Of OpenMP, as "4.5". */
void cpu_openmp_version(char text[16]);

#endif
