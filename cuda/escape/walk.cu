/* Walks along orbits once more: a thread takes a pixel of which that is not known yet. */
#include "cuda/escape/number.cuh"

#include "cuda/escape/walk.cuh"
#include "render/formula/inside_depth.h"
#include "render/formula/inside_step.h"
#include "render/formula/slope.h"
#include "render/formula/slope_step.h"
#include "render/formula/trace_step.h"

#include "gpu/kernels/walk_inside.h"
#include "gpu/kernels/walk_slope.h"
#include "gpu/kernels/walk_trace.h"

template <typename value, bool folded>
static __global__ void __launch_bounds__(WALK_THREADS)
    slopes(const __grid_constant__ struct slope_args a) {
    uint32_t pixel;
    if (!walk_pixel(&a, &pixel) || a.planes.distance[pixel] > 0.0f)
        return;
    const uint32_t count = a.planes.count[pixel];
    struct slope slope = {0, 0, 0};
    if (!(count & SAMPLE_INTERIOR) && count <= SLOPE_STEPS_MAX) {
        struct slope_orbit<value, real_of<value>> o;
        slope = slope_walk(&a.task, folded, a.coords, pixel, count, &o);
    }
    put_slope(&a.planes, pixel, slope);
}

template <typename value>
static __global__ void __launch_bounds__(WALK_THREADS)
    traces(const __grid_constant__ struct slope_args a) {
    uint32_t pixel;
    if (!walk_pixel(&a, &pixel) || a.planes.distance[pixel] > 0.0f)
        return;
    const uint32_t count = a.planes.count[pixel];
    const bool walks = !(count & SAMPLE_INTERIOR) && count <= SLOPE_STEPS_MAX;
    float values[TRACE_VALUES] = {};
    struct trace<real_of<value>> t = {};
    if (walks) {
        value zr, zi;
        const uint32_t points = trace_walk(&a.task, a.coords, pixel, count, &zr, &zi, &t);
        trace_values(&t, points, count, a.planes.fraction[pixel], values);
    }
    put_trace(&a.planes, pixel, values, t.nearest,
              walks ? trace_place((double)t.caught_r, (double)t.caught_i) : 0);
}

template <typename value>
static __global__ void __launch_bounds__(WALK_THREADS)
    insides(const __grid_constant__ struct slope_args a) {
    uint32_t pixel;
    if (!walk_pixel(&a, &pixel) || !(a.planes.count[pixel] & SAMPLE_INTERIOR) ||
        a.planes.last[pixel] != 0.0f)
        return;
    struct orbit<value> o;
    const struct inside in = inside_walk(&a.task, a.coords, pixel, &o);
    a.planes.period[pixel] = in.period;
    a.planes.depth[pixel] = in.depth;
    a.planes.last[pixel] = in.last;
    a.planes.atom[pixel] = in.atom;
}

/* --- launches --- */

template <typename value> static walk_kernel *choose_slopes(const struct recipe *recipe) {
    bool folded = false;
    for (uint32_t i = 0; i < recipe->length; i++)
        folded |= recipe->folds[i] != FOLD_NONE;
    return folded ? slopes<value, true> : slopes<value, false>;
}

#define OF_TYPE(type, kernel)                                                                      \
    ((type) == TYPE_FLOAT    ? kernel(float)                                                       \
     : (type) == TYPE_DOUBLE ? kernel(double)                                                      \
                             : kernel(struct wide))

enum device_error slopes_launch(const struct slope_args *args, struct device_queue *queue) {
#define SLOPES(value) choose_slopes<value>(&args->task.recipe)
    return walk_launch(OF_TYPE(args->type, SLOPES), args, queue);
}

enum device_error traces_launch(const struct slope_args *args, struct device_queue *queue) {
#define TRACES(value) (walk_kernel *)traces<value>
    return walk_launch(OF_TYPE(args->type, TRACES), args, queue);
}

enum device_error insides_launch(const struct slope_args *args, struct device_queue *queue) {
#define INSIDES(value) (walk_kernel *)insides<value>
    return walk_launch(OF_TYPE(args->type, INSIDES), args, queue);
}
