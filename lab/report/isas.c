/* Which instruction sets of ours may be measured on this processor. */
#include "lab/report/isas.h"
#include "cpu/cpuid.h"

static const struct {
    const char *name;
    uint32_t flag; /* that it must have */
    enum limit_unit unit;
} all[LAB_ISAS_MAX] = {
    {"avx512", CPU_AVX512, LIMIT_AVX512},
    {"avx2", CPU_AVX2, LIMIT_AVX2},
    {"scalar", 0, LIMIT_SCALAR},
};

int lab_isas(const struct lab *lab, struct lab_isa isas[LAB_ISAS_MAX]) {
    const uint32_t flags = cpu_flags(lab->options.cpumask);
    int count = 0;
    for (int i = 0; i < LAB_ISAS_MAX; i++)
        if (!(all[i].flag & ~flags))
            isas[count++] =
                (struct lab_isa){all[i].name, cpu_flags_of(all[i].name, flags), all[i].unit};
    return count;
}
