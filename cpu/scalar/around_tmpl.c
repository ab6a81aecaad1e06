/* Perturbation kernel (scalar): counts, slopes and traces around a reference orbit. */
#include "cpu/escape/screen.h"
#include "cpu/scalar/scalar.h"
#include "cpu/walk/slope.h"
#include "cpu/walk/trace_put.h"
#include "render/deep/perturbed_round.h"
#include "render/deep/trace_walk.h"
#include "render/number/wide_round.h"

#ifdef NUMBER_WIDE
#define AROUND_WIDE
#else
#define AROUND_DOUBLES
#endif
#include "gpu/kernels/around_point.h"

/* Sets c of a point. */
INLINE void point_place(const struct tile_points *p, uint32_t id, around_point *o) {
    o->cr = list_value(p->cr, id);
    o->ci = list_value(p->ci, id);
}

/* Iterates a point's orbit to its end and stores the result. Returns false if stopped. */
INLINE bool advance(const struct tile_points *p, struct tile_samples *samples, const bool folded,
                    uint32_t id, uint64_t *executed) {
    const struct perturbed_tables *t = p->perturbed;
    around_events events = {.next = PERTURBED_CYCLE_FIRST};
    around_point o = {.m = 0, .n = 0, .log2 = 0};
    enum perturbed_end end = PERTURBED_GOES_ON;
    around_stored *state;
    point_place(p, id, &o);
    if (p->states)
        around_load(&o, (const around_stored *)p->states + id);
    else
        around_begin(t, &o);
    do {
        uint32_t steps = STOP_STEPS;
        if (stopped(p))
            return false;
        end = around_run(t, folded, &o, p->limit, p->shortcuts & SHORTCUTS_CYCLE, &events, &steps);
        *executed += steps;
    } while (end == PERTURBED_GOES_ON && o.n < p->limit);
    if (end == PERTURBED_ESCAPED && o.n <= p->limit) {
        const uint32_t count = o.n;
        float norm2;
        const float fraction = around_fraction(t, folded, p->recipe, &o, &norm2);
        samples_escape(samples, id, count, fraction, norm2);
    } else if (end != PERTURBED_RETURNS && (state = samples_open(samples, id, sizeof *state))) {
        if (end == PERTURBED_ESCAPED) /* after the limit: z = W, from index 0 */
            o.m = 0;
        around_store(state, &o);
    }
    return true;
}

INLINE bool advance_all(const struct tile_points *p, struct tile_samples *samples,
                        const bool folded) {
    uint64_t executed = 0;
    bool ran = true;
    tile_samples_begin(p, samples);
    for (uint32_t id = 0; ran && id < p->size; id++)
        ran = advance(p, samples, folded, id, &executed);
    tile_samples_skip(p, samples, executed);
    return ran;
}

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
