/* What perturbed orbits pass, compiled once per instruction set: one orbit after another. */
#include "cpu/escape/screen.h"
#include "cpu/walk/slope.h"
#include <string.h>

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#include "render/deep/point/trace_walk.h"

static void put(const struct sample_planes *planes, size_t at, const struct perturbed_trace *passed,
                uint32_t points) {
    float values[TRACE_VALUES];
    perturbed_trace_values(passed, points, planes->count[at], planes->fraction[at], values);
    for (int i = 0; i < TRACE_VALUES; i++)
        if (planes->plane[SAMPLE_PLANE_stripe + i])
            ((float *)planes->plane[SAMPLE_PLANE_stripe + i])[at] = values[i];
    if (planes->domain)
        planes->domain[at] = passed->nearest;
}

INLINE void walk_all(const struct tile_points *points, const struct perturbed_tables *t,
                     const bool folded, const struct sample_planes *planes) {
    const double *cr = points->cr, *ci = points->ci;
    for (size_t i = 0; i < points->size; i++) {
        struct perturbed_trace passed;
        uint32_t number;
        if (atomic_load_explicit(points->stop, memory_order_relaxed))
            return;
        if (!(planes->count[i] & SAMPLE_INTERIOR) &&
            perturbed_trace_walk(t, points->traces, folded, cr[i], ci[i], planes->count[i], &passed,
                                 &number))
            put(planes, i, &passed, number);
    }
}

#define NAME3(isa) perturbed_trace_##isa
#define NAME2(isa) NAME3(isa)

void NAME2(TRACE_ISA)(const struct tile_points *points, const struct sample_planes *planes) {
    struct perturbed_tables t = points->screen && points->screen->tables->orbit
                                    ? *points->screen->tables
                                    : *points->perturbed;
    t.series = points->traces->series;
    for (int p = SAMPLE_PLANE_stripe; p <= SAMPLE_PLANE_domain; p++)
        if (planes->plane[p])
            memset(planes->plane[p], 0, points->size * SAMPLE_PLANE_BYTES);
    if (perturbed_is_folded(t.power, t.folds))
        walk_all(points, &t, true, planes);
    else
        walk_all(points, &t, false, planes);
}
