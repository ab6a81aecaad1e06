/* Walk kernels: follow orbits in a second pass for slopes, traces and insides, one thread per pixel
 * whose planes do not contain them yet. -D options: FOLDED is 1 if steps fold; around a reference
 * (REFERENCE) also TURNS. */
#ifndef FATHOM_GPU_KERNELS_WALK_KERNELS_H
#define FATHOM_GPU_KERNELS_WALK_KERNELS_H

#ifdef REFERENCE
#define WALK_LIST WALK_AROUND_ARGUMENTS
#else
#define WALK_LIST WALK_ARGUMENTS
#endif
struct walk_args {
    WALK_LIST(MEMBER, struct walk_args)
};

/* Sets *pixel to the thread's pixel. Returns false if there is none or the request is cancelled. */
INLINE bool walk_pixel(const struct walk_args *at, uint32_t *pixel) {
    const struct walk_task *const a = VALUE_OF(at->task);
    *pixel = a->begin + thread_x();
    return thread_x() < a->size && LOAD_RELAXED(*at->abort) != a->serial;
}

/* Returns true if the task is about a pixel with that count. */
INLINE bool walk_is_due(const struct walk_task *task, uint32_t count) {
    return count & SAMPLE_INTERIOR ? task->least == 0 : count >= task->least && count <= task->most;
}

INLINE void walk_put_slope(const struct walk_args *at, uint32_t pixel, const struct slope *slope) {
    PLANE(at->planes, distance)[pixel] = slope->distance;
    PLANE(at->planes, normal)[pixel] = slope->normal;
    PLANE(at->planes, angle)[pixel] = slope->angle;
}

INLINE void walk_put_trace(const struct walk_args *at, uint32_t pixel,
                           const float values[TRACE_VALUES], uint32_t nearest, uint32_t caught) {
    UNROLLED
    for (int p = 0; p < TRACE_VALUES; p++)
        if (at->planes.plane[SAMPLE_PLANE_stripe + p])
            ((GLOBAL float *)at->planes.plane[SAMPLE_PLANE_stripe + p])[pixel] = values[p];
    if (PLANE(at->planes, domain))
        PLANE(at->planes, domain)[pixel] = nearest;
    if (PLANE(at->planes, caught))
        PLANE(at->planes, caught)[pixel] = caught;
}

#ifndef REFERENCE /* --- direct orbits --- */
#include "gpu/kernels/walk.h"

KERNEL(slopes, WALK_LIST, struct walk_args, struct group) {
    const struct walk_task *const a = VALUE_OF(at->task);
    uint32_t pixel;
    if (!walk_pixel(at, &pixel) || PLANE(at->planes, distance)[pixel] > 0.0f)
        return;
    const uint32_t count = PLANE(at->planes, count)[pixel];
    if (!walk_is_due(a, count))
        return;
    struct slope slope = {0, 0, 0};
    if (!(count & SAMPLE_INTERIOR) && count <= SLOPE_STEPS_MAX) {
        struct slope_orbit o;
        walk_begin(a, at->coords, pixel, &o.zr, &o.zi, &o.cr, &o.ci);
        slope = slope_walk(a, FOLDED, count, &o);
    }
    walk_put_slope(at, pixel, &slope);
}

KERNEL(traces, WALK_LIST, struct walk_args, struct group) {
    const struct walk_task *const a = VALUE_OF(at->task);
    uint32_t pixel;
    if (!walk_pixel(at, &pixel) || PLANE(at->planes, distance)[pixel] > 0.0f)
        return;
    const uint32_t count = PLANE(at->planes, count)[pixel];
    if (!walk_is_due(a, count))
        return;
    const bool walks = !(count & SAMPLE_INTERIOR) && count <= SLOPE_STEPS_MAX;
    float values[TRACE_VALUES] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    struct trace t = {.nearest = 0, .caught_r = 0, .caught_i = 0};
    if (walks) {
        value zr, zi, cr, ci;
        walk_begin(a, at->coords, pixel, &zr, &zi, &cr, &ci);
        const uint32_t points = trace_walk(a, count, &zr, &zi, cr, ci, &t);
        trace_values(&t, points, count, PLANE(at->planes, fraction)[pixel], values);
    }
    walk_put_trace(at, pixel, values, t.nearest,
                   walks ? trace_place((double)t.caught_r, (double)t.caught_i) : 0);
}

