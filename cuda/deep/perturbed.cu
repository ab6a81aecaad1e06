/* The perturbed route's kernels: as those of the direct one, with rounds in place of steps. */
#include "cuda/escape/iterate.cuh"
#include "cuda/escape/orbit.cuh"
#include "render/deep/perturbed_round.h"
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

static __device__ __forceinline__ enum perturbed_end
run(const struct perturbed_tables *t, struct perturbed_point *o, uint32_t until, bool cycle) {
    return perturbed_run(t, o, until, cycle);
}

static __device__ __forceinline__ enum perturbed_end
run(const struct perturbed_tables *t, struct wide_point *o, uint32_t until, bool cycle) {
    return wide_run(t, o, until, cycle);
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
    return {t.orbit,
            t.small,
            t.list_at,
            t.list,
            t.usable,
            t.segment,
            (const double(*)[2])t.c,
            t.re,
            t.im,
            t.smalls,
            t.last,
            t.c_log2,
            t.series,
            t.orbit_low,
            t.low,
            (const double(*)[2])t.c_low,
            t.re_low,
            t.im_low};
}

/* --- a pixel --- */

template <bool cycle, class point, class kept, class number> struct perturbed {
    typedef point orbit;

    static __device__ __forceinline__ bool load(const struct iterate_args *a, uint32_t pixel,
                                                bool fresh, uint32_t *before, orbit *o) {
        if (!goes_on(a, fresh ? SAMPLE_MISSING : a->planes.count[pixel], before))
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
        if (before == 0)
            begin(&t, o);
        const uint32_t left = a->limit - before, start = o->n;
        const uint32_t until = a->steps < left ? before + a->steps : a->limit;
        const enum perturbed_end end = run(&t, o, until, cycle);
        float fraction = 0.0f, norm2 = 0.0f;
        uint32_t count = o->n;
        bool final = true;
        if (end == PERTURBED_ESCAPED && count <= a->limit) {
            fraction = fraction_of(&t, o, &norm2);
        } else if (end == PERTURBED_RETURNS) {
            work->skipped += count < a->limit ? a->limit - count : 0;
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
        work->steps += o->n - start;
        work->done += final;
        return put_sample(a, pixel, count, fraction, norm2, final);
    }
};

template <bool cycle> using in_doubles = perturbed<cycle, perturbed_point, state, double>;
template <bool cycle> using in_wide = perturbed<cycle, wide_point, wide_state, wide>;

iterate_kernel *perturbed_kernel(bool wide, bool cycle, bool list) {
    if (wide)
        return cycle ? choose_kernel<in_wide<true>>(list) : choose_kernel<in_wide<false>>(list);
    return cycle ? choose_kernel<in_doubles<true>>(list) : choose_kernel<in_doubles<false>>(list);
}
