/* Walks along orbits once more. The build says FOLDED: whether steps fold anything. */

/* What all such kernels begin with. */
#define WALK_ARGUMENTS                                                                             \
    const struct walk_task a, const GLOBAL COORDS *coords, volatile const GLOBAL uint *abort
#define SLOPE_PLANES                                                                               \
    const GLOBAL uint *count_of, GLOBAL float *distance, GLOBAL uint *normal, GLOBAL uint *angle
#define TRACE_PLANES                                                                               \
    const GLOBAL uint *count_of, const GLOBAL float *fraction_of, const GLOBAL float *distance,    \
        GLOBAL float *stripe, GLOBAL float *triangle, GLOBAL float *point, GLOBAL float *line,     \
        GLOBAL float *cross_of, GLOBAL float *circle, GLOBAL uint *domain, GLOBAL uint *caught

/* A thread's pixel; false: it has none, or the request was given up. */
INLINE bool walk_pixel(const struct walk_task *a, volatile const GLOBAL uint *abort, uint *pixel) {
    const uint i = (uint)get_global_id(0);
    *pixel = a->begin + i;
    return i < a->size && *abort != a->serial;
}

#define PUT_SLOPE(slope)                                                                           \
    distance[pixel] = (slope).distance;                                                            \
    normal[pixel] = (slope).normal;                                                                \
    angle[pixel] = (slope).angle;

#define PUT_TRACE(values, nearest, place)                                                          \
    GLOBAL float *const planes[TRACE_VALUES] = {stripe, triangle, point, line, cross_of, circle};  \
    for (int p = 0; p < TRACE_VALUES; p++)                                                         \
        if (planes[p])                                                                             \
            planes[p][pixel] = values[p];                                                          \
    if (domain)                                                                                    \
        domain[pixel] = nearest;                                                                   \
    if (caught)                                                                                    \
        caught[pixel] = place;

#ifdef WALK
#include "gpu/kernels/walk_inside.h"
#include "gpu/kernels/walk_slope.h"
#include "gpu/kernels/walk_trace.h"

__kernel void slopes(WALK_ARGUMENTS, SLOPE_PLANES) {
    uint pixel;
    if (!walk_pixel(&a, abort, &pixel) || distance[pixel] > 0.0f)
        return;
    const uint count = count_of[pixel];
    struct slope slope = {0, 0, 0};
    if (!(count & SAMPLE_INTERIOR) && count <= SLOPE_STEPS_MAX) {
        struct slope_orbit o;
        slope = slope_walk(&a, FOLDED, coords, pixel, count, &o);
    }
    PUT_SLOPE(slope)
}

__kernel void traces(WALK_ARGUMENTS, TRACE_PLANES) {
    uint pixel;
    if (!walk_pixel(&a, abort, &pixel) || distance[pixel] > 0.0f)
        return;
    const uint count = count_of[pixel];
    const bool walks = !(count & SAMPLE_INTERIOR) && count <= SLOPE_STEPS_MAX;
    float values[TRACE_VALUES] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    struct trace t = {.nearest = 0, .caught_r = 0, .caught_i = 0};
    if (walks) {
        value zr, zi;
        const uint points = trace_walk(&a, coords, pixel, count, &zr, &zi, &t);
        trace_values(&t, points, count, fraction_of[pixel], values);
    }
    PUT_TRACE(values, t.nearest, walks ? trace_place(t.caught_r, t.caught_i) : 0)
}

__kernel void insides(WALK_ARGUMENTS, const GLOBAL uint *count_of, GLOBAL uint *period,
                      GLOBAL float *depth, GLOBAL float *last, GLOBAL uint *atom) {
    uint pixel;
    if (!walk_pixel(&a, abort, &pixel) || !(count_of[pixel] & SAMPLE_INTERIOR) ||
        last[pixel] != 0.0f)
        return;
    struct orbit o;
    const struct inside in = inside_walk(&a, coords, pixel, &o);
    period[pixel] = in.period;
    depth[pixel] = in.depth;
    last[pixel] = in.last;
    atom[pixel] = in.atom;
}
#else /* around a reference, in doubles; and what a view knows of an index of it */

INLINE void around_place(const struct walk_task *a, const GLOBAL COORDS *coords, uint pixel,
                         double *cr, double *ci) {
    value re, im;
    const uint y = pixel / a->width;
    number_place(coords, a->aligned, a->width, pixel - y * a->width, y, &re, &im);
    *cr = number_high(re);
    *ci = number_high(im);
}

__kernel void index_reference(const uint begin, const uint size, GLOBAL struct perturbed_index *to,
                              TABLES_ARGUMENTS) {
    TABLES(t)
    const uint i = (uint)get_global_id(0);
    if (i < size)
        to[begin + i] = perturbed_index_make(&t, begin + i);
}

__kernel void slopes_around(WALK_ARGUMENTS, SLOPE_PLANES, TABLES_ARGUMENTS) {
    uint pixel;
    if (!walk_pixel(&a, abort, &pixel) || distance[pixel] > 0.0f)
        return;
    TABLES(t)
    const uint count = count_of[pixel];
    struct slope slope = {0, 0, 0};
    if (!(count & SAMPLE_INTERIOR)) {
        double cr, ci;
        around_place(&a, coords, pixel, &cr, &ci);
        slope = perturbed_slope_walk(&t, FOLDED, cr, ci, count, a.limit);
    }
    PUT_SLOPE(slope)
}

/* The tables' series is that of the traces. */
__kernel void traces_around(WALK_ARGUMENTS, TRACE_PLANES,
                            const GLOBAL struct segment_trace *segment_traces,
                            const struct perturbed_trace begun, TABLES_ARGUMENTS) {
    uint pixel;
    if (!walk_pixel(&a, abort, &pixel) || distance[pixel] > 0.0f)
        return;
    TABLES(t)
    const struct perturbed_traces traces = {segment_traces, numbers.series, begun};
    const uint count = count_of[pixel];
    float values[TRACE_VALUES] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    struct perturbed_trace passed = {.nearest = 0, .caught_r = 0.0, .caught_i = 0.0};
    uint points;
    if (!(count & SAMPLE_INTERIOR)) {
        double cr, ci;
        around_place(&a, coords, pixel, &cr, &ci);
        if (perturbed_trace_walk(&t, &traces, FOLDED, cr, ci, count, &passed, &points))
            perturbed_trace_values(&passed, points, count, fraction_of[pixel], values);
    }
    PUT_TRACE(values, passed.nearest, trace_place(passed.caught_r, passed.caught_i))
}
#endif
