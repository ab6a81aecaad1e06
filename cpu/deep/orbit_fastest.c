/* Chooses the engine of reference orbits, apart from code that needs the instructions it asks for. */
#include "cpu/deep/orbit_fastest.h"
#include "cpu/cpuid.h"

const struct orbit_engine *orbit_fastest(uint32_t flags) {
#if CPU_BUILT_AVX512
    __builtin_cpu_init();
    if (flags & CPU_AVX512 && __builtin_cpu_supports("avx512ifma"))
        return &orbit_ifma;
#endif
    (void)flags;
    return &orbit_mpn;
}
