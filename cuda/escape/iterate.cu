/* The direct route's kernels, compiled once per kernel of formula.h: a thread takes one pixel a number of steps
 * further. What finishes is written out at once, sample and colour; of the rest the state is kept,
 * and its pixels listed for the next round, so that no warp stays behind for a few long orbits. */
#include "cuda/escape/iterate.cuh"

#include "gpu/kernels/direct.h"

static_assert(sizeof(struct direct_state<struct wide>) <= FRAME_STATE_MAX, "a state has room");

template <int formula, bool cycle, typename value> struct direct {
    static constexpr int blocks = 0;

    static __device__ __forceinline__ bool advance(const struct iterate_args *a, uint32_t x,
                                                   uint32_t y, bool, uint32_t before,
                                                   struct work *work) {
        struct orbit<value> o = {};
        return direct_advance(&a->task, a, formula, cycle, x, y, before, &o, work);
    }
};

template <int formula, typename real> static iterate_kernel *choose(bool cycle, bool list) {
    return cycle ? choose_kernel<direct<formula, true, real>>(list)
                 : choose_kernel<direct<formula, false, real>>(list);
}

template <int formula>
static iterate_kernel *choose_type(enum number_type type, bool cycle, bool list) {
    return type == TYPE_WIDE    ? choose<formula, struct wide>(cycle, list)
           : type == TYPE_FLOAT ? choose<formula, float>(cycle, list)
                                : choose<formula, double>(cycle, list);
}

/* ITERATE_FORMULA: the build says which. */
#define JOINED(a, b) a##b
#define JOIN(a, b)   JOINED(a, b)

iterate_kernel *JOIN(iterate_kernel_, ITERATE_FORMULA)(enum number_type type, bool cycle,
                                                       bool list) {
    return choose_type<JOIN(FORMULA_, ITERATE_FORMULA)>(type, cycle, list);
}
