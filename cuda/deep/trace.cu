/* Walks along perturbed orbits once more for what they pass; otherwise as escape/trace.cu. */
#include "cuda/deep/tables.cuh"
#include "cuda/escape/orbit_steps.cuh"
#include "cuda/launch.cuh"
#include "gpu/escape/slope.h"
#include "render/deep/point/trace_walk.h"

#define TRACE_THREADS 128

/* `folded`: of another formula than z^2 + c, whose counts are of doubles; `turns`: of several. */
template <typename real, bool folded, bool turns = false>
static __global__ void __launch_bounds__(TRACE_THREADS)
    perturbed_traces_kernel(const __grid_constant__ struct slope_args a) {
    const uint32_t i = blockIdx.x * TRACE_THREADS + threadIdx.x;
    const uint32_t pixel = (uint32_t)(a.begin + i);
    if (i >= a.size || *a.abort == a.serial || a.planes.distance[pixel] > 0.0f)
        return;
    const uint32_t count = a.planes.count[pixel], y = pixel / a.width;
    float values[TRACE_VALUES] = {};
    struct perturbed_trace passed = {};
    uint32_t points;
    if (!(count & SAMPLE_INTERIOR)) {
        struct perturbed_tables t = tables_of(a.tables, turns);
        const struct perturbed_traces traces = {a.traces.segment, a.traces.series, a.traces.begun};
        __builtin_assume(t.index != nullptr);
        t.series = a.traces.series;
        real cr, ci;
        orbit_place(a.coords, a.aligned, a.width, pixel - y * a.width, y, &cr, &ci);
        if (perturbed_trace_walk(&t, &traces, folded, orbit_high(cr), orbit_high(ci), count,
                                 &passed, &points))
            perturbed_trace_values(&passed, points, count, a.planes.fraction[pixel], values);
    }
    for (int p = 0; p < TRACE_VALUES; p++)
        if (a.planes.plane[SAMPLE_PLANE_stripe + p])
            ((float *)a.planes.plane[SAMPLE_PLANE_stripe + p])[pixel] = values[p];
    if (a.planes.domain)
        a.planes.domain[pixel] = passed.nearest;
    if (a.planes.caught)
        a.planes.caught[pixel] = trace_place(passed.caught_r, passed.caught_i);
}

enum device_error perturbed_traces_launch(const struct slope_args *args,
                                          struct device_queue *queue) {
    void *arguments[] = {(void *)args};
    const void *kernel =
        args->recipe.length > 1   ? (const void *)perturbed_traces_kernel<double, true, true>
        : args->folded            ? (const void *)perturbed_traces_kernel<double, true>
        : args->type == TYPE_WIDE ? (const void *)perturbed_traces_kernel<struct wide, false>
                                  : (const void *)perturbed_traces_kernel<double, false>;
    return launch_kernel(kernel, dim3((args->size - 1) / TRACE_THREADS + 1), TRACE_THREADS,
                         arguments, queue);
}
