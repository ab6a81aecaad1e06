/* The perturbed route's kernels: as those of the direct one, with rounds in place of steps. */
#include "cuda/escape/iterate.cuh"
#include "cuda/escape/orbit.cuh"
#include "cuda/launch.cuh"
#include "render/deep/point/perturbed_round.h"
#include "render/number/wide_round.h"

/* --- what depends on the numbers --- */

/* Of an orbit that may go on; as in struct perturbed_point, */
struct alignas(16) state {
    double zr, zi;
    uint32_t m, n;
    int32_t log2, spare;
};
/* and as in struct wide_point. */
struct alignas(8) wide_state {
    struct wide zr, zi;
    uint32_t m, n;
};
static_assert(sizeof(struct state) == 32 && sizeof(struct wide_state) == 40 &&
                  sizeof(struct wide_state) <= FRAME_STATE_MAX,
              "as frame_req_state_size says");

static __device__ __forceinline__ void get(struct perturbed_point *o, const struct state &at) {
    o->zr = at.zr;
    o->zi = at.zi;
    o->m = at.m;
    o->n = at.n;
    o->log2 = at.log2;
}

static __device__ __forceinline__ void get(struct wide_point *o, const struct wide_state &at) {
    o->zr = at.zr;
    o->zi = at.zi;
    o->m = at.m;
    o->n = at.n;
}

static __device__ __forceinline__ struct state state_of(const struct perturbed_point *o) {
    return {o->zr, o->zi, o->m, o->n, o->log2, 0};
}

static __device__ __forceinline__ struct wide_state state_of(const struct wide_point *o) {
    return {o->zr, o->zi, o->m, o->n};
}

/* Orbits in doubles begin at the end of their series, others at 0. */
static __device__ __forceinline__ void begin(const struct perturbed_tables *t,
                                             struct perturbed_point *o) {
    perturbed_begin(t, o);
}

static __device__ __forceinline__ void begin(const struct perturbed_tables *, struct wide_point *) {
}

static __device__ __forceinline__ enum perturbed_end run(const struct perturbed_tables *t,
                                                         struct perturbed_point *o, uint32_t limit,
                                                         bool cycles, struct perturbed_cycle *cycle,
                                                         uint32_t *steps) {
    return perturbed_run(t, o, limit, cycles, cycle, steps);
}

static __device__ __forceinline__ enum perturbed_end run(const struct perturbed_tables *t,
                                                         struct wide_point *o, uint32_t limit,
                                                         bool cycles, struct wide_cycle *cycle,
                                                         uint32_t *steps) {
    return wide_run(t, o, limit, cycles, cycle, steps);
}

static __device__ __forceinline__ void place_of(const struct perturbed_tables *t,
                                                const struct perturbed_point *o, double *cr,
                                                double *ci) {
    perturbed_place_of(t, o, cr, ci);
}

static __device__ __forceinline__ void place_of(const struct perturbed_tables *t,
                                                const struct wide_point *o, struct wide *cr,
                                                struct wide *ci) {
    wide_place_of(t, o, cr, ci);
}

static __device__ __forceinline__ struct perturbed_tables tables_of(const struct device_tables &t) {
    struct perturbed_tables tables = {};
    tables.index = t.index;
    tables.orbit = t.orbit;
    tables.small = t.small;
    tables.list_at = t.list_at;
    tables.list = t.list;
    tables.segment = t.segment;
    tables.re = t.re;
    tables.im = t.im;
    tables.smalls = t.smalls;
    tables.last = t.last;
    tables.c_log2 = t.c_log2;
    tables.c_most_log2 = t.c_most_log2;
    tables.series = t.series;
    tables.orbit_low = t.orbit_low;
    tables.low = t.low;
    tables.re_low = t.re_low;
    tables.im_low = t.im_low;
    return tables;
}

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

/* --- a pixel --- */

template <bool cycle, class point, class kept, class number, class event, int at_once>
struct perturbed {
    typedef point orbit;
    static constexpr int blocks = at_once;

    static __device__ __forceinline__ bool load(const struct iterate_args *a, uint32_t pixel,
                                                bool fresh, uint32_t *before, orbit *o) {
        if (fresh)
            return true;
        if (!goes_on(a, a->planes.count[pixel], before))
            return false;
        if (*before > 0)
            get(o, ((const kept *)a->states.memory)[pixel - a->states.first]);
        return true;
    }

    static __device__ __forceinline__ void place(const struct iterate_args *a, uint32_t x,
                                                 uint32_t y, orbit *o) {
        orbit_place(a->coords, a->aligned, a->width, x, y, &o->cr, &o->ci);
    }

    static __device__ __forceinline__ float fraction_of(const struct perturbed_tables *t, orbit *o,
                                                        float *norm2) {
        struct ::orbit<number> away;
        place_of(t, o, &away.cr, &away.ci);
        away.zr = o->zr;
        away.zi = o->zi;
        return orbit_fraction<FORMULA_mandelbrot, true>(&away, norm2);
    }

    static __device__ __forceinline__ bool advance(const struct iterate_args *a, uint32_t pixel,
                                                   uint32_t before, orbit *o, struct work *work) {
        const struct perturbed_tables t = tables_of(a->tables);
        __builtin_assume(t.index != nullptr);
        if (before == 0)
            begin(&t, o);
        uint32_t executed = a->to ? a->steps : ~0u;
        event events = {};
        events.next = PERTURBED_CYCLE_FIRST;
        const enum perturbed_end end = run(&t, o, a->limit, cycle, &events, &executed);
        float fraction = 0.0f, norm2 = 0.0f;
        uint32_t count = o->n;
        bool final = true;
        if (end == PERTURBED_ESCAPED && count <= a->limit) {
            fraction = fraction_of(&t, o, &norm2);
        } else if (end == PERTURBED_RETURNS) {
            o->n = a->limit;
            count = SAMPLE_NEVER;
        } else {
            if (end == PERTURBED_ESCAPED) { /* over the limit */
                o->m = PERTURBED_TAIL;
                count = a->limit;
            }
            count = count < SAMPLE_COUNT_MASK ? count : SAMPLE_COUNT_MASK - 1;
            final = count >= a->limit;
            count |= SAMPLE_INTERIOR;
            ((kept *)a->states.memory)[pixel - a->states.first] = state_of(o);
        }
        work->steps += executed;
        const uint32_t steps = (o->n < a->limit ? o->n : a->limit) - before;
        work->skipped += steps > executed ? steps - executed : 0;
        work->done += final;
        return put_sample(a, pixel, count, fraction, norm2, final);
    }
};

/* 64 registers suffice for doubles: 8 blocks. */
template <bool cycle>
using in_doubles = perturbed<cycle, perturbed_point, state, double, perturbed_cycle, 8>;
template <bool cycle> using in_wide = perturbed<cycle, wide_point, wide_state, wide, wide_cycle, 0>;

iterate_kernel *perturbed_kernel(bool wide, bool cycle, bool list) {
    if (wide)
        return cycle ? choose_kernel<in_wide<true>>(list) : choose_kernel<in_wide<false>>(list);
    return cycle ? choose_kernel<in_doubles<true>>(list) : choose_kernel<in_doubles<false>>(list);
}
