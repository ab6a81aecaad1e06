/* Mfunc modes of seed 002: the table of the compiled loops. */
#include "lab/hybridizer/mfunc.h"
#include "cpu/cpuid.h"

#define FOLLOW(isa, type) mfunc_follow_##isa##_##type
#define BOTH(isa, type)                                                                            \
    { FOLLOW(isa, type), mfunc_masked_##isa##_##type }
#define DECLARE(isa, type) mfunc_fn FOLLOW(isa, type), mfunc_masked_##isa##_##type;
#define EACH(DO, isa)      DO(isa, float) DO(isa, double) DO(isa, fixed)

mfunc_fn FOLLOW(base, float), FOLLOW(base, double), FOLLOW(base, fixed);
EACH(DECLARE, avx2)
EACH(DECLARE, avx512)

const struct mfunc_isa mfunc_isas[MFUNC_ISAS] = {
    {"scalar",
     0,
     {{FOLLOW(base, float), NULL}, {FOLLOW(base, double), NULL}, {FOLLOW(base, fixed), NULL}}},
    {"avx2", CPU_AVX2, {BOTH(avx2, float), BOTH(avx2, double), BOTH(avx2, fixed)}},
    {"avx512", CPU_AVX512, {BOTH(avx512, float), BOTH(avx512, double), BOTH(avx512, fixed)}},
};

const char *mfunc_number_name(enum mfunc_number number) {
    static const char *const names[] = {"float", "double", "fixed"};
    return names[number];
}

size_t mfunc_number_size(enum mfunc_number number) {
    return number == MFUNC_DOUBLE ? sizeof(double) : sizeof(float);
}
