/* Chooses the engine of reference orbits, apart from code that needs the instructions it asks for. */
#include "cpu/deep/orbit_fastest.h"
#include "cpu/cpuid.h"

const struct orbit_engine *orbit_fastest(uint32_t flags) {
    __builtin_cpu_init();
    return flags & CPU_AVX512 && __builtin_cpu_supports("avx512ifma") ? &orbit_ifma : &orbit_mpn;
}
