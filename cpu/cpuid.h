/* What the processor can do, less what --cpumask hides. */
#ifndef FATHOM_CPU_CPUID_H
#define FATHOM_CPU_CPUID_H

#include <stdint.h>

enum cpu_flag {
    CPU_FMA = 1 << 0,    /* FMA3 and AVX, enabled by the system */
    CPU_AVX2 = 1 << 1,   /* with CPU_FMA */
    CPU_AVX512 = 1 << 2, /* F, DQ, VL and BW, with CPU_AVX2 */
};
#define CPU_FLAG_NAMES                                                                             \
    { "fma", "avx2", "avx512" } /* by bit */

/* Flags of this machine and mask whose kernels are built (CPU_BUILT_AVX2 and CPU_BUILT_AVX512);
 * a flag whose prerequisites are masked is not reported. */
uint32_t cpu_flags(uint32_t mask);
/* Those of `flags` that the CPU backend of that name ("avx512", "avx2", "scalar") uses. */
uint32_t cpu_flags_of(const char *backend, uint32_t flags);
/* The processor's brand string, trimmed; at most 48 characters. */
void cpu_name(char name[static 49]);

#endif
