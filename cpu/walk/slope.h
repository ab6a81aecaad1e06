/* The slopes of points whose counts are known (render/formula/slope.h): a second way along their orbits, which
 * pictures without layers do not take. One function per (ISA, number type), all compiled from slope_tmpl.c, and two per
 * ISA around a reference, from deep/perturbed_tmpl.c: those walk in doubles, also where counts are of wide numbers, and
 * leave out what has another count there. */
#ifndef FATHOM_CPU_WALK_SLOPE_H
#define FATHOM_CPU_WALK_SLOPE_H

#include "cpu/walk/walk_order.h"

/* Fills the planes of SAMPLE_SLOPE by that of the counts. `unit` is a pixel's step. Stops early where the points say
 * so. */
typedef void slope_fn(const struct tile_points *points, double unit,
                      const struct sample_planes *planes);

/* Fills those of the planes of SAMPLE_TRACE that are there by the same and that of the fractions. Likewise; around a
 * reference from deep/trace_tmpl.c, of all formulas. */
typedef void trace_fn(const struct tile_points *points, const struct sample_planes *planes);

/* Fills those of SAMPLE_INSIDE, of points of the interior; all other planes' are left alone. Likewise. */
typedef void inside_fn(const struct tile_points *points, const struct walk_order *which,
                       double unit, const struct sample_planes *planes);

/* NULL: such orbits have none, or it is not wanted. */
struct slope_walks {
    slope_fn *slope;
    trace_fn *trace;
    inside_fn *inside;
};

struct slope_walks slope_choose(uint32_t flags, const struct fractal *fractal, enum route route,
                                enum number_type type);

#define SLOPE_FNS(isa)                                                                             \
    slope_fn slope_##isa##_float, slope_##isa##_double, slope_##isa##_wide, perturbed_slope_##isa, \
        perturbed_folded_slope_##isa;                                                              \
    trace_fn trace_##isa##_float, trace_##isa##_double, trace_##isa##_wide, perturbed_trace_##isa; \
    inside_fn inside_##isa##_float, inside_##isa##_double, inside_##isa##_wide;
SLOPE_FNS(base) SLOPE_FNS(fma) SLOPE_FNS(avx2) SLOPE_FNS(avx512)
#undef SLOPE_FNS

#endif
