/* Walks along perturbed orbits once more, with their derivatives; otherwise as escape/slope.cu. */
#include "cuda/deep/tables.cuh"
#include "cuda/escape/orbit_steps.cuh"
#include "cuda/launch.cuh"
#include "gpu/escape/slope.h"
#include "render/deep/point/slope_walk.h"

#define SLOPE_THREADS 128

/* `folded`: of another formula than z^2 + c, whose counts are of doubles; `turns`: of several. */
template <typename real, bool folded, bool turns = false>
static __global__ void __launch_bounds__(SLOPE_THREADS)
    perturbed_slopes(const __grid_constant__ struct slope_args a) {
    const uint32_t i = blockIdx.x * SLOPE_THREADS + threadIdx.x;
    const uint32_t pixel = (uint32_t)(a.begin + i);
    if (i >= a.size || *a.abort == a.serial || a.planes.distance[pixel] > 0.0f)
        return;
    const uint32_t count = a.planes.count[pixel], y = pixel / a.width;
    struct slope slope = {0, 0, 0};
    if (!(count & SAMPLE_INTERIOR)) {
        const struct perturbed_tables t = tables_of(a.tables, turns);
        __builtin_assume(t.index != nullptr);
        real cr, ci;
        orbit_place(a.coords, a.aligned, a.width, pixel - y * a.width, y, &cr, &ci);
        slope = perturbed_slope_walk(&t, folded, orbit_high(cr), orbit_high(ci), count, a.limit);
    }
    a.planes.distance[pixel] = slope.distance;
    a.planes.normal[pixel] = slope.normal;
    a.planes.angle[pixel] = slope.angle;
}

enum device_error perturbed_slopes_launch(const struct slope_args *args,
                                          struct device_queue *queue) {
    void *arguments[] = {(void *)args};
    const void *kernel =
        args->recipe.length > 1   ? (const void *)perturbed_slopes<double, true, true>
        : args->folded            ? (const void *)perturbed_slopes<double, true>
        : args->type == TYPE_WIDE ? (const void *)perturbed_slopes<struct wide, false>
                                  : (const void *)perturbed_slopes<double, false>;
    return launch_kernel(kernel, dim3((args->size - 1) / SLOPE_THREADS + 1), SLOPE_THREADS,
                         arguments, queue);
}
