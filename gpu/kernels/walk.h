/* Second passes along direct orbits with known counts: slopes from derivatives, traces (statistics
 * of an orbit's points), and the cycles of orbits that do not escape (insides). */
#ifndef FATHOM_GPU_KERNELS_WALK_H
#define FATHOM_GPU_KERNELS_WALK_H

/* Makes one step of an orbit. */
INLINE void walk_step(const int power, const unsigned folds, value *zr, value *zi, const value cr,
                      const value ci) {
    if (power == 2)
        number_square(folds, zr, zi, cr, ci);
    else
        number_power(power, folds, zr, zi, cr, ci);
}

/* Returns the index in the recipe of step n. */
INLINE uint32_t walk_index(const struct walk_task *a, uint32_t n) {
    return a->recipe.length == 1 ? 0 : n % a->recipe.length;
}

/* Sets c of a pixel and the first z, which is 0 except for Julia sets. */
INLINE void walk_begin(const struct walk_task *a, const GLOBAL COORDS *coords, uint32_t pixel,
                       value *zr, value *zi, value *cr, value *ci) {
    const uint32_t y = pixel / a->width;
    const host_double none[2] = {0, 0};
    number_place(coords, a->layout, a->width, pixel - y * a->width, y, cr, ci);
    number_set(zr, none);
    number_set(zi, none);
    if (!a->recipe.julia)
        return;
    *zr = *cr;
    *zi = *ci;
    number_set(cr, a->recipe.parameter_re);
    number_set(ci, a->recipe.parameter_im);
}

/* Returns true if an orbit that escapes after `count` steps continues after n steps. */
INLINE bool walk_goes_on(uint32_t n, uint32_t count, const value zr, const value zi) {
    return n < count || (n < count + SMOOTH_STEPS && number_norm2(zr, zi) < (real)SMOOTH_NORM2);
}

/* --- slopes --- */

/* z, c and the columns of the derivative; the second column is for folds only. `unit` is a pixel's
 * step, or 0 if c is the same for all pixels. */
struct slope_orbit {
    value zr, zi, cr, ci;
    real xa, ya, xb, yb, unit;
};

INLINE void slope_advance(const bool folded, const int power, const unsigned folds,
                          struct slope_orbit *w) {
    const real zr = number_high(w->zr), zi = number_high(w->zi);
    if (folded)
        slope_step_folded(power, folds, zr, zi, w->unit, &w->xa, &w->ya, &w->xb, &w->yb);
    else
        slope_step(power, zr, zi, w->unit, &w->xa, &w->ya);
    walk_step(power, folds, &w->zr, &w->zi, w->cr, w->ci);
}

INLINE void slope_walk_step(const struct walk_task *a, const bool folded, uint32_t n,
                            struct slope_orbit *w) {
    const uint32_t which = walk_index(a, n);
    const unsigned folds = folded ? a->recipe.folds[which] : FOLD_NONE;
    switch (a->recipe.power[which]) {
#define WALK_CASE(power)                                                                           \
    case power:                                                                                    \
        slope_advance(folded, power, folds, w);                                                    \
        break;
        WALK_CASE(2)
        RECIPE_POWERS(WALK_CASE)
#undef WALK_CASE
    }
}

/* Returns the slope of an orbit that has begun and escapes after `count` steps. */
INLINE struct slope slope_walk(const struct walk_task *a, const bool folded, uint32_t count,
                               struct slope_orbit *w) {
    const real unit = (real)of_host(a->unit);
    const bool julia = a->recipe.julia != 0;
    w->unit = julia ? (real)0 : unit;
    w->xa = w->yb = julia ? unit : (real)0;
    w->xb = w->ya = (real)0;
    for (uint32_t n = 0; walk_goes_on(n, count, w->zr, w->zi); n++)
        slope_walk_step(a, folded, n, w);
    const double xa = w->xa, ya = w->ya;
    return slope_of(number_high(w->zr), number_high(w->zi), xa, ya, folded ? (double)w->xb : -ya,
                    folded ? (double)w->yb : xa);
}

/* --- traces --- */

/* Statistics after some points; also sums without the last point. */
struct trace {
    real size, c_size, stripe, stripe_before, triangle, triangle_before, square, line, cross,
        circle;
    uint32_t nearest; /* number of the point nearest to 0 */
    /* Points after number `from` can be caught: the least square among them, and its point. */
    uint32_t from;
    real caught, caught_r, caught_i;
};

INLINE real trace_size_of(const real square) {
    return real_sqrt(square) * (real)(1 / TRACE_UNIT);
}

/* Adds a point to the statistics. `wanted` is a set of planes. */
INLINE void trace_pass(const int power, const uint32_t wanted, uint32_t number, const real zr,
                       const real zi, struct trace *t) {
    const real square = trace_square(zr, zi);
    const bool caught = number > t->from && square < t->caught;
    t->nearest = square < t->square ? number : t->nearest;
    t->caught = caught ? square : t->caught;
    t->caught_r = caught ? zr : t->caught_r;
    t->caught_i = caught ? zi : t->caught_i;
    t->square = real_least(square, t->square);
    t->line = trace_line(zi, t->line);
    t->cross = trace_cross(zr, zi, t->cross);
    if (wanted & SAMPLE_PLANE_BIT(stripe)) {
        t->stripe_before = t->stripe;
        t->stripe = t->stripe + trace_stripe(zr, zi, square);
    }
    if (!(wanted & (SAMPLE_PLANE_BIT(triangle) | SAMPLE_PLANE_BIT(circle))))
        return;
    const real size = trace_size_of(square);
    if (wanted & SAMPLE_PLANE_BIT(triangle)) {
        t->triangle_before = t->triangle;
        t->triangle = t->triangle + trace_triangle(power, size, t->size, t->c_size);
    }
    t->circle = trace_circle(size, t->circle);
    t->size = size;
    if (number == 1) /* this value is the same for all orbits */
        t->triangle = t->triangle_before = 0;
}

