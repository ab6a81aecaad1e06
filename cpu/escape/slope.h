/* The slopes of points whose counts are known (render/formula/slope.h): a second way along their orbits, which
 * pictures without layers do not take. One function per (ISA, number type), all compiled from slope_tmpl.c. */
#ifndef FATHOM_CPU_ESCAPE_SLOPE_H
#define FATHOM_CPU_ESCAPE_SLOPE_H

#include "cpu/escape/tile.h"

/* Fills the planes of SAMPLE_SLOPE by that of the counts. `unit` is a pixel's step. Stops early where the points say
 * so. */
typedef void slope_fn(const struct tile_points *points, double unit,
                      const struct sample_planes *planes);

/* NULL: orbits of that route have none. */
slope_fn *slope_choose(uint32_t flags, enum route route, enum number_type type);

#define SLOPE_FNS(isa) slope_fn slope_##isa##_float, slope_##isa##_double, slope_##isa##_wide;
SLOPE_FNS(base) SLOPE_FNS(fma) SLOPE_FNS(avx2) SLOPE_FNS(avx512)
#undef SLOPE_FNS

#endif
