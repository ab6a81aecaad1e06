/* The direct route's kernels, compiled once per kernel of formula.h: a thread takes one pixel a number of steps
 * further. What finishes is written out at once, sample and colour; of the rest the state is kept,
 * and its pixels listed for the next round, so that no warp stays behind for a few long orbits. */
#include "cuda/escape/iterate.cuh"
#include "cuda/escape/orbit.cuh"

/* Of an orbit that may go on; of the size that frame_req_state_size says. */
template <typename real> struct alignas(2 * sizeof(real)) state { real zr, zi; };
static_assert(sizeof(struct state<struct wide>) <= FRAME_STATE_MAX, "a state has room");

template <int formula, bool fused, bool cycle, typename real> struct direct {
    typedef struct orbit<real> orbit;
    static constexpr int blocks = 0;

    static __device__ __forceinline__ bool load(const struct iterate_args *a, uint32_t pixel,
                                                bool fresh, uint32_t *before, orbit *o) {
        if (fresh)
            return true;
        if (!goes_on(a, a->planes.count[pixel], before))
            return false;
        if (*before > 0) {
            const auto at = ((const struct state<real> *)a->states.memory)[pixel - a->states.first];
            o->zr = at.zr;
            o->zi = at.zi;
        }
        return true;
    }

    static __device__ __forceinline__ void place(const struct iterate_args *a, uint32_t x,
                                                 uint32_t y, uint32_t before, orbit *o) {
        o->recipe = &a->recipe;
        orbit_place(a->coords, a->aligned, a->width, x, y, &o->cr, &o->ci);
        if (!a->recipe.julia)
            return;
        if (before == 0) {
            o->zr = o->cr;
            o->zi = o->ci;
        }
        o->cr = orbit_parameter(a->recipe.parameter_re, real{});
        o->ci = orbit_parameter(a->recipe.parameter_im, real{});
    }

    static __device__ __forceinline__ bool advance(const struct iterate_args *a, uint32_t pixel,
                                                   uint32_t before, orbit *o, struct work *work) {
        const uint32_t left = a->limit - before;
        uint32_t steps;
        const enum orbit_end end =
            orbit_advance<formula, fused, cycle>(o, before, a->steps < left ? a->steps : left,
                                                 a->shortcuts & SHORTCUTS_CARDIOID, &steps);
        uint32_t count = before + steps;
        float fraction = 0.0f, norm2 = 0.0f;
        if (end == ORBIT_ESCAPED) {
            fraction = orbit_fraction<formula, fused>(o, &norm2);
        } else if (end == ORBIT_BOUNDED) {
            work->skipped += left - steps;
            count = SAMPLE_NEVER;
        } else {
            count |= SAMPLE_INTERIOR;
            ((struct state<real> *)a->states.memory)[pixel - a->states.first] = {o->zr, o->zi};
        }
        const bool finished = end != ORBIT_GOES_ON || steps == left;
        work->steps += steps;
        work->done += finished;
        return put_sample(a, pixel, count, fraction, norm2, finished);
    }
};

template <int formula, bool fused, typename real>
static iterate_kernel *choose(bool cycle, bool list) {
    return cycle ? choose_kernel<direct<formula, fused, true, real>>(list)
                 : choose_kernel<direct<formula, fused, false, real>>(list);
}

template <int formula, typename real>
static iterate_kernel *choose_arithmetic(bool fused, bool cycle, bool list) {
    if constexpr (FORMULA_IS_OF(FORMULAS_UNFUSED, formula))
        return fused ? choose<formula, true, real>(cycle, list)
                     : choose<formula, false, real>(cycle, list);
    return choose<formula, true, real>(cycle, list);
}

template <int formula>
static iterate_kernel *choose_type(enum number_type type, bool fused, bool cycle, bool list) {
    if (type == TYPE_WIDE)
        return choose<formula, true, struct wide>(cycle, list);
    return type == TYPE_FLOAT ? choose_arithmetic<formula, float>(fused, cycle, list)
                              : choose_arithmetic<formula, double>(fused, cycle, list);
}

/* ITERATE_FORMULA: the build says which. */
#define JOINED(a, b) a##b
#define JOIN(a, b)   JOINED(a, b)

iterate_kernel *JOIN(iterate_kernel_, ITERATE_FORMULA)(enum number_type type, bool fused,
                                                       bool cycle, bool list) {
    return choose_type<JOIN(FORMULA_, ITERATE_FORMULA)>(type, fused, cycle, list);
}
