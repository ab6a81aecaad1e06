/* The perturbed route's kernels: as those of the direct one, with rounds in place of steps. */
#include "cuda/deep/tables.cuh"
#include "cuda/escape/iterate.cuh"
#include "render/deep/perturbed_round.h"
#include "render/number/screen.h"
#include "render/number/wide_round.h"

#define AROUND_DOUBLES
#define AROUND_WIDE
#include "gpu/kernels/around.h"

#include "gpu/kernels/screened.h"

static_assert(sizeof(struct screened_state) == sizeof(struct around_wide) &&
                  offsetof(struct screened_state, not_wide) == offsetof(struct around_wide, m),
              "they tell one from the other");
static_assert(sizeof(struct around_state) == 32 && sizeof(struct around_wide) == 40 &&
                  sizeof(struct around_wide) <= FRAME_STATE_MAX,
              "as frame_req_state_size says");

/* --- what a view knows of a reference --- */

#define INDEX_THREADS 128

static __global__ void __launch_bounds__(INDEX_THREADS)
    index_reference(const __grid_constant__ struct index_args a) {
    const uint32_t i = blockIdx.x * INDEX_THREADS + threadIdx.x;
    const struct perturbed_tables t = tables_of(a.tables);
    if (i < a.size)
        a.to[a.begin + i] = perturbed_index_make(&t, a.begin + i);
}

enum device_error perturbed_index_launch(const struct index_args *args,
                                         struct device_queue *queue) {
    void *arguments[] = {(void *)args};
    return launch_kernel((const void *)index_reference, dim3((args->size - 1) / INDEX_THREADS + 1),
                         INDEX_THREADS, arguments, queue);
}

/* --- the kernels --- */

/* `turns`: several steps take turns; else one formula's look up nothing. */
template <bool cycle, class point, int at_once, bool folded = false, bool turns = false>
struct perturbed {
    static constexpr int blocks = at_once;

    static __device__ __forceinline__ bool advance(const struct iterate_args *a, uint32_t x,
                                                   uint32_t y, bool, uint32_t before,
                                                   struct work *work) {
        const struct perturbed_tables t = tables_of(a->tables, turns);
        __builtin_assume(t.index != nullptr);
        point o = {};
        return around_advance(&a->task, a, &t, folded, cycle, x, y, before, &o, work);
    }
};

template <bool cycle, bool beside> struct screened {
    static constexpr int blocks = 8;

    static __device__ __forceinline__ bool advance(const struct iterate_args *a, uint32_t x,
                                                   uint32_t y, bool fresh, uint32_t before,
                                                   struct work *work) {
        const struct perturbed_tables t = tables_of(a->tables);
        __builtin_assume(t.index != nullptr);
        return screened_advance(&a->task, a, &t, beside, cycle, x, y, fresh, before, work);
    }
};

/* 64 registers suffice for doubles: 8 blocks. */
template <bool cycle> using in_doubles = perturbed<cycle, struct perturbed_point, 8>;
template <bool cycle> using folded_in_doubles = perturbed<cycle, struct perturbed_point, 8, true>;
template <bool cycle>
using hybrid_in_doubles = perturbed<cycle, struct perturbed_point, 8, true, true>;
template <bool cycle> using in_wide = perturbed<cycle, struct wide_point, 0>;

template <bool cycle> using screening_own = screened<cycle, false>;
template <bool cycle> using screening_beside = screened<cycle, true>;

template <template <bool> class path> static iterate_kernel *choose_cycle(bool cycle, bool list) {
    return cycle ? choose_kernel<path<true>>(list) : choose_kernel<path<false>>(list);
}

iterate_kernel *perturbed_kernel(const struct frame_req *req, enum screening screening, bool cycle,
                                 bool list) {
    if (screening != SCREENING_NONE)
        return screening == SCREENING_OWN ? choose_cycle<screening_own>(cycle, list)
                                          : choose_cycle<screening_beside>(cycle, list);
    if (req->fractal.then_count > 0)
        return choose_cycle<hybrid_in_doubles>(cycle, list);
    if (!fractal_has_extended(&req->fractal))
        return choose_cycle<folded_in_doubles>(cycle, list);
    return req->type == TYPE_WIDE ? choose_cycle<in_wide>(cycle, list)
                                  : choose_cycle<in_doubles>(cycle, list);
}
