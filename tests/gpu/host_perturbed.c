/* Perturbed orbits for the host device, in doubles: what a thread of a GPU does. */
#include "render/grid/coords_point.h"
#include "tests/gpu/host_device.h"
#include "tests/gpu/host_kernels.h"
#include <string.h>

typedef double real;
#define real_fma(a, b, c) __builtin_fma(a, b, c)
#define FORMULA_KERNEL
#include "render/deep/perturbed_round.h"
#include "render/deep/trace_walk.h"

/* As struct perturbed_point, of an orbit that may go on. */
struct state {
    double zr, zi;
    uint32_t m, n;
    int32_t log2, spare;
};

static struct perturbed_tables tables_of(const struct device_tables *t) {
#define NUMBER(type, name) .name = t->numbers.name,
    return (struct perturbed_tables){
        TABLE_NUMBER_LIST(NUMBER).steps = t->numbers.steps,
        .index = host_at(t->index, 0),
        .orbit = host_at(t->orbit, 0),
        .small = host_at(t->small, 0),
        .list_at = host_at(t->list_at, 0),
        .list = host_at(t->list, 0),
        .segment = host_at(t->segment, 0),
        .bar = host_at(t->bar, 0),
        .begin = host_at(t->begin, 0),
    };
#undef NUMBER
}

static double run_index(const void *arguments) {
    const struct index_args *a = arguments;
    const struct perturbed_tables t = tables_of(&a->tables);
    struct perturbed_index *to = host_at(a->to, (a->begin + a->size) * sizeof *to);
    for (uint32_t i = 0; i < a->size; i++)
        to[a->begin + i] = perturbed_index_make(&t, a->begin + i);
    return 0;
}

enum device_error host_index(const struct index_args *args, struct device_queue *queue) {
    return host_launch(queue, run_index, args, sizeof *args, (struct device_pointer){0});
}

static void place(const void *coords, bool aligned, uint32_t width, size_t pixel, double *cr,
                  double *ci) {
    const uint32_t y = (uint32_t)pixel / width;
    coords_point_double(coords, aligned, width, (uint32_t)pixel - y * width, y, cr, ci);
}

/* The fraction of an orbit that has escaped. */
static float fraction_of(const struct host_iterate *l, const struct perturbed_tables *t,
                         const struct perturbed_point *o, float *norm) {
    double cr, ci, zr = o->zr, zi = o->zi;
    int after = 0;
    perturbed_place_of(t, o, &cr, &ci);
    for (; norm2(zr, zi) < (double)SMOOTH_NORM2 && after < SMOOTH_STEPS; after++)
        perturbed_direct_step(t, true, perturbed_turn(t, true, o->n + (uint32_t)after), &zr, &zi,
                              cr, ci);
    *norm = sample_norm2((float)norm2(zr, zi));
    return sample_fraction((float)norm2(zr, zi), after,
                           recipe_scale(&l->args.task.recipe, o->n + (uint32_t)after));
}

bool host_advance_perturbed(struct host_iterate *l, uint32_t x, uint32_t y, uint32_t before) {
    const struct iterate_task *a = &l->args.task;
    const uint32_t pixel = y * a->width + x;
    const struct perturbed_tables t = tables_of(&l->args.tables);
    struct state *kept = (struct state *)l->states + (pixel - a->first);
    struct perturbed_point o = {0};
    struct perturbed_cycle cycle = {.next = PERTURBED_CYCLE_FIRST};
    uint32_t steps = l->to ? a->steps : UINT32_MAX;
    place(l->coords, a->aligned, a->width, pixel, &o.cr, &o.ci);
    if (before == 0)
        perturbed_begin(&t, &o);
    else
        o = (struct perturbed_point){kept->zr, kept->zi, o.cr, o.ci, kept->m, kept->n, kept->log2};
    const bool folded = !step_list_is_square(&t.steps);
    const bool cycles = a->cycle != 0;
    const enum perturbed_end end = perturbed_run(&t, folded, &o, a->limit, cycles, &cycle, &steps);
    l->work.steps += steps;
    const uint32_t done = (o.n < a->limit ? o.n : a->limit) - before;
    l->work.skipped += done > steps ? done - steps : 0;
    if (end == PERTURBED_ESCAPED && o.n <= a->limit) {
        float norm;
        const float fraction = fraction_of(l, &t, &o, &norm);
        host_finish(l, pixel, o.n, fraction, norm, true);
        return false;
    }
    if (end == PERTURBED_RETURNS) {
        host_finish(l, pixel, SAMPLE_NEVER, 0, 0, true);
        return false;
    }
    if (end == PERTURBED_ESCAPED) /* over the limit */
        o.m = PERTURBED_TAIL;
    const uint32_t count = o.n < a->limit ? o.n : a->limit;
    *kept = (struct state){o.zr, o.zi, o.m, o.n, o.log2, 0};
    host_finish(l, pixel, SAMPLE_INTERIOR | count, 0, 0, o.n >= a->limit);
    return o.n < a->limit;
}

void host_slope_perturbed(const struct slope_args *a, const struct sample_planes *planes,
                          const void *coords, size_t pixel) {
    const struct perturbed_tables t = tables_of(&a->tables);
    struct slope slope = {0, 0, 0};
    double cr, ci;
    if (!(planes->count[pixel] & SAMPLE_INTERIOR)) {
        place(coords, a->task.aligned, a->task.width, pixel, &cr, &ci);
        slope = a->folded
                    ? perturbed_slope_walk(&t, true, cr, ci, planes->count[pixel], a->task.limit)
                    : perturbed_slope_walk(&t, false, cr, ci, planes->count[pixel], a->task.limit);
    }
    planes->distance[pixel] = slope.distance;
    planes->normal[pixel] = slope.normal;
    planes->angle[pixel] = slope.angle;
}

void host_trace_perturbed(const struct slope_args *a, const struct sample_planes *planes,
                          const void *coords, size_t pixel) {
    const uint32_t count = planes->count[pixel];
    const struct perturbed_traces traces = {host_at(a->traces.segment, 0), a->traces.series,
                                            a->traces.begun};
    struct perturbed_tables t = tables_of(&a->tables);
    struct perturbed_trace passed = {0};
    float values[TRACE_VALUES] = {0};
    uint32_t points;
    double cr, ci;
    t.series = traces.series;
    place(coords, a->task.aligned, a->task.width, pixel, &cr, &ci);
    if (!(count & SAMPLE_INTERIOR) &&
        (a->folded ? perturbed_trace_walk(&t, &traces, true, cr, ci, count, &passed, &points)
                   : perturbed_trace_walk(&t, &traces, false, cr, ci, count, &passed, &points)))
        perturbed_trace_values(&passed, points, count, planes->fraction[pixel], values);
    for (int i = 0; i < TRACE_VALUES; i++)
        if (planes->plane[SAMPLE_PLANE_stripe + i])
            ((float *)planes->plane[SAMPLE_PLANE_stripe + i])[pixel] = values[i];
    if (planes->domain)
        planes->domain[pixel] = passed.nearest;
    if (planes->caught)
        planes->caught[pixel] = trace_place(passed.caught_r, passed.caught_i);
}
