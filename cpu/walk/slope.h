/* Slopes, traces and interior data of points whose counts are known (render/formula/slope.h): a
 * second pass along their orbits, only for pictures with layers. Compiled from slope_tmpl.c,
 * trace_tmpl.c and inside_tmpl.c to one function per (ISA, number type), and from cpu/deep to
 * functions per ISA around a reference orbit. The latter iterate in doubles even if counts are of
 * wide numbers, and skip points that have another count in doubles. */
#ifndef FATHOM_CPU_WALK_SLOPE_H
#define FATHOM_CPU_WALK_SLOPE_H

#include "cpu/walk/walk_order.h"

/* Fills the planes of SAMPLE_SLOPE from the counts. `unit`: distance of neighbouring pixels. Stops
 * early if points->stop is set. */
typedef void slope_fn(const struct tile_points *points, double unit,
                      const struct sample_planes *planes);

/* Fills the planes of SAMPLE_TRACE that are not NULL, from counts and fractions. Stops early as
 * above. The function around a reference handles all formulas. */
typedef void trace_fn(const struct tile_points *points, const struct sample_planes *planes);

/* Fills the planes of SAMPLE_INSIDE for the interior points in `which`, and leaves other planes
 * alone. Stops early as above. */
typedef void inside_fn(const struct tile_points *points, const struct walk_order *which,
                       double unit, const struct sample_planes *planes);

/* Functions of the second pass. NULL: such orbits do not have the values, or the request does
 * not. */
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
    trace_fn trace_##isa##_float, trace_##isa##_double, trace_##isa##_wide, perturbed_trace_##isa, \
        perturbed_folded_trace_##isa;                                                              \
    inside_fn inside_##isa##_float, inside_##isa##_double, inside_##isa##_wide;
SLOPE_FNS(avx2)
SLOPE_FNS(avx512)
#undef SLOPE_FNS
#define SLOPE_FNS(isa)                                                                             \
    slope_fn slope_##isa##_float, slope_##isa##_double, slope_##isa##_wide,                        \
        slope_around_##isa##_double, slope_around_folded_##isa##_double;                           \
    trace_fn trace_##isa##_float, trace_##isa##_double, trace_##isa##_wide,                        \
        trace_around_##isa##_double, trace_around_folded_##isa##_double;                           \
    inside_fn inside_##isa##_float, inside_##isa##_double, inside_##isa##_wide;
SLOPE_FNS(base) SLOPE_FNS(fma)
#undef SLOPE_FNS

#endif
