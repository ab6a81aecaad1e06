/* The perturbed route's kernels: as those of the direct one, with rounds in place of steps. */
#include "cuda/deep/tables.cuh"
#include "cuda/escape/iterate.cuh"
#include "cuda/escape/orbit.cuh"
#include "cuda/launch.cuh"
#include "render/deep/point/perturbed_round.h"
#include "render/number/screen.h"
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
/* Of a point that is screened, until it is doubtful. */
struct alignas(8) screened_state {
    double zr, zi;
    uint32_t m, n;
    int32_t log2;
    uint32_t count;    /* of the point itself, once that is known */
    uint32_t not_wide; /* SCREEN_NOT_WIDE */
    uint32_t spare;
};
static_assert(sizeof(struct screened_state) == sizeof(struct wide_state) &&
                  offsetof(struct screened_state, not_wide) == offsetof(struct wide_state, m),
              "they tell one from the other");
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

static __device__ __forceinline__ void keep(struct state *at, const struct perturbed_point *o) {
    *at = {o->zr, o->zi, o->m, o->n, o->log2, 0};
}

static __device__ __forceinline__ void keep(struct wide_state *at, const struct wide_point *o) {
    *at = {o->zr, o->zi, o->m, o->n};
}

/* Orbits in doubles begin at the end of their series, others at 0. */
static __device__ __forceinline__ void begin(const struct perturbed_tables *t,
                                             struct perturbed_point *o) {
    perturbed_begin(t, o);
}

static __device__ __forceinline__ void begin(const struct perturbed_tables *t,
                                             struct wide_point *o) {
    wide_begin(t, o);
}

template <bool folded>
static __device__ __forceinline__ enum perturbed_end
run(const struct perturbed_tables *t, struct perturbed_point *o, uint32_t limit, bool cycles,
    struct perturbed_cycle *cycle, uint32_t *steps) {
    return perturbed_run(t, folded, o, limit, cycles, cycle, steps);
}

template <bool folded>
static __device__ __forceinline__ enum perturbed_end
run(const struct perturbed_tables *t, struct wide_point *o, uint32_t limit, bool cycles,
    struct wide_cycle *cycle, uint32_t *steps) {
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

template <class number, int formula, class point>
static __device__ __forceinline__ float fraction_of(const struct iterate_args *a,
                                                    const struct perturbed_tables *t,
                                                    const point *o, float *norm2) {
    struct orbit<number> away;
    away.recipe = &a->recipe;
    away.number = perturbed_turn(t, formula != FORMULA_mandelbrot, o->n);
    place_of(t, o, &away.cr, &away.ci);
    away.zr = o->zr;
    away.zi = o->zi;
    return orbit_fraction<formula, true>(&away, norm2);
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

/* `turns`: several steps take turns; else one formula's look up nothing. */
template <bool cycle, class point, class kept, class number, class event, int at_once,
          int formula = FORMULA_mandelbrot, bool turns = false>
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
                                                 uint32_t y, uint32_t, orbit *o) {
        orbit_place(a->coords, a->aligned, a->width, x, y, &o->cr, &o->ci);
    }

    static __device__ __forceinline__ bool advance(const struct iterate_args *a, uint32_t pixel,
                                                   uint32_t before, orbit *o, struct work *work) {
        const struct perturbed_tables t = tables_of(a->tables, turns);
        __builtin_assume(t.index != nullptr);
        if (before == 0)
            begin(&t, o);
        uint32_t executed = a->to ? a->steps : ~0u;
        event events = {};
        events.next = PERTURBED_CYCLE_FIRST;
        const enum perturbed_end end =
            run<formula != FORMULA_mandelbrot>(&t, o, a->limit, cycle, &events, &executed);
        float fraction = 0.0f, norm2 = 0.0f;
        uint32_t count = o->n;
        bool final = true;
        if (end == PERTURBED_ESCAPED && count <= a->limit) {
            fraction = fraction_of<number, formula>(a, &t, o, &norm2);
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
            keep((kept *)a->states.memory + (pixel - a->states.first), o);
        }
        work->steps += executed;
        const uint32_t steps = (o->n < a->limit ? o->n : a->limit) - before;
        work->skipped += steps > executed ? steps - executed : 0;
        work->done += final;
        return put_sample(a, pixel, count, fraction, norm2, final);
    }
};

/* --- a pixel that is screened --- */

/* One of the two orbits in doubles. What the first one found waits in the planes, but for the count,
 * which waits in the state: there is no sample yet. */
