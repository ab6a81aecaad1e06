/* Walks along orbits that do not escape for their cycles: a thread takes a pixel of the interior that has not been
 * looked at yet. */
#include "cuda/escape/walk.cuh"
#include "cuda/launch.cuh"
#include "gpu/escape/slope.h"
#include "render/formula/inside_depth.h"
#include "render/formula/inside_step.h"
#include "render/formula/trace.h"

#define INSIDE_THREADS 128

template <typename real> struct inside {
    real zr, zi, cr, ci;
    uint32_t period, atom;
};

INLINE float inside_near(float) {
    return (float)INSIDE_NEAR_FLOAT;
}

INLINE double inside_near(double) {
    return INSIDE_NEAR_DOUBLE;
}

INLINE double inside_near(struct wide) {
    return INSIDE_NEAR_WIDE;
}

INLINE float inside_nearer(float) {
    return (float)INSIDE_NEARER_FLOAT;
}

INLINE double inside_nearer(double) {
    return INSIDE_NEARER_DOUBLE;
}

/* Step number n. */
template <typename real>
INLINE void inside_on(const struct slope_args *a, uint32_t n, struct inside<real> *in) {
    const uint32_t which = a->recipe.length == 1 ? 0 : n % a->recipe.length;
    const unsigned folds = a->recipe.folds[which];
    switch (a->recipe.power[which]) {
    case 2:
        walk_z<2>(&in->zr, &in->zi, in->cr, in->ci, folds, a->fused);
        break;
#define INSIDE_CASE(power)                                                                         \
    case power:                                                                                    \
        walk_z<power>(&in->zr, &in->zi, in->cr, in->ci, folds, true);                              \
        break;
        RECIPE_POWERS(INSIDE_CASE)
#undef INSIDE_CASE
    }
}

template <typename real, typename part>
INLINE void inside_find(const struct slope_args *a, struct inside<real> *in) {
    const uint32_t length = a->recipe.length, most = inside_steps_max(&a->recipe);
    part mark_r = 0, mark_i = 0, least = (part)INSIDE_FAR, enough = 0;
    uint32_t mark = 0, next = inside_first(length);
    for (uint32_t n = 1; n <= most; n++) {
        inside_on(a, n - 1, in);
        const part zr = walk_high(in->zr), zi = walk_high(in->zi);
        const part square = norm2(a->fused, in->zr, in->zi);
        in->atom = square < least ? n : in->atom;
        least = square < least ? square : least;
        if (!(square < (part)a->recipe.escape))
            return;
        if (mark > 0 && (length == 1 || (n - mark) % length == 0)) {
            const part apart = inside_apart<part>(zr, zi, mark_r, mark_i);
            if (apart < enough) {
                in->period = n - mark;
                return;
            }
            const part nearer = inside_nearer(part{}) * apart;
            enough = nearer < enough ? nearer : enough;
        }
        if (n == next) {
            mark_r = zr;
            mark_i = zi;
            enough = inside_near(real{});
            mark = n;
            next = 2 * n;
        }
    }
}

/* Once more round the cycle. */
template <typename real>
INLINE void inside_go_round(const struct slope_args *a, struct inside<real> *in, bool deep,
                            struct inside_turn *turn) {
    for (uint32_t n = 0; n < in->period; n++) {
        const struct inside_number z = {walk_high(in->zr), walk_high(in->zi)};
        const double square = inside_square(z);
        turn->least = square < turn->least ? square : turn->least;
        if (deep)
            inside_derive(a->recipe.power[0], z, turn);
        inside_on(a, n, in);
    }
}

template <typename real, typename part>
static __global__ void __launch_bounds__(INSIDE_THREADS)
    insides(const __grid_constant__ struct slope_args a) {
    const uint32_t i = blockIdx.x * INSIDE_THREADS + threadIdx.x;
    const uint32_t pixel = (uint32_t)(a.begin + i);
    if (i >= a.size || *a.abort == a.serial || a.planes.last[pixel] != 0.0f ||
        !(a.planes.count[pixel] & SAMPLE_INTERIOR))
        return;
    struct inside<real> in = {};
    const uint32_t y = pixel / a.width;
    orbit_place(a.coords, a.aligned, a.width, pixel - y * a.width, y, &in.cr, &in.ci);
    if (a.recipe.julia) {
        in.zr = in.cr;
        in.zi = in.ci;
        in.cr = orbit_parameter(a.recipe.parameter_re, real{});
        in.ci = orbit_parameter(a.recipe.parameter_im, real{});
    }
    inside_find<real, part>(&a, &in);
    const bool found = in.period > 0, deep = inside_has_depth(&a.recipe);
    struct inside_turn turn = inside_turn_begin();
    inside_go_round(&a, &in, deep, &turn);
    a.planes.period[pixel] = in.period;
    a.planes.depth[pixel] = found && deep ? inside_depth(a.recipe.power[0], &turn, a.unit) : 0;
    a.planes.last[pixel] = found ? trace_nearness(double_sqrt(turn.least)) : INSIDE_NONE;
    a.planes.atom[pixel] = in.atom;
}

enum device_error insides_launch(const struct slope_args *args, struct device_queue *queue) {
    void *arguments[] = {(void *)args};
    const void *kernel = args->type == TYPE_FLOAT    ? (const void *)insides<float, float>
                         : args->type == TYPE_DOUBLE ? (const void *)insides<double, double>
                                                     : (const void *)insides<struct wide, double>;
    return launch_kernel(kernel, dim3((args->size - 1) / INSIDE_THREADS + 1), INSIDE_THREADS,
                         arguments, queue);
}
