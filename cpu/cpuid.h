/* Processor features, without those that --cpumask hides. */
#ifndef FATHOM_CPU_CPUID_H
#define FATHOM_CPU_CPUID_H

#include <stdint.h>

enum cpu_flag {
    CPU_FMA = 1 << 0,    /* FMA3 and AVX, enabled by the system */
    CPU_AVX2 = 1 << 1,   /* with CPU_FMA */
    CPU_AVX512 = 1 << 2, /* F, DQ, VL and BW, with CPU_AVX2 */
};
#define CPU_FLAG_NAMES                                                                             \
    { "fma", "avx2", "avx512" } /* in the order of the bits */

/* Returns the processor's flags that `mask` contains and whose kernels are built (CPU_BUILT_AVX2,
 * CPU_BUILT_AVX512). Omits flags whose prerequisites are masked. */
uint32_t cpu_flags(uint32_t mask);
/* Returns the flags that the CPU backend `backend` ("avx512", "avx2", "scalar") uses. */
uint32_t cpu_flags_of(const char *backend, uint32_t flags);
/* Stores the processor's brand string, trimmed, or on other architectures their name; at most
 * 48 characters. */
void cpu_name(char name[static 49]);

#endif
