/* The orbit of a pixel for the host device, a step and a test at a time: what a kernel is
 * without its tricks. Compiled for each number type. */
#include "render/grid/coords_point.h"
#include "render/interior.h"
#include "tests/gpu/host_kernels.h"
#include <string.h>

#ifdef HOST_FLOAT
#define real          float
#define HOST_NAME(f)  f##_float
#define real_fma      __builtin_fmaf
#define coords_entry  coords_float
#define INSIDE(which) INSIDE_##which##_FLOAT
#define margin        INTERIOR_MARGIN_FLOAT
#elif defined HOST_WIDE
#define real          double
#define HOST_NAME(f)  f##_wide
#define real_fma      __builtin_fma
#define coords_entry  coords_wide
#define INSIDE(which) INSIDE_##which##_WIDE
#define margin        INTERIOR_MARGIN_DOUBLE
#define WIDE_KERNEL
#else
#define real          double
#define HOST_NAME(f)  f##_double
#define real_fma      __builtin_fma
#define coords_entry  coords_double
#define INSIDE(which) INSIDE_##which##_DOUBLE
#define margin        INTERIOR_MARGIN_DOUBLE
#endif
#define FORMULA_KERNEL
#include "render/number/formula_wide.h"

#ifndef real_flip
#define real_flip(x, by) (__builtin_signbit(by) ? -(x) : (x))
#endif
#include "render/formula/inside_depth.h"
#include "render/formula/inside_step.h"
#include "render/formula/slope.h"
#include "render/formula/slope_step.h"

#ifdef HOST_FLOAT
#define REAL_WHOLE     0x1.8p23f
#define real_power2(k) bits_float(float_bits((k) + (REAL_WHOLE + 127)) << 23)
#define real_sqrt(x)   __builtin_sqrtf(x)
#else
#define REAL_WHOLE     0x1.8p52
#define real_power2(k) bits_double(double_bits((k) + (REAL_WHOLE + 1023)) << 52)
#define real_sqrt(x)   __builtin_sqrt(x)
#endif
#define real_from(x) ((real)(x))
#include "render/formula/map_end.h"
#include "render/formula/trace_step.h"

#define PASTE(f) HOST_NAME(f)

#ifdef HOST_WIDE
typedef struct wide value;
#define HIGH(x)     ((x).hi)
#define REFS(a, b)  &(a).hi, &(a).lo, &(b).hi, &(b).lo
#define SQUARE(...) wide_step_square(__VA_ARGS__)
#define POWER(...)  wide_step_power(__VA_ARGS__)
#else
typedef real value;
#define HIGH(x)     (x)
#define REFS(a, b)  &(a), &(b)
#define SQUARE(...) step_square(__VA_ARGS__)
#define POWER(...)  step_power(__VA_ARGS__)
#endif

/* Step number n of an orbit. */
static void advance(const struct recipe *recipe, uint32_t n, value z[2], value cr, value ci) {
    const uint32_t at = recipe->length == 1 ? 0 : n % recipe->length;
    const int power = recipe->power[at];
    const unsigned folds = recipe->folds[at];
    if (power == 2)
        SQUARE(folds, &z[0], &z[1], cr, ci);
    else
        POWER(power, folds, &z[0], &z[1], cr, ci);
}

static value parameter(const double number[2]) {
#ifdef HOST_WIDE
    return (value){number[0], number[1]};
#else
    return (value)number[0];
#endif
}

#ifndef HOST_WIDE

struct map_state {
    real zr, zi, yr, yi;
};

