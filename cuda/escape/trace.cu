/* Walks along orbits once more for what they pass: a thread takes a pixel that has escaped and has no slope yet. */
#include "cuda/escape/walk.cuh"
#include "cuda/launch.cuh"
#include "gpu/escape/slope.h"
#include "render/formula/slope.h"

INLINE float real_sqrt(float x) {
    return __fsqrt_rn(x);
}

INLINE double real_sqrt(double x) {
    return __dsqrt_rn(x);
}

#include "render/formula/trace_step.h"

#define TRACE_THREADS 128

/* What is known after some points; sums also without the last one. `part` is what all is in but z and c. */
template <typename part> struct trace {
    part size, c_size, stripe, stripe_before, triangle, triangle_before, square, line, cross,
        circle;
    uint32_t nearest; /* which point came nearest to 0 */
    /* The points after number `from` can be caught: the least square of those, and where that is. */
    uint32_t from;
    part caught, caught_r, caught_i;
};

template <typename part> INLINE part trace_size_of(part square) {
    return real_sqrt(square) * (part)(1 / TRACE_UNIT);
}

template <int power, typename part>
INLINE void trace_pass(struct trace<part> *t, const struct planes *planes, uint32_t number, part zr,
                       part zi) {
    const part square = trace_square<part>(zr, zi);
    const bool caught = number > t->from && square < t->caught;
    t->nearest = square < t->square ? number : t->nearest;
    t->caught = caught ? square : t->caught;
    t->caught_r = caught ? zr : t->caught_r;
    t->caught_i = caught ? zi : t->caught_i;
    t->square = real_least(square, t->square);
    t->line = trace_line<part>(zi, t->line);
    t->cross = trace_cross<part>(zr, zi, t->cross);
    if (planes->stripe) {
        t->stripe_before = t->stripe;
        t->stripe = t->stripe + trace_stripe<part>(zr, zi, square);
    }
    if (!planes->triangle && !planes->circle)
        return;
    const part size = trace_size_of(square);
    if (planes->triangle) {
        t->triangle_before = t->triangle;
        t->triangle = t->triangle + trace_triangle<part>(power, size, t->size, t->c_size);
    }
    t->circle = trace_circle<part>(size, t->circle);
    t->size = size;
}

/* Step number n. */
template <typename real, typename part>
INLINE void trace_on(const struct slope_args *a, uint32_t n, real *zr, real *zi, real cr, real ci,
                     struct trace<part> *t) {
    const uint32_t which = a->recipe.length == 1 ? 0 : n % a->recipe.length;
    const unsigned folds = a->recipe.folds[which];
    switch (a->recipe.power[which]) {
    case 2:
        walk_z<2>(zr, zi, cr, ci, folds, a->fused);
        trace_pass<2>(t, &a->planes, n + 1, walk_high(*zr), walk_high(*zi));
        break;
#define TRACE_CASE(power)                                                                          \
    case power:                                                                                    \
        walk_z<power>(zr, zi, cr, ci, folds, true);                                                \
        trace_pass<power>(t, &a->planes, n + 1, walk_high(*zr), walk_high(*zi));                   \
        break;
        RECIPE_POWERS(TRACE_CASE)
#undef TRACE_CASE
    }
    if (n == 0) /* always the same */
        t->triangle = t->triangle_before = 0;
}

template <typename part>
INLINE void trace_put(const struct planes *planes, const struct trace<part> *t, uint32_t pixel,
                      uint32_t count, uint32_t points) {
    const double part_of = trace_part(planes->fraction[pixel], (int)(points - count));
    if (planes->stripe)
        planes->stripe[pixel] = trace_mean(t->stripe, t->stripe_before, points, part_of);
    if (planes->triangle)
        planes->triangle[pixel] =
            trace_mean(t->triangle, t->triangle_before, (double)points - 1, part_of);
    if (planes->point)
        planes->point[pixel] = trace_nearness(double_sqrt((double)t->square) * (1 / TRACE_UNIT));
    if (planes->line)
        planes->line[pixel] = trace_nearness(t->line);
    if (planes->cross)
        planes->cross[pixel] = trace_nearness(t->cross);
    if (planes->circle)
        planes->circle[pixel] = trace_nearness(t->circle);
    if (planes->domain)
        planes->domain[pixel] = t->nearest;
    if (planes->caught)
        planes->caught[pixel] = trace_place((double)t->caught_r, (double)t->caught_i);
}

template <typename real, typename part>
static __global__ void __launch_bounds__(TRACE_THREADS)
    traces(const __grid_constant__ struct slope_args a) {
    const uint32_t i = blockIdx.x * TRACE_THREADS + threadIdx.x;
    const uint32_t pixel = (uint32_t)(a.begin + i);
    if (i >= a.size || *a.abort == a.serial || a.planes.distance[pixel] > 0.0f)
        return;
    const uint32_t count = a.planes.count[pixel];
    if (count & SAMPLE_INTERIOR || count > SLOPE_STEPS_MAX) {
        for (int p = SAMPLE_PLANE_stripe; p <= SAMPLE_PLANE_caught; p++)
            if (a.planes.plane[p])
                ((uint32_t *)a.planes.plane[p])[pixel] = 0;
        return;
    }
    real zr = {}, zi = {}, cr, ci;
    struct trace<part> t = {};
    const uint32_t y = pixel / a.width;
    orbit_place(a.coords, a.aligned, a.width, pixel - y * a.width, y, &cr, &ci);
    if (a.recipe.julia) {
        zr = cr;
        zi = ci;
        cr = orbit_parameter(a.recipe.parameter_re, real{});
        ci = orbit_parameter(a.recipe.parameter_im, real{});
    }
    t.size = trace_size_of(trace_square<part>(walk_high(zr), walk_high(zi)));
    t.c_size = trace_size_of(trace_square<part>(walk_high(cr), walk_high(ci)));
    t.square = t.line = t.cross = t.circle = t.caught = (part)TRACE_FAR;
    t.from = trace_caught_from(count);
    uint32_t n = 0;
    for (; n < count; n++)
        trace_on(&a, n, &zr, &zi, cr, ci, &t);
    for (; n < count + SMOOTH_STEPS && norm2(a.fused, zr, zi) < (part)SMOOTH_NORM2; n++)
        trace_on(&a, n, &zr, &zi, cr, ci, &t);
    trace_put(&a.planes, &t, pixel, count, n);
}

enum device_error traces_launch(const struct slope_args *args, struct device_queue *queue) {
    void *arguments[] = {(void *)args};
    const void *kernel = args->type == TYPE_FLOAT    ? (const void *)traces<float, float>
                         : args->type == TYPE_DOUBLE ? (const void *)traces<double, double>
                                                     : (const void *)traces<struct wide, double>;
    return launch_kernel(kernel, dim3((args->size - 1) / TRACE_THREADS + 1), TRACE_THREADS,
                         arguments, queue);
}
