/* Chooses the kernels compiled from tile_tmpl.c that the processor can run. */
#include "cpu/escape/tile.h"
#include "cpu/cpuid.h"

#define TILE_BASE(name, ...)   {{tile_##name##_base_float, tile_##name##_base_double}},
#define TILE_FMA(name, ...)    {{tile_##name##_fma_float, tile_##name##_fma_double}},
#define TILE_AVX2(name, ...)   {{tile_##name##_avx2_float, tile_##name##_avx2_double}},
#define TILE_AVX512(name, ...) {{tile_##name##_avx512_float, tile_##name##_avx512_double}},

static const struct {
    uint32_t flag; /* that the processor must have; those below it come with it */
    tile_fn *tile[FORMULA_COUNT][ROUTE_COUNT][TYPE_COUNT];
} kernels[] = {
    {CPU_AVX512, {FORMULA_LIST(TILE_AVX512)}},
    {CPU_AVX2, {FORMULA_LIST(TILE_AVX2)}},
    {CPU_FMA, {FORMULA_LIST(TILE_FMA)}},
    {0, {FORMULA_LIST(TILE_BASE)}},
};

#define PACK_STATES(real)                                                                          \
    for (size_t i = 0; i < size; i++) {                                                            \
        ((real *)states)[2 * i] = ((const real *)zr)[i];                                           \
        ((real *)states)[2 * i + 1] = ((const real *)zi)[i];                                       \
    }

void tile_states_pack(enum number_type type, const void *zr, const void *zi, size_t size,
                      void *states) {
    if (type == TYPE_FLOAT)
        PACK_STATES(float)
    else
        PACK_STATES(double)
}

tile_fn *tile_choose(uint32_t flags, enum formula formula, enum route route,
                     enum number_type type) {
    int best = 0;
    while (kernels[best].flag & ~flags)
        best++;
    return kernels[best].tile[formula][route][type];
}

colour_fn *colour_choose(uint32_t flags) {
    return flags & CPU_AVX512 ? colour_avx512 : flags & CPU_AVX2 ? colour_avx2 : colour_base;
}
