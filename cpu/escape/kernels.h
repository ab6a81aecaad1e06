/* Escape-time kernels: the functions that are compiled per instruction set and number type. */
#ifndef FATHOM_CPU_ESCAPE_KERNELS_H
#define FATHOM_CPU_ESCAPE_KERNELS_H

#include "cpu/escape/tile.h"

#define TILE_FNS(name, isa)                                                                        \
    tile_fn tile_##name##_##isa##_float, tile_##name##_##isa##_double, tile_##name##_##isa##_wide;
#define TILE_FNS_AVX2(name)   TILE_FNS(name, avx2)
#define TILE_FNS_AVX512(name) TILE_FNS(name, avx512)
FORMULA_KERNELS(TILE_FNS_AVX2)
FORMULA_KERNELS(TILE_FNS_AVX512)
#undef TILE_FNS
#undef TILE_FNS_AVX2
#undef TILE_FNS_AVX512
/* Kernels of maps (map.h). */
tile_fn map_avx2_float, map_avx512_float, map_avx2_double, map_avx512_double;
tile_fn perturbed_avx2, perturbed_avx512, perturbed_wide_avx2, perturbed_wide_avx512;
tile_fn perturbed_folded_avx2, perturbed_folded_avx512;
tile_fn perturbed_folded_wide_avx2, perturbed_folded_wide_avx512;
tile_fn perturbed_screen_avx2, perturbed_screen_avx512;
tile_fn perturbed_folded_screen_avx2, perturbed_folded_screen_avx512;
/* Scalar kernels (cpu/scalar): of all powers, of maps, and around a reference. */
#define SCALAR_FNS(isa)                                                                            \
    tile_fn tile_##isa##_float, tile_##isa##_double, tile_##isa##_wide;                            \
    tile_fn map_##isa##_float, map_##isa##_double;                                                 \
    tile_fn around_##isa##_double, around_folded_##isa##_double, around_##isa##_wide,              \
        around_folded_##isa##_wide, around_screen_##isa##_double,                                  \
        around_folded_screen_##isa##_double;
SCALAR_FNS(base)
SCALAR_FNS(fma)
#undef SCALAR_FNS
colour_fn colour_base, colour_avx2, colour_avx512;

#endif
