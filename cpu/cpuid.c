/* Processor features, from the compiler's CPUID support on x86-64. It also checks that the system
 * saves the wide registers. */
#include "cpu/cpuid.h"
#include "cpu/cpu.h"
#include "render/deep/orbit.h"
#include <string.h>
#ifdef __x86_64__
#include <cpuid.h>
#else
#include <sys/utsname.h>
#endif

#ifdef __x86_64__
uint32_t cpu_flags(uint32_t mask) {
    uint32_t flags = 0;
    __builtin_cpu_init();
    if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx"))
        flags |= CPU_FMA;
    if (CPU_BUILT_AVX2 && __builtin_cpu_supports("avx2"))
        flags |= CPU_AVX2;
    if (CPU_BUILT_AVX512 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw"))
        flags |= CPU_AVX512;
    flags &= mask;
    if (!(flags & CPU_FMA))
        flags &= ~(uint32_t)CPU_AVX2;
    if (!(flags & CPU_AVX2))
        flags &= ~(uint32_t)CPU_AVX512;
    return flags;
}
#else
uint32_t cpu_flags(uint32_t mask) {
    (void)mask;
    return 0; /* only the scalar kernels are built */
}
#endif

uint32_t cpu_flags_of(const char *backend, uint32_t flags) {
    if (strcmp(backend, "avx512") == 0)
        return flags;
    if (strcmp(backend, "avx2") == 0)
        return flags & ~(uint32_t)CPU_AVX512;
    return flags & CPU_FMA;
}

#if CPU_BUILT_AVX512
extern const struct orbit_engine orbit_ifma; /* cpu/orbit_ifma.c */
#endif

const struct orbit_engine *orbit_fastest(uint32_t flags) {
#if CPU_BUILT_AVX512
    __builtin_cpu_init();
    if (flags & CPU_AVX512 && __builtin_cpu_supports("avx512ifma"))
        return &orbit_ifma;
#endif
    (void)flags;
    return &orbit_mpn;
}

#ifdef __x86_64__
void cpu_name(char name[static 49]) {
    unsigned registers[12] = {0};
    for (unsigned i = 0; i < 3; i++)
        __get_cpuid(0x80000002u + i, &registers[4 * i], &registers[4 * i + 1],
                    &registers[4 * i + 2], &registers[4 * i + 3]);
    char brand[49];
    memcpy(brand, registers, 48);
    brand[48] = '\0';
    const char *start = brand + strspn(brand, " ");
    size_t length = strlen(start);
    while (length > 0 && start[length - 1] == ' ')
        length--;
    memcpy(name, start, length);
    name[length] = '\0';
}
#else
void cpu_name(char name[static 49]) {
    struct utsname machine;
    name[0] = '\0';
    if (uname(&machine) == 0)
        strncat(name, machine.machine, 48);
}
#endif