KERNEL(insides, WALK_LIST, struct walk_args, struct group) {
    const struct walk_task *const a = VALUE_OF(at->task);
    uint32_t pixel;
    if (!walk_pixel(at, &pixel) || !(PLANE(at->planes, count)[pixel] & SAMPLE_INTERIOR) ||
        PLANE(at->planes, last)[pixel] != 0.0f)
        return;
    struct orbit o;
    walk_begin(a, at->coords, pixel, &o.zr, &o.zi, &o.cr, &o.ci);
    const struct inside in = inside_walk(a, &o);
    PLANE(at->planes, period)[pixel] = in.period;
    PLANE(at->planes, depth)[pixel] = in.depth;
    PLANE(at->planes, last)[pixel] = in.last;
    PLANE(at->planes, atom)[pixel] = in.atom;
}

#define KERNELS(X) X(slopes) X(traces) X(insides)

#else /* --- orbits around a reference, in doubles --- */

/* Sets *cr and *ci to the pixel's distance from the reference. */
INLINE void walk_place(const struct walk_args *at, uint32_t pixel, double *cr, double *ci) {
    const struct walk_task *const a = VALUE_OF(at->task);
    const uint32_t y = pixel / a->width;
    value re, im;
    number_place(at->coords, a->layout, a->width, pixel - y * a->width, y, &re, &im);
    *cr = number_high(re);
    *ci = number_high(im);
}

KERNEL(slopes_around, WALK_LIST, struct walk_args, struct group) {
    uint32_t pixel;
    if (!walk_pixel(at, &pixel) || PLANE(at->planes, distance)[pixel] > 0.0f)
        return;
    const uint32_t count = PLANE(at->planes, count)[pixel];
    struct slope slope = {0, 0, 0};
    if (!(count & SAMPLE_INTERIOR)) {
        const struct perturbed_tables t = tables_of(&at->tables);
        double cr, ci;
        walk_place(at, pixel, &cr, &ci);
        slope = perturbed_slope_walk(&t, FOLDED, cr, ci, count, VALUE_OF(at->task)->limit);
    }
    walk_put_slope(at, pixel, &slope);
}

/* The series in the arguments' tables is the series of the traces. */
KERNEL(traces_around, WALK_LIST, struct walk_args, struct group) {
    uint32_t pixel;
    if (!walk_pixel(at, &pixel) || PLANE(at->planes, distance)[pixel] > 0.0f)
        return;
    const uint32_t count = PLANE(at->planes, count)[pixel];
    float values[TRACE_VALUES] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    struct perturbed_trace passed = {.nearest = 0, .caught_r = 0.0, .caught_i = 0.0};
    uint32_t points;
    if (!(count & SAMPLE_INTERIOR)) {
        const struct perturbed_tables t = tables_of(&at->tables);
        const struct perturbed_traces traces = {at->traces, t.series, *VALUE_OF(at->begun)};
        double cr, ci;
        walk_place(at, pixel, &cr, &ci);
        if (perturbed_trace_walk(&t, &traces, FOLDED, cr, ci, count, &passed, &points))
            perturbed_trace_values(&passed, points, count, PLANE(at->planes, fraction)[pixel],
                                   values);
    }
    walk_put_trace(at, pixel, values, passed.nearest,
                   trace_place(passed.caught_r, passed.caught_i));
}

#define KERNELS(X) X(slopes_around) X(traces_around)
#endif

#endif
