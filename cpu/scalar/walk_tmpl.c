/* Second passes (scalar): slopes, traces and insides of direct orbits with known counts. */
#include "cpu/scalar/scalar.h"
#include "cpu/walk/slope.h"
#include "cpu/walk/trace_put.h"
#include "gpu/escape/tasks.h"
#include "gpu/kernels/walk.h"

/* Returns the task of a list. */
INLINE struct walk_task task_of(const struct tile_points *p, double unit,
                                const struct sample_planes *planes) {
    struct walk_task task = {.recipe = *p->recipe, .unit = unit};
    for (int i = 0; i < SAMPLE_PLANES; i++)
        task.planes |= planes->plane[i] ? 1u << i : 0;
    return task;
}

/* Calls `each` with the task. If its recipe is z^2 + c, the compiler knows this, so that it finds
 * no power and no folds in each step. */
#define WITH_TASK(each, task, ...)                                                                 \
    do {                                                                                           \
        struct walk_task at = task;                                                                \
        if (at.recipe.kind == FORMULA_mandelbrot) {                                                \
            at.recipe.length = 1;                                                                  \
            at.recipe.power[0] = 2;                                                                \
            at.recipe.folds[0] = FOLD_NONE;                                                        \
            each(&at, __VA_ARGS__);                                                                \
        } else {                                                                                   \
            each(&at, __VA_ARGS__);                                                                \
        }                                                                                          \
    } while (0)

/* Returns true if the orbit of a sample with that count is followed. */
INLINE bool walks(uint32_t count) {
    return !(count & SAMPLE_INTERIOR) && count <= SLOPE_STEPS_MAX;
}

INLINE void slopes(const struct walk_task *task, const bool folded, const struct tile_points *p,
                   const struct sample_planes *planes) {
    for (uint32_t i = 0; i < p->size && !stopped(p); i++) {
        struct slope slope = {0, 0, 0};
        if (walks(planes->count[i])) {
            struct orbit o;
            point_begin(p, i, &o);
            struct slope_orbit w = {.zr = o.zr, .zi = o.zi, .cr = o.cr, .ci = o.ci};
            slope = slope_walk(task, folded, planes->count[i], &w);
        }
        planes->distance[i] = slope.distance;
        planes->normal[i] = slope.normal;
        planes->angle[i] = slope.angle;
    }
}

void NAME(slope)(const struct tile_points *p, double unit, const struct sample_planes *planes) {
    unsigned folds = FOLD_NONE;
    for (uint32_t i = 0; i < p->recipe->length; i++)
        folds |= p->recipe->folds[i];
    if (folds)
        WITH_TASK(slopes, task_of(p, unit, planes), true, p, planes);
    else
        WITH_TASK(slopes, task_of(p, unit, planes), false, p, planes);
}

INLINE void traces(const struct walk_task *task, const struct tile_points *p,
                   const struct sample_planes *planes) {
    for (uint32_t i = 0; i < p->size && !stopped(p); i++) {
        const uint32_t count = planes->count[i];
        float values[TRACE_VALUES] = {0};
        struct trace t = {.nearest = 0};
        uint32_t caught = 0;
        if (walks(count)) {
            struct orbit o;
            point_begin(p, i, &o);
            const uint32_t points = trace_walk(task, count, &o.zr, &o.zi, o.cr, o.ci, &t);
            trace_values(&t, points, count, planes->fraction[i], values);
            caught = trace_place((double)t.caught_r, (double)t.caught_i);
        }
        trace_put(planes, i, values, t.nearest, caught);
    }
}

void NAME(trace)(const struct tile_points *p, const struct sample_planes *planes) {
    WITH_TASK(traces, task_of(p, 0, planes), p, planes);
}

INLINE void insides(const struct walk_task *task, const struct tile_points *p,
                    const struct walk_order *which, const struct sample_planes *planes) {
    for (uint32_t i = 0; i < which->size && !stopped(p); i++) {
        const uint32_t id = which->at[i];
        struct orbit o;
        point_begin(p, id, &o);
        const struct inside in = inside_walk(task, &o);
        planes->period[id] = in.period;
        planes->depth[id] = in.depth;
        planes->last[id] = in.last;
        planes->atom[id] = in.atom;
    }
}

void NAME(inside)(const struct tile_points *p, const struct walk_order *which, double unit,
                  const struct sample_planes *planes) {
    WITH_TASK(insides, task_of(p, unit, planes), p, which, planes);
}