INLINE void trace_walk_step(const struct walk_task *a, uint32_t n, value *zr, value *zi,
                            const value cr, const value ci, struct trace *t) {
    const uint32_t which = walk_index(a, n);
    const unsigned folds = a->recipe.folds[which];
    switch (a->recipe.power[which]) {
#define WALK_CASE(power)                                                                           \
    case power:                                                                                    \
        walk_step(power, folds, zr, zi, cr, ci);                                                   \
        trace_pass(power, a->planes, n + 1, number_high(*zr), number_high(*zi), t);                \
        break;
        WALK_CASE(2)
        RECIPE_POWERS(WALK_CASE)
#undef WALK_CASE
    }
}

/* Follows an orbit that has begun and escapes after `count` steps. Returns the number of points. */
INLINE uint32_t trace_walk(const struct walk_task *a, uint32_t count, value *zr, value *zi,
                           const value cr, const value ci, struct trace *t) {
    t->size = trace_size_of(trace_square(number_high(*zr), number_high(*zi)));
    t->c_size = trace_size_of(trace_square(number_high(cr), number_high(ci)));
    t->square = t->line = t->cross = t->circle = t->caught = (real)TRACE_FAR;
    t->stripe = t->stripe_before = t->triangle = t->triangle_before = 0;
    t->caught_r = t->caught_i = 0;
    t->nearest = 0;
    t->from = trace_caught_from(count);
    uint32_t n = 0;
    for (; walk_goes_on(n, count, *zr, *zi); n++)
        trace_walk_step(a, n, zr, zi, cr, ci, t);
    return n;
}

/* Sets the values of the planes, beginning with SAMPLE_PLANE_stripe. */
INLINE void trace_values(const struct trace *t, uint32_t points, uint32_t count, float fraction,
                         float values[TRACE_VALUES]) {
    const double part = trace_part(fraction, (int)(points - count));
    values[0] = trace_mean(t->stripe, t->stripe_before, points, part);
    values[1] = trace_mean(t->triangle, t->triangle_before, (double)points - 1, part);
    values[2] = trace_nearness(double_sqrt((double)t->square) * (1 / TRACE_UNIT));
    values[3] = trace_nearness(t->line);
    values[4] = trace_nearness(t->cross);
    values[5] = trace_nearness(t->circle);
}

/* --- insides --- */

struct inside {
    uint32_t period, atom;
    float depth, last;
};

INLINE void inside_walk_step(const struct walk_task *a, uint32_t n, struct orbit *o) {
    const uint32_t which = walk_index(a, n);
    const unsigned folds = a->recipe.folds[which];
    switch (a->recipe.power[which]) {
#define WALK_CASE(power)                                                                           \
    case power:                                                                                    \
        walk_step(power, folds, &o->zr, &o->zi, o->cr, o->ci);                                     \
        break;
        WALK_CASE(2)
        RECIPE_POWERS(WALK_CASE)
#undef WALK_CASE
    }
}

INLINE void inside_find_period(const struct walk_task *a, struct orbit *o, struct inside *in) {
    const uint32_t length = a->recipe.length, most = inside_steps_max(&a->recipe);
    real mark_r = 0, mark_i = 0, least = (real)INSIDE_FAR, enough = 0;
    uint32_t mark = 0, next = inside_first(length);
    for (uint32_t n = 1; n <= most; n++) {
        inside_walk_step(a, n - 1, o);
        const real zr = number_high(o->zr), zi = number_high(o->zi);
        const real square = number_norm2(o->zr, o->zi);
        in->atom = square < least ? n : in->atom;
        least = square < least ? square : least;
        if (!(square < (real)of_host(a->recipe.escape)))
            return;
        if (mark > 0 && (length == 1 || (n - mark) % length == 0)) {
            const real apart = inside_apart(zr, zi, mark_r, mark_i);
            if (apart < enough) {
                in->period = n - mark;
                return;
            }
            const real nearer = NUMBER_NEARER * apart;
            enough = nearer < enough ? nearer : enough;
        }
        if (n == next) {
            mark_r = zr;
            mark_i = zi;
            enough = NUMBER_NEAR;
            mark = n;
            next = 2 * n;
        }
    }
}

/* Follows the cycle once more, and finds its least square and derivative. */
INLINE void inside_follow_cycle(const struct walk_task *a, uint32_t period, bool deep,
                                struct orbit *o, struct inside_turn *turn) {
    for (uint32_t n = 0; n < period; n++) {
        const struct inside_number z = {number_high(o->zr), number_high(o->zi)};
        const double square = inside_square(z);
        turn->least = square < turn->least ? square : turn->least;
        if (deep)
            inside_derive(a->recipe.power[0], z, turn);
        inside_walk_step(a, n, o);
    }
}

/* Returns the values of an orbit that has begun and does not escape. */
INLINE struct inside inside_walk(const struct walk_task *a, struct orbit *o) {
    struct inside in = {0, 0, 0.0f, INSIDE_NONE};
    inside_find_period(a, o, &in);
    const bool found = in.period > 0, deep = inside_has_depth(&a->recipe);
    struct inside_turn turn = inside_turn_begin();
    inside_follow_cycle(a, in.period, deep, o, &turn);
    if (found && deep)
        in.depth = inside_depth(a->recipe.power[0], &turn, of_host(a->unit));
    if (found)
        in.last = trace_nearness(double_sqrt(turn.least));
    return in;
}

#endif
