/* CPU backend: one implementation with three kernel tables. Workers are threads of long-lived
 * OpenMP regions and write only into their job's memory. The owner's thread copies this memory to
 * the target while polling, so that cancel never waits for a worker. */
#ifndef FATHOM_CPU_CPU_H
#define FATHOM_CPU_CPU_H

#include "render/backend.h"

extern const struct backend_impl backend_avx512, backend_avx2, backend_scalar;

/* Returns the default number of workers: one for each processor that this process may use. */
int cpu_threads(void);
/* Returns the fastest engine of reference orbits for a processor with these flags (cpu/cpuid.h):
 * AVX-512 IFMA, with limbs of 52 bits, eight at a time, or orbit_mpn (render/deep/orbit.h). */
const struct orbit_engine *orbit_fastest(uint32_t flags);
/* Writes the version of OpenMP, such as "4.5". */
void cpu_openmp_version(char text[16]);

#endif
