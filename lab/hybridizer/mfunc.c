/* Which of the compiled loops there are. */
#include "lab/hybridizer/mfunc.h"
#include "cpu/cpuid.h"

#define DECLARE(isa, type) mfunc_fn mfunc_follow_##isa##_##type, mfunc_masked_##isa##_##type;
#define DECLARE_ISA(isa)                                                                           \
    DECLARE(isa, float)                                                                            \
    DECLARE(isa, double)                                                                           \
    DECLARE(isa, fixed)
DECLARE_ISA(base)
DECLARE_ISA(avx2)
DECLARE_ISA(avx512)

#define ENTRY(isa, type) {mfunc_follow_##isa##_##type, mfunc_masked_##isa##_##type},
#define ROW(isa)         {ENTRY(isa, float) ENTRY(isa, double) ENTRY(isa, fixed)},
static const struct mfunc functions[MFUNC_LANES][MFUNC_NUMBERS] = {ROW(base) ROW(avx2) ROW(avx512)};

static const uint32_t needs[MFUNC_LANES] = {0, CPU_AVX2, CPU_AVX512};

const struct mfunc *mfunc_find(enum mfunc_lanes lanes, enum mfunc_number number, uint32_t flags) {
    return (flags & needs[lanes]) == needs[lanes] ? &functions[lanes][number] : NULL;
}

enum mfunc_lanes mfunc_widest(uint32_t flags) {
    return flags & CPU_AVX512 ? MFUNC_AVX512 : flags & CPU_AVX2 ? MFUNC_AVX2 : MFUNC_SCALAR;
}

const char *mfunc_lanes_name(enum mfunc_lanes lanes) {
    static const char *const names[] = {"scalar", "avx2", "avx512"};
    return names[lanes];
}

const char *mfunc_number_name(enum mfunc_number number) {
    static const char *const names[] = {"float", "double", "fixed"};
    return names[number];
}

size_t mfunc_number_size(enum mfunc_number number) {
    return number == MFUNC_DOUBLE ? sizeof(double) : sizeof(float);
}
