/* The perturbed route's kernels: as those of the direct one, with rounds in place of steps. */
#include "cuda/escape/iterate.cuh"
#include "cuda/escape/orbit.cuh"
#include "render/deep/perturbed_round.h"

/* Of an orbit that may go on; as in struct perturbed_point. */
struct alignas(16) state {
    double zr, zi;
    uint32_t m, n;
    int32_t log2, spare;
};
static_assert(sizeof(struct state) <= FRAME_STATE_MAX, "a state has room");

template <bool cycle> struct perturbed {
    typedef struct perturbed_point orbit;

    static __device__ __forceinline__ bool load(const struct iterate_args *a, uint32_t pixel,
                                                bool fresh, uint32_t *before, orbit *o) {
        if (!goes_on(a, fresh ? SAMPLE_MISSING : a->planes.count[pixel], before))
            return false;
        if (*before > 0) {
            const struct state at =
                ((const struct state *)a->states.memory)[pixel - a->states.first];
            o->zr = at.zr;
            o->zi = at.zi;
            o->m = at.m;
            o->n = at.n;
            o->log2 = at.log2;
        }
        return true;
    }

    static __device__ __forceinline__ void place(const struct iterate_args *a, uint32_t x,
                                                 uint32_t y, orbit *o) {
        orbit_place(a->coords, a->aligned, a->width, x, y, &o->cr, &o->ci);
    }

    static __device__ __forceinline__ float fraction_of(const struct perturbed_tables *t, orbit *o,
                                                        float *norm2) {
        struct ::orbit<double> away;
        perturbed_place_of(t, o, &away.cr, &away.ci);
        away.zr = o->zr;
        away.zi = o->zi;
        return orbit_fraction<FORMULA_mandelbrot, true>(&away, norm2);
    }

    static __device__ __forceinline__ bool advance(const struct iterate_args *a, uint32_t pixel,
                                                   uint32_t before, orbit *o, struct work *work) {
        const struct perturbed_tables t = {a->tables.orbit,
                                           a->tables.small,
                                           a->tables.list_at,
                                           a->tables.list,
                                           a->tables.usable,
                                           a->tables.segment,
                                           (const double(*)[2])a->tables.c,
                                           a->tables.re,
                                           a->tables.im,
                                           a->tables.smalls,
                                           a->tables.last,
                                           a->tables.c_log2,
                                           a->tables.series};
        if (before == 0)
            perturbed_begin(&t, o);
        const uint32_t left = a->limit - before, start = o->n;
        const uint32_t until = a->steps < left ? before + a->steps : a->limit;
        const enum perturbed_end end = perturbed_run(&t, o, until, cycle);
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
            ((struct state *)a->states.memory)[pixel - a->states.first] = {o->zr, o->zi,   o->m,
                                                                           o->n,  o->log2, 0};
        }
        work->steps += o->n - start;
        work->done += final;
        return put_sample(a, pixel, count, fraction, norm2, final);
    }
};

iterate_kernel *perturbed_kernel(bool cycle, bool list) {
    return cycle ? choose_kernel<perturbed<true>>(list) : choose_kernel<perturbed<false>>(list);
}
