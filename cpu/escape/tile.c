/* Which of the kernels compiled from tile_tmpl.c a processor gets. */
#include "cpu/escape/tile.h"
#include "cpu/cpuid.h"

static const struct {
    uint32_t flag; /* that the processor must have; those below it come with it */
    tile_fn *tile[TYPE_COUNT];
} kernels[] = {
    {CPU_AVX512, {tile_avx512_float, tile_avx512_double}},
    {CPU_AVX2, {tile_avx2_float, tile_avx2_double}},
    {CPU_FMA, {tile_fma_float, tile_fma_double}},
    {0, {tile_base_float, tile_base_double}},
};

size_t tile_state_size(enum number_type type) {
    return type == TYPE_FLOAT ? 2 * sizeof(float) : 2 * sizeof(double);
}

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

tile_fn *tile_choose(uint32_t flags, enum number_type type) {
    int best = 0;
    while (kernels[best].flag & ~flags)
        best++;
    return kernels[best].tile[type];
}
