/* Perturbation kernel (scalar): counts, slopes and traces around a reference orbit. */
#include "cpu/escape/screen.h"
#include "cpu/scalar/around_list.h"
#include "cpu/walk/slope.h"
#include "cpu/walk/trace_put.h"
#include "render/deep/trace_walk.h"

bool NAME(around)(const struct tile_points *p, struct tile_samples *samples) {
    return advance_all(p, samples, false);
}

bool NAME(around_folded)(const struct tile_points *p, struct tile_samples *samples) {
    return advance_all(p, samples, true);
}

#ifdef AROUND_DOUBLES
/* --- second passes, in doubles even if the counts are of wide numbers --- */

/* Returns the tables in doubles. */
INLINE const struct perturbed_tables *tables_of(const struct tile_points *p) {
    return p->screen && p->screen->tables->orbit ? p->screen->tables : p->perturbed;
}

INLINE void slopes(const struct tile_points *p, const bool folded,
                   const struct sample_planes *planes) {
    const double *cr = p->cr, *ci = p->ci;
    for (size_t i = 0; i < p->size && !stopped(p); i++) {
        const uint32_t count = planes->count[i];
        struct slope slope = {0, 0, 0};
        if (!(count & SAMPLE_INTERIOR))
            slope = perturbed_slope_walk(tables_of(p), folded, cr[i], ci[i], count, p->limit);
        planes->distance[i] = slope.distance;
        planes->normal[i] = slope.normal;
        planes->angle[i] = slope.angle;
    }
}

void NAME(slope_around)(const struct tile_points *p, double unit,
                        const struct sample_planes *planes) {
    (void)unit; /* the tables have it, since a double may not hold it */
    slopes(p, false, planes);
}

void NAME(slope_around_folded)(const struct tile_points *p, double unit,
                               const struct sample_planes *planes) {
    (void)unit;
    slopes(p, true, planes);
}

INLINE void traces(const struct tile_points *p, const bool folded,
                   const struct sample_planes *planes) {
    const double *cr = p->cr, *ci = p->ci;
    struct perturbed_tables t = *tables_of(p);
    t.series = p->traces->series;
    for (size_t i = 0; i < p->size && !stopped(p); i++) {
        const uint32_t count = planes->count[i];
        float values[TRACE_VALUES] = {0};
        struct perturbed_trace passed = {.nearest = 0, .caught_r = 0, .caught_i = 0};
        uint32_t points;
        if (!(count & SAMPLE_INTERIOR) &&
            perturbed_trace_walk(&t, p->traces, folded, cr[i], ci[i], count, &passed, &points))
            perturbed_trace_values(&passed, points, count, planes->fraction[i], values);
        trace_put(planes, i, values, passed.nearest, trace_place(passed.caught_r, passed.caught_i));
    }
}

void NAME(trace_around)(const struct tile_points *p, const struct sample_planes *planes) {
    traces(p, false, planes);
}

void NAME(trace_around_folded)(const struct tile_points *p, const struct sample_planes *planes) {
    traces(p, true, planes);
}
#endif