/* The same as below for a map. */
static bool advance_map(struct host_iterate *l, uint32_t pixel, uint32_t before, real pr, real pi) {
    const struct iterate_task *a = &l->args.task;
    const struct recipe *recipe = &a->recipe;
    const int formula = (int)recipe->kind, power = recipe->power[0];
    const uint32_t left = a->limit - before, most = a->steps < left ? a->steps : left;
    const real escape = (real)recipe->escape;
    struct map_state *kept = (struct map_state *)l->states + (pixel - a->first);
    struct map_point p = map_begin(formula, recipe->julia, pr, pi, (real)recipe->parameter_re[0],
                                   (real)recipe->parameter_im[0]);
    if (before > 0) {
        p.zr = kept->zr;
        p.zi = kept->zi;
        p.yr = kept->yr;
        p.yi = kept->yi;
    }
    struct map_point last = p;
    bool ended = before == 0 && !(norm2(p.zr, p.zi) < escape);
    uint32_t steps = 0;
    for (; !ended && steps < most; steps++) {
        last = p;
        map_step(formula, power, &p);
        ended = map_ended(formula, &p, escape);
    }
    l->work.steps += steps;
    if (!ended) {
        *kept = (struct map_state){p.zr, p.zi, p.yr, p.yi};
        host_finish(l, pixel, SAMPLE_INTERIOR | (before + steps), 0, 0, steps == left);
        return steps < left;
    }
    float square;
    const float fraction = map_fraction(formula, power, escape, &last, &p, &square);
    if (l->angle)
        l->angle[pixel] = slope_angle_any((double)p.zr, (double)p.zi);
    host_finish(l, pixel, before + steps, fraction, sample_norm2(square), true);
    return false;
}

#endif

bool PASTE(host_advance)(struct host_iterate *l, uint32_t x, uint32_t y, uint32_t before) {
    const struct iterate_task *a = &l->args.task;
    const uint32_t pixel = y * a->width + x, state = pixel - a->first;
    const uint32_t left = a->limit - before, most = a->steps < left ? a->steps : left;
    const struct recipe *recipe = &a->recipe;
    value cr, ci, z[2] = {0}, *kept = (value *)l->states + 2 * (size_t)state;
    uint32_t steps = 0;
    bool escaped = false;
    PASTE(coords_point)
    ((const struct coords_entry *)l->coords, a->aligned, a->width, x, y, REFS(cr, ci));
#ifndef HOST_WIDE
    if (recipe_is_map(recipe))
        return advance_map(l, pixel, before, cr, ci);
#endif
    if (before == 0 && a->cardioid && recipe->kind == FORMULA_mandelbrot && !recipe->julia &&
        interior_surely(HIGH(cr), HIGH(ci), margin)) {
        l->work.skipped += left;
        host_finish(l, pixel, SAMPLE_NEVER, 0, 0, true);
        return false;
    }
    if (before > 0) {
        memcpy(z, kept, sizeof z);
    } else if (recipe->julia) {
        z[0] = cr;
        z[1] = ci;
        escaped = !(norm2(HIGH(cr), HIGH(ci)) < (real)recipe->escape);
    }
    if (recipe->julia) {
        cr = parameter(recipe->parameter_re);
        ci = parameter(recipe->parameter_im);
    }
    while (!escaped && steps < most) {
        advance(recipe, before + steps, z, cr, ci);
        steps++;
        escaped = !(norm2(HIGH(z[0]), HIGH(z[1])) < (real)recipe->escape);
    }
    l->work.steps += steps;
    if (!escaped) {
        memcpy(kept, z, sizeof z);
        host_finish(l, pixel, SAMPLE_INTERIOR | (before + steps), 0, 0, steps == left);
        return steps < left;
    }
    real n2 = norm2(HIGH(z[0]), HIGH(z[1]));
    int after = 0;
    for (; n2 < (real)SMOOTH_NORM2 && after < SMOOTH_STEPS; after++) {
        advance(recipe, before + steps + (uint32_t)after, z, cr, ci);
        n2 = norm2(HIGH(z[0]), HIGH(z[1]));
    }
    host_finish(
        l, pixel, before + steps,
        sample_fraction((float)n2, after, recipe_scale(recipe, before + steps + (uint32_t)after)),
        sample_norm2((float)n2), true);
    return false;
}

/* A pixel's orbit before its first step: z, which is 0, and c. */
static void begin(const struct slope_args *a, const void *coords, size_t pixel, value z[2],
                  value *cr, value *ci) {
    const uint32_t y = (uint32_t)pixel / a->task.width, x = (uint32_t)pixel - y * a->task.width;
    PASTE(coords_point)
    ((const struct coords_entry *)coords, a->task.aligned, a->task.width, x, y, REFS(*cr, *ci));
    if (!a->task.recipe.julia)
        return;
    z[0] = *cr;
    z[1] = *ci;
    *cr = parameter(a->task.recipe.parameter_re);
    *ci = parameter(a->task.recipe.parameter_im);
}

