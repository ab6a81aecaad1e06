/* Walks along perturbed orbits once more, otherwise as escape/walk.cu. */
#include "cuda/deep/tables.cuh"
#include "cuda/escape/number.cuh"
#include "render/deep/perturbed_round.h"
#include "render/deep/trace_walk.h"

#include "cuda/escape/walk.cuh"

/* `folded`: of another formula than z^2 + c, whose counts are of doubles; `turns`: of several. */
template <typename value, bool folded, bool turns>
static __global__ void __launch_bounds__(WALK_THREADS)
    perturbed_slopes(const __grid_constant__ struct slope_args a) {
    uint32_t pixel;
    if (!walk_pixel(&a, &pixel) || a.planes.distance[pixel] > 0.0f)
        return;
    const uint32_t count = a.planes.count[pixel], y = pixel / a.task.width;
    struct slope slope = {0, 0, 0};
    if (!(count & SAMPLE_INTERIOR)) {
        const struct perturbed_tables t = tables_of(a.tables, turns);
        __builtin_assume(t.index != nullptr);
        value cr, ci;
        number_place(a.coords, a.task.aligned, a.task.width, pixel - y * a.task.width, y, &cr, &ci);
        slope =
            perturbed_slope_walk(&t, folded, number_high(cr), number_high(ci), count, a.task.limit);
    }
    put_slope(&a.planes, pixel, slope);
}

template <typename value, bool folded, bool turns>
static __global__ void __launch_bounds__(WALK_THREADS)
    perturbed_traces(const __grid_constant__ struct slope_args a) {
    uint32_t pixel;
    if (!walk_pixel(&a, &pixel) || a.planes.distance[pixel] > 0.0f)
        return;
    const uint32_t count = a.planes.count[pixel], y = pixel / a.task.width;
    float values[TRACE_VALUES] = {};
    struct perturbed_trace passed = {};
    uint32_t points;
    if (!(count & SAMPLE_INTERIOR)) {
        struct perturbed_tables t = tables_of(a.tables, turns);
        const struct perturbed_traces traces = {a.traces.segment, a.traces.series, a.traces.begun};
        __builtin_assume(t.index != nullptr);
        t.series = a.traces.series;
        value cr, ci;
        number_place(a.coords, a.task.aligned, a.task.width, pixel - y * a.task.width, y, &cr, &ci);
        if (perturbed_trace_walk(&t, &traces, folded, number_high(cr), number_high(ci), count,
                                 &passed, &points))
            perturbed_trace_values(&passed, points, count, a.planes.fraction[pixel], values);
    }
    put_trace(&a.planes, pixel, values, passed.nearest,
              trace_place(passed.caught_r, passed.caught_i));
}

/* --- launches --- */

#define CHOSEN(kernel, args)                                                                       \
    ((args)->task.recipe.length > 1 ? kernel<double, true, true>                                   \
     : (args)->folded               ? kernel<double, true, false>                                  \
     : (args)->type == TYPE_WIDE    ? kernel<struct wide, false, false>                            \
                                    : kernel<double, false, false>)

enum device_error perturbed_slopes_launch(const struct slope_args *args,
                                          struct device_queue *queue) {
    return walk_launch(CHOSEN(perturbed_slopes, args), args, queue);
}

enum device_error perturbed_traces_launch(const struct slope_args *args,
                                          struct device_queue *queue) {
    return walk_launch(CHOSEN(perturbed_traces, args), args, queue);
}
