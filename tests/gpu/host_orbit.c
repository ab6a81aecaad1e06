/* The orbit of a pixel for the host device, a step and a test at a time: what a kernel is
 * without its tricks. Compiled for each number type. */
#include "render/grid/coords_point.h"
#include "render/interior.h"
#include "tests/gpu/host_kernels.h"
#include <string.h>

#ifdef HOST_FLOAT
#define real         float
#define HOST_NAME(f) f##_float
#define real_fma     __builtin_fmaf
#define coords_entry coords_float
#define margin       INTERIOR_MARGIN_FLOAT
#elif defined HOST_WIDE
#define real         double
#define HOST_NAME(f) f##_wide
#define real_fma     __builtin_fma
#define coords_entry coords_wide
#define margin       INTERIOR_MARGIN_DOUBLE
#define WIDE_KERNEL
#else
#define real         double
#define HOST_NAME(f) f##_double
#define real_fma     __builtin_fma
#define coords_entry coords_double
#define margin       INTERIOR_MARGIN_DOUBLE
#endif
#define FORMULA_KERNEL
#include "render/number/formula_wide.h"

#ifndef real_flip
#define real_flip(x, by) (__builtin_signbit(by) ? -(x) : (x))
#endif
#include "render/formula/slope.h"
#include "render/formula/slope_step.h"

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
static void advance(const struct recipe *recipe, bool fused, uint32_t n, value z[2], value cr,
                    value ci) {
    const int power = recipe->power[n % recipe->length];
    const unsigned folds = recipe->folds[n % recipe->length];
#ifndef HOST_WIDE
    if (!fused) {
        step_square_unfused(&z[0], &z[1], cr, ci);
        return;
    }
#else
    (void)fused;
#endif
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

bool PASTE(host_advance)(struct host_iterate *l, uint32_t x, uint32_t y, uint32_t before) {
    const struct iterate_args *a = &l->args;
    const uint32_t pixel = y * a->width + x, state = pixel - a->states.first;
    const uint32_t left = a->limit - before, most = a->steps < left ? a->steps : left;
    const struct recipe *recipe = &a->recipe;
    value cr, ci, z[2] = {0}, *kept = (value *)l->states + 2 * (size_t)state;
    uint32_t steps = 0;
    bool escaped = false;
    PASTE(coords_point)
    ((const struct coords_entry *)l->coords, a->aligned, a->width, x, y, REFS(cr, ci));
    if (before == 0 && a->shortcuts & SHORTCUTS_CARDIOID && recipe->kind == FORMULA_mandelbrot &&
        !recipe->julia && interior_surely(HIGH(cr), HIGH(ci), margin)) {
        l->work.skipped += left;
        host_finish(l, pixel, SAMPLE_NEVER, 0, 0, true);
        return false;
    }
    if (before > 0) {
        memcpy(z, kept, sizeof z);
    } else if (recipe->julia) {
        z[0] = cr;
        z[1] = ci;
        escaped = !(norm2(l->fused, HIGH(cr), HIGH(ci)) < (real)recipe->escape);
    }
    if (recipe->julia) {
        cr = parameter(recipe->parameter_re);
        ci = parameter(recipe->parameter_im);
    }
    while (!escaped && steps < most) {
        advance(recipe, l->fused, before + steps, z, cr, ci);
        steps++;
        escaped = !(norm2(l->fused, HIGH(z[0]), HIGH(z[1])) < (real)recipe->escape);
    }
    l->work.steps += steps;
    if (!escaped) {
        memcpy(kept, z, sizeof z);
        host_finish(l, pixel, SAMPLE_INTERIOR | (before + steps), 0, 0, steps == left);
        return steps < left;
    }
    real n2 = norm2(l->fused, HIGH(z[0]), HIGH(z[1]));
    int after = 0;
    for (; n2 < (real)SMOOTH_NORM2 && after < SMOOTH_STEPS; after++) {
        advance(recipe, l->fused, before + steps + (uint32_t)after, z, cr, ci);
        n2 = norm2(l->fused, HIGH(z[0]), HIGH(z[1]));
    }
    host_finish(
        l, pixel, before + steps,
        sample_fraction((float)n2, after, recipe_scale(recipe, before + steps + (uint32_t)after)),
        sample_norm2((float)n2), true);
    return false;
}

void PASTE(host_slope)(const struct slope_args *a, const struct sample_planes *planes,
                       const void *coords, size_t pixel) {
    const struct recipe *recipe = &a->recipe;
    const uint32_t count = planes->count[pixel], y = (uint32_t)pixel / a->width;
    const real unit = (real)a->unit;
    struct slope slope = {0, 0, 0};
    value cr, ci, z[2] = {0};
    real xa = 0, ya = 0, xb = 0, yb = 0;
    if (!(count & SAMPLE_INTERIOR) && count <= SLOPE_STEPS_MAX) {
        PASTE(coords_point)
        ((const struct coords_entry *)coords, a->aligned, a->width, (uint32_t)pixel - y * a->width,
         y, REFS(cr, ci));
        if (recipe->julia) {
            z[0] = cr;
            z[1] = ci;
            cr = parameter(recipe->parameter_re);
            ci = parameter(recipe->parameter_im);
            xa = yb = unit;
        }
        for (uint32_t n = 0; n < count + SMOOTH_STEPS; n++) {
            if (n >= count && !(norm2(a->fused, HIGH(z[0]), HIGH(z[1])) < (real)SMOOTH_NORM2))
                break;
            slope_step_folded(recipe->power[n % recipe->length], recipe->folds[n % recipe->length],
                              HIGH(z[0]), HIGH(z[1]), recipe->julia ? 0 : unit, &xa, &ya, &xb, &yb);
            advance(recipe, a->fused, n, z, cr, ci);
        }
        slope = slope_of((double)HIGH(z[0]), (double)HIGH(z[1]), (double)xa, (double)ya, (double)xb,
                         (double)yb);
    }
    planes->distance[pixel] = slope.distance;
    planes->normal[pixel] = slope.normal;
    planes->angle[pixel] = slope.angle;
}
