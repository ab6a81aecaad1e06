/* From flags to a list. */
#include "lab/isas.h"
#include "cpu/cpuid.h"

static const struct lab_isa all[] = {
    {"avx512", CPU_FMA | CPU_AVX2 | CPU_AVX512, LIMIT_AVX512},
    {"avx2", CPU_FMA | CPU_AVX2, LIMIT_AVX2},
};

int lab_isas(const struct lab *lab, struct lab_isa isas[LAB_ISAS_MAX]) {
    const uint32_t flags = cpu_flags(lab->options.cpumask);
    int count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if ((flags & all[i].flags) == all[i].flags)
            isas[count++] = all[i];
    isas[count++] = (struct lab_isa){"scalar", flags & CPU_FMA, LIMIT_SCALAR};
    return count;
}
