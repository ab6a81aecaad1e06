/* What orbits that have escaped passed on their way. */

/* What is known after some points; sums also without the last one. */
struct trace {
    real size, c_size, stripe, stripe_before, triangle, triangle_before, square, line, cross, circle;
    uint nearest, from; /* the points after number `from` can be caught: */
    real caught, caught_r, caught_i;
};

INLINE real trace_size_of(real square) {
    return real_sqrt(square) * (real)(1 / TRACE_UNIT);
}

INLINE void trace_pass(struct trace *t, const int power, uint number, real zr, real zi) {
    const real square = trace_square(zr, zi), size = trace_size_of(square);
    const bool caught = number > t->from && square < t->caught;
    t->nearest = square < t->square ? number : t->nearest;
    t->caught = caught ? square : t->caught;
    t->caught_r = caught ? zr : t->caught_r;
    t->caught_i = caught ? zi : t->caught_i;
    t->square = real_least(square, t->square);
    t->line = trace_line(zi, t->line);
    t->cross = trace_cross(zr, zi, t->cross);
    t->stripe_before = t->stripe;
    t->stripe = t->stripe + trace_stripe(zr, zi, square);
    t->triangle_before = t->triangle;
    t->triangle = t->triangle + trace_triangle(power, size, t->size, t->c_size);
    t->circle = trace_circle(size, t->circle);
    t->size = size;
    if (number == 1) /* always the same */
        t->triangle = t->triangle_before = 0;
}

INLINE void trace_put(GLOBAL float *plane, uint pixel, float x) {
    if (plane)
        plane[pixel] = x;
}

__kernel void traces(WALK_ARGUMENTS, const GLOBAL uint *count_of, const GLOBAL float *fraction_of,
                     const GLOBAL float *distance, GLOBAL float *stripe, GLOBAL float *triangle,
                     GLOBAL float *point, GLOBAL float *line, GLOBAL float *cross_of,
                     GLOBAL float *circle, GLOBAL uint *domain, GLOBAL uint *caught) {
    const uint i = (uint)get_global_id(0), pixel = a.begin + i;
    if (i >= a.size || *abort == a.serial || distance[pixel] > 0.0f)
        return;
    const uint count = count_of[pixel];
    const bool walks = !(count & SAMPLE_INTERIOR) && count <= SLOPE_STEPS_MAX;
    const real far = (real)TRACE_FAR;
    struct trace t = {.square = far, .line = far, .cross = far, .circle = far,
                      .caught = far, .from = trace_caught_from(count)};
    uint n = 0;
    if (walks) {
        value zr, zi, cr, ci;
        walk_begin(&a, coords, pixel, &zr, &zi, &cr, &ci);
        t.size = trace_size_of(trace_square(HIGH(zr), HIGH(zi)));
        t.c_size = trace_size_of(trace_square(HIGH(cr), HIGH(ci)));
        for (; n < count + SMOOTH_STEPS; n++) {
            if (n >= count && !(norm2(a.fused, HIGH(zr), HIGH(zi)) < (real)SMOOTH_NORM2))
                break;
            walk_z(&a, n, &zr, &zi, cr, ci);
            trace_pass(&t, a.recipe.power[a.recipe.length == 1 ? 0 : n % a.recipe.length], n + 1,
                       HIGH(zr), HIGH(zi));
        }
    }
    const double part = walks ? trace_part(fraction_of[pixel], (int)(n - count)) : 0;
    trace_put(stripe, pixel, walks ? trace_mean(t.stripe, t.stripe_before, n, part) : 0);
    trace_put(triangle, pixel,
              walks ? trace_mean(t.triangle, t.triangle_before, (double)n - 1, part) : 0);
    trace_put(point, pixel,
              walks ? trace_nearness(double_sqrt((double)t.square) * (1 / TRACE_UNIT)) : 0);
    trace_put(line, pixel, walks ? trace_nearness(t.line) : 0);
    trace_put(cross_of, pixel, walks ? trace_nearness(t.cross) : 0);
    trace_put(circle, pixel, walks ? trace_nearness(t.circle) : 0);
    if (domain)
        domain[pixel] = walks ? t.nearest : 0;
    if (caught)
        caught[pixel] = walks ? trace_place(t.caught_r, t.caught_i) : 0;
}
