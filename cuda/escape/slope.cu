/* Walks along orbits once more, with their derivatives: a thread takes a pixel that has escaped and has no slope
 * yet. */
#include "cuda/escape/walk.cuh"
#include "cuda/launch.cuh"
#include "gpu/escape/slope.h"
#include "render/formula/slope.h"
#include "render/formula/slope_step.h"

#define SLOPE_THREADS 128

/* z, c and the derivative's columns; the second one where there are folds. `part` is what derivatives are in. */
template <typename real, typename part> struct walk {
    real zr, zi, cr, ci;
    part xa, ya, xb, yb, unit;
};

template <int power, bool folded, typename real, typename part>
INLINE void walk_step(struct walk<real, part> *w, const unsigned folds, const bool fused) {
    const part zr = walk_high(w->zr), zi = walk_high(w->zi);
    if constexpr (folded)
        slope_step_folded<part>(power, folds, zr, zi, w->unit, &w->xa, &w->ya, &w->xb, &w->yb);
    else
        slope_step<part>(power, zr, zi, w->unit, &w->xa, &w->ya);
    walk_z<power>(&w->zr, &w->zi, w->cr, w->ci, folds, fused);
}

/* Step number n. */
template <bool folded, typename real, typename part>
INLINE void walk_on(struct walk<real, part> *w, const struct recipe *recipe, uint32_t n,
                    bool fused) {
    const uint32_t which = recipe->length == 1 ? 0 : n % recipe->length;
    const unsigned folds = folded ? recipe->folds[which] : FOLD_NONE;
    switch (recipe->power[which]) {
    case 2:
        walk_step<2, folded>(w, folds, fused);
        break;
#define WALK_CASE(power)                                                                           \
    case power:                                                                                    \
        walk_step<power, folded>(w, folds, true);                                                  \
        break;
        RECIPE_POWERS(WALK_CASE)
#undef WALK_CASE
    }
}

template <bool folded, typename real, typename part>
static __global__ void __launch_bounds__(SLOPE_THREADS)
    slopes(const __grid_constant__ struct slope_args a) {
    const uint32_t i = blockIdx.x * SLOPE_THREADS + threadIdx.x;
    const uint32_t pixel = (uint32_t)(a.begin + i);
    if (i >= a.size || *a.abort == a.serial || a.planes.distance[pixel] > 0.0f)
        return;
    const uint32_t count = a.planes.count[pixel];
    struct slope slope = {0, 0, 0};
    if (!(count & SAMPLE_INTERIOR) && count <= SLOPE_STEPS_MAX) {
        struct walk<real, part> w = {};
        const uint32_t y = pixel / a.width;
        const part unit = (part)a.unit;
        const bool julia = a.recipe.julia;
        orbit_place(a.coords, a.aligned, a.width, pixel - y * a.width, y, &w.cr, &w.ci);
        w.unit = julia ? (part)0 : unit;
        if (julia) {
            w.zr = w.cr;
            w.zi = w.ci;
            w.cr = orbit_parameter(a.recipe.parameter_re, real{});
            w.ci = orbit_parameter(a.recipe.parameter_im, real{});
            w.xa = w.yb = unit;
        }
        uint32_t n = 0;
        for (; n < count; n++)
            walk_on<folded>(&w, &a.recipe, n, a.fused);
        for (; n < count + SMOOTH_STEPS && norm2(a.fused, w.zr, w.zi) < (part)SMOOTH_NORM2; n++)
            walk_on<folded>(&w, &a.recipe, n, a.fused);
        const double xa = w.xa, ya = w.ya;
        slope = slope_of(walk_high(w.zr), walk_high(w.zi), xa, ya, folded ? (double)w.xb : -ya,
                         folded ? (double)w.yb : xa);
    }
    a.planes.distance[pixel] = slope.distance;
    a.planes.normal[pixel] = slope.normal;
    a.planes.angle[pixel] = slope.angle;
}

template <typename real, typename part> static const void *choose(bool folded) {
    return folded ? (const void *)slopes<true, real, part>
                  : (const void *)slopes<false, real, part>;
}

enum device_error slopes_launch(const struct slope_args *args, struct device_queue *queue) {
    void *arguments[] = {(void *)args};
    bool folded = false;
    for (uint32_t i = 0; i < args->recipe.length; i++)
        folded |= args->recipe.folds[i] != FOLD_NONE;
    const void *kernel = args->type == TYPE_FLOAT    ? choose<float, float>(folded)
                         : args->type == TYPE_DOUBLE ? choose<double, double>(folded)
                                                     : choose<struct wide, double>(folded);
    return launch_kernel(kernel, dim3((args->size - 1) / SLOPE_THREADS + 1), SLOPE_THREADS,
                         arguments, queue);
}