template <bool cycle, bool beside> struct screened {
    struct orbit : perturbed_point {
        uint32_t count; /* of the point itself */
    };
    static constexpr int blocks = 8;

    static __device__ __forceinline__ struct screened_state *state_at(const struct iterate_args *a,
                                                                      uint32_t pixel) {
        return (struct screened_state *)a->states.memory + (pixel - a->states.first);
    }

    /* A list's pixels go on, others begin. */
    static __device__ __forceinline__ bool load(const struct iterate_args *a, uint32_t pixel,
                                                bool fresh, uint32_t *before, orbit *o) {
        if (fresh)
            return true;
        if (!goes_on(a, a->planes.count[pixel], before))
            return false;
        if (*before == 0 && !beside && !a->from)
            return true;
        const struct screened_state at = *state_at(a, pixel);
        o->count = at.count;
        if (a->from) {
            o->zr = at.zr;
            o->zi = at.zi;
            o->m = at.m;
            o->n = at.n;
            o->log2 = at.log2;
        }
        return *before == 0 || at.not_wide == SCREEN_NOT_WIDE;
    }

    static __device__ __forceinline__ void place(const struct iterate_args *a, uint32_t x,
                                                 uint32_t y, uint32_t, orbit *o) {
        struct wide cr, ci;
        orbit_place(a->coords, a->aligned, a->width, x, y, &cr, &ci);
        o->cr = beside ? cr.hi * SCREEN_BESIDE : cr.hi;
        o->ci = beside ? ci.hi * SCREEN_BESIDE : ci.hi;
    }

    static __device__ __forceinline__ void keep(const struct iterate_args *a, uint32_t pixel,
                                                const orbit *o) {
        *state_at(a, pixel) = {o->zr, o->zi, o->m, o->n, o->log2, o->count, SCREEN_NOT_WIDE, 0};
    }

    static __device__ __forceinline__ bool wait(const struct iterate_args *a, uint32_t pixel,
                                                const orbit *o, bool going) {
        keep(a, pixel, o);
        a->planes.count[pixel] = SAMPLE_MISSING;
        return going;
    }

    static __device__ __forceinline__ bool judge(const struct iterate_args *a, uint32_t pixel,
                                                 orbit *o, uint32_t count, float fraction,
                                                 struct work *work) {
        const float own = a->planes.fraction[pixel];
        const enum screen screen = screen_of(o->count, own, count, fraction);
        if (screen == SCREEN_OPEN) { /* all over again, should the limit be raised */
            o->count = a->limit | SAMPLE_INTERIOR;
            keep(a, pixel, o);
        }
        a->planes.count[pixel] = screen == SCREEN_DOUBTFUL ? SAMPLE_MISSING : o->count;
        if (screen != SCREEN_DOUBTFUL && a->rgba)
            a->rgba[pixel] = shade(&a->shades, o->count, own);
        work->done += screen != SCREEN_DOUBTFUL;
        return false;
    }

    static __device__ __forceinline__ bool advance(const struct iterate_args *a, uint32_t pixel,
                                                   uint32_t, orbit *o, struct work *work) {
        const struct perturbed_tables t = tables_of(a->tables);
        __builtin_assume(t.index != nullptr);
        if (!a->from)
            begin(&t, o);
        uint32_t executed = a->to ? a->steps : ~0u;
        const uint32_t before = o->n;
        struct perturbed_cycle events = {};
        events.next = PERTURBED_CYCLE_FIRST;
        const enum perturbed_end end =
            perturbed_run(&t, false, o, a->limit, cycle, &events, &executed);
        const uint32_t steps = (o->n < a->limit ? o->n : a->limit) - before;
        work->steps += executed;
        work->skipped += !beside && steps > executed ? steps - executed : 0;
        if (end == PERTURBED_GOES_ON && o->n < a->limit)
            return wait(a, pixel, o, true);
        float fraction = 0.0f, norm2 = 0.0f;
        uint32_t count = end == PERTURBED_RETURNS ? SAMPLE_NEVER : a->limit | SAMPLE_INTERIOR;
        if (end == PERTURBED_ESCAPED && o->n <= a->limit) {
            count = o->n;
            fraction = fraction_of<double, FORMULA_mandelbrot>(a, &t, o, &norm2);
        }
        if (beside)
            return judge(a, pixel, o, count, fraction, work);
        o->count = count;
        put_sample(a, pixel, count, fraction, norm2, false);
        return wait(a, pixel, o, false);
    }
};

/* --- the kernels --- */

/* 64 registers suffice for doubles: 8 blocks. */
template <bool cycle>
using in_doubles = perturbed<cycle, perturbed_point, state, double, perturbed_cycle, 8>;
template <bool cycle>
using folded_in_doubles =
    perturbed<cycle, perturbed_point, state, double, perturbed_cycle, 8, FORMULA_folded>;
template <bool cycle>
using hybrid_in_doubles =
    perturbed<cycle, perturbed_point, state, double, perturbed_cycle, 8, FORMULA_folded, true>;
template <bool cycle> using in_wide = perturbed<cycle, wide_point, wide_state, wide, wide_cycle, 0>;

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
