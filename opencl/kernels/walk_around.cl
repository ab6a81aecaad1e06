/* Walks along perturbed orbits once more, in doubles, as in cuda/deep/slope.cu and trace.cu; and what a view knows of an
 * index of its reference. The build says FOLDED. */

INLINE void around_place(const struct opencl_walk *a, const GLOBAL entry *coords, uint pixel,
                         double *cr, double *ci) {
    value re, im;
    const uint y = pixel / a->width;
    number_place(coords, a->aligned, a->width, pixel - y * a->width, y, &re, &im);
    *cr = HIGH(re);
    *ci = HIGH(im);
}

__kernel void index_reference(const uint begin, const uint size, GLOBAL struct perturbed_index *to,
                              TABLES_ARGUMENTS) {
    const struct perturbed_tables t = TABLES;
    const uint i = (uint)get_global_id(0);
    if (i < size)
        to[begin + i] = perturbed_index_make(&t, begin + i);
}

__kernel void slopes_around(WALK_ARGUMENTS, const GLOBAL uint *count_of,
                            GLOBAL float *distance, GLOBAL uint *normal, GLOBAL uint *angle,
                            TABLES_ARGUMENTS) {
    const struct perturbed_tables t = TABLES;
    const uint i = (uint)get_global_id(0), pixel = a.begin + i;
    if (i >= a.size || *abort == a.serial || distance[pixel] > 0.0f)
        return;
    const uint count = count_of[pixel];
    struct slope slope = {0, 0, 0};
    if (!(count & SAMPLE_INTERIOR)) {
        double cr, ci;
        around_place(&a, coords, pixel, &cr, &ci);
        slope = perturbed_slope_walk(&t, FOLDED, cr, ci, count, a.limit);
    }
    distance[pixel] = slope.distance;
    normal[pixel] = slope.normal;
    angle[pixel] = slope.angle;
}

/* The tables' series is that of the traces. */
__kernel void traces_around(WALK_ARGUMENTS, const GLOBAL uint *count_of,
                            const GLOBAL float *fraction_of, const GLOBAL float *distance,
                            GLOBAL float *stripe, GLOBAL float *triangle, GLOBAL float *point,
                            GLOBAL float *line, GLOBAL float *cross_of, GLOBAL float *circle,
                            GLOBAL uint *domain, GLOBAL uint *caught,
                            const GLOBAL struct segment_trace *segment_traces,
                            const struct perturbed_trace begun, TABLES_ARGUMENTS) {
    const struct perturbed_tables t = TABLES;
    GLOBAL float *const planes[TRACE_VALUES] = {stripe, triangle, point, line, cross_of, circle};
    const struct perturbed_traces traces = {segment_traces, of.series, begun};
    const uint i = (uint)get_global_id(0), pixel = a.begin + i;
    if (i >= a.size || *abort == a.serial || distance[pixel] > 0.0f)
        return;
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
    for (int p = 0; p < TRACE_VALUES; p++)
        if (planes[p])
            planes[p][pixel] = values[p];
    if (domain)
        domain[pixel] = passed.nearest;
    if (caught)
        caught[pixel] = trace_place(passed.caught_r, passed.caught_i);
}
