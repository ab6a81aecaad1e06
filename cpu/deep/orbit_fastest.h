/* Which engine this processor computes reference orbits with; see render/deep/orbit.h. */
#ifndef FATHOM_CPU_DEEP_ORBIT_FASTEST_H
#define FATHOM_CPU_DEEP_ORBIT_FASTEST_H

#include "render/deep/orbit.h"

/* AVX-512 IFMA: limbs of 52 bits, eight at a time. Only to be used where orbit_fastest names it. */
extern const struct orbit_engine orbit_ifma;

/* For `flags` of cpu/cpuid.h: orbit_ifma, or orbit_mpn where there are no such instructions. */
const struct orbit_engine *orbit_fastest(uint32_t flags);

#endif