void PASTE(host_slope)(const struct slope_args *a, const struct sample_planes *planes,
                       const void *coords, size_t pixel) {
    const struct recipe *recipe = &a->task.recipe;
    const uint32_t count = planes->count[pixel];
    const real unit = (real)a->task.unit;
    struct slope slope = {0, 0, 0};
    value cr, ci, z[2] = {0};
    real xa = 0, ya = 0, xb = 0, yb = 0;
    if (!(count & SAMPLE_INTERIOR) && count <= SLOPE_STEPS_MAX) {
        begin(a, coords, pixel, z, &cr, &ci);
        xa = yb = recipe->julia ? unit : 0;
        for (uint32_t n = 0; n < count + SMOOTH_STEPS; n++) {
            if (n >= count && !(norm2(HIGH(z[0]), HIGH(z[1])) < (real)SMOOTH_NORM2))
                break;
            slope_step_folded(recipe->power[n % recipe->length], recipe->folds[n % recipe->length],
                              HIGH(z[0]), HIGH(z[1]), recipe->julia ? 0 : unit, &xa, &ya, &xb, &yb);
            advance(recipe, n, z, cr, ci);
        }
        slope = slope_of((double)HIGH(z[0]), (double)HIGH(z[1]), (double)xa, (double)ya, (double)xb,
                         (double)yb);
    }
    planes->distance[pixel] = slope.distance;
    planes->normal[pixel] = slope.normal;
    planes->angle[pixel] = slope.angle;
}

/* --- what an orbit passes --- */

struct trace {
    real size, stripe[2], triangle[2], least[4]; /* sums with the last point, and without it */
    uint32_t points, nearest, from;
    real caught_square, caught[2]; /* the least after number `from`, and where that is */
};

static real size_of(real x, real y) {
    return real_sqrt(trace_square(x, y)) * (real)(1 / TRACE_UNIT);
}

static void pass(struct trace *t, int power, real x, real y, real c_size) {
    const real square = trace_square(x, y), size = size_of(x, y);
    t->stripe[1] = t->stripe[0];
    t->stripe[0] += trace_stripe(x, y, square);
    t->triangle[1] = t->triangle[0];
    t->triangle[0] += trace_triangle(power, size, t->size, c_size);
    t->points++;
    if (square < t->least[0])
        t->nearest = t->points;
    if (t->points > t->from && square < t->caught_square) {
        t->caught_square = square;
        t->caught[0] = x;
        t->caught[1] = y;
    }
    t->least[0] = real_least(square, t->least[0]);
    t->least[1] = trace_line(y, t->least[1]);
    t->least[2] = trace_cross(x, y, t->least[2]);
    t->least[3] = trace_circle(size, t->least[3]);
    t->size = size;
}

static void put(const struct sample_planes *planes, size_t pixel, uint32_t nearest, uint32_t caught,
                const float values[6]) {
    for (int p = SAMPLE_PLANE_stripe; p < SAMPLE_PLANE_domain; p++)
        if (planes->plane[p])
            ((float *)planes->plane[p])[pixel] = values[p - SAMPLE_PLANE_stripe];
    if (planes->domain)
        planes->domain[pixel] = nearest;
    if (planes->caught)
        planes->caught[pixel] = caught;
}

void PASTE(host_trace)(const struct slope_args *a, const struct sample_planes *planes,
                       const void *coords, size_t pixel) {
    const struct recipe *recipe = &a->task.recipe;
    const uint32_t count = planes->count[pixel];
    const real far = (real)TRACE_FAR;
    struct trace t = {
        .least = {far, far, far, far}, .caught_square = far, .from = trace_caught_from(count)};
    value cr, ci, z[2] = {0};
    uint32_t n = 0;
    if (count & SAMPLE_INTERIOR || count > SLOPE_STEPS_MAX) {
        put(planes, pixel, 0, 0, (const float[6]){0});
        return;
    }
    begin(a, coords, pixel, z, &cr, &ci);
    const real c_size = size_of(HIGH(cr), HIGH(ci));
    t.size = size_of(HIGH(z[0]), HIGH(z[1]));
    for (; n < count + SMOOTH_STEPS; n++) {
        if (n >= count && !(norm2(HIGH(z[0]), HIGH(z[1])) < (real)SMOOTH_NORM2))
            break;
        advance(recipe, n, z, cr, ci);
        pass(&t, recipe->power[n % recipe->length], HIGH(z[0]), HIGH(z[1]), c_size);
        if (n == 0)
            t.triangle[0] = t.triangle[1] = 0;
    }
    const double part = trace_part(planes->fraction[pixel], (int)(n - count));
    put(planes, pixel, t.nearest, trace_place((double)t.caught[0], (double)t.caught[1]),
        (const float[6]){
            trace_mean((double)t.stripe[0], (double)t.stripe[1], n, part),
            trace_mean((double)t.triangle[0], (double)t.triangle[1], (double)n - 1, part),
            trace_nearness(double_sqrt((double)t.least[0]) * (1 / TRACE_UNIT)),
            trace_nearness((double)t.least[1]), trace_nearness((double)t.least[2]),
            trace_nearness((double)t.least[3])});
}

/* --- the interior --- */

struct inside {
    value z[2];
    uint32_t period, atom;
};

/* Where the orbit is when its cycle is found, if it is. */
static struct inside find_cycle(const struct slope_args *a, value zr, value zi, value cr,
                                value ci) {
    const uint32_t length = a->task.recipe.length;
    struct inside in = {.z = {zr, zi}};
    value mark_r = zr, mark_i = zi;
    real least = (real)INSIDE_FAR, enough = 0;
    const uint32_t most = inside_steps_max(&a->task.recipe);
    uint32_t mark = 0, next = inside_first(length);
    for (uint32_t n = 1; n <= most; n++) {
        advance(&a->task.recipe, n - 1, in.z, cr, ci);
        const real square = norm2(HIGH(in.z[0]), HIGH(in.z[1]));
        in.atom = square < least ? n : in.atom;
        least = real_least(square, least);
        if (!(square < (real)a->task.recipe.escape))
            return in;
        if (mark > 0 && (n - mark) % length == 0) {
            const real apart =
                inside_apart(HIGH(in.z[0]), HIGH(in.z[1]), HIGH(mark_r), HIGH(mark_i));
            if (apart < enough) {
                in.period = n - mark;
                return in;
            }
            enough = real_least((real)INSIDE(NEARER) * apart, enough);
        }
        if (n == next) {
            mark_r = in.z[0];
            mark_i = in.z[1];
            enough = (real)INSIDE(NEAR);
            mark = n;
            next = 2 * n;
        }
    }
    return in;
}

/* Once more round the cycle. */
static struct inside_turn go_round(const struct slope_args *a, struct inside in, value cr,
                                   value ci) {
    struct inside_turn turn = inside_turn_begin();
    for (uint32_t n = 0; n < in.period; n++) {
        const struct inside_number z = {(double)HIGH(in.z[0]), (double)HIGH(in.z[1])};
        const double square = inside_square(z);
        turn.least = square < turn.least ? square : turn.least;
        inside_derive(a->task.recipe.power[n % a->task.recipe.length], z, &turn);
        advance(&a->task.recipe, n, in.z, cr, ci);
    }
    return turn;
}

void PASTE(host_inside)(const struct slope_args *a, const struct sample_planes *planes,
                        const void *coords, size_t pixel) {
    const struct recipe *recipe = &a->task.recipe;
    value cr, ci, z[2] = {0};
    if (!(planes->count[pixel] & SAMPLE_INTERIOR))
        return;
    begin(a, coords, pixel, z, &cr, &ci);
    const struct inside in = find_cycle(a, z[0], z[1], cr, ci);
    const struct inside_turn turn = go_round(a, in, cr, ci);
    const bool found = in.period > 0, deep = found && inside_has_depth(recipe);
    planes->period[pixel] = in.period;
    planes->depth[pixel] = deep ? inside_depth(recipe->power[0], &turn, a->task.unit) : 0;
    planes->last[pixel] = found ? trace_nearness(double_sqrt(turn.least)) : INSIDE_NONE;
    planes->atom[pixel] = in.atom;
}
