/* The iteration kernel, compiled once per formula: a thread takes one pixel a number of steps
 * further. What finishes is written out at once, sample and colour; of the rest the state is kept,
 * and its pixels listed for the next round, so that no warp stays behind for a few long orbits. */
#include "cuda/escape/iterate.h"
#include "cuda/escape/orbit.cuh"
#include "cuda/escape/shade.cuh"

static __device__ __forceinline__ uint32_t warp_sum(uint32_t x) {
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(~0u, x);
#else
    for (int distance = 16; distance > 0; distance /= 2)
        x += __shfl_xor_sync(~0u, x, distance);
    return x;
#endif
}

/* What a thread has done. */
struct work {
    uint32_t steps, done;
    unsigned long long skipped;
};

/* Adds what a warp has done; all its threads must come here. */
static __device__ __forceinline__ void count_work(struct tally *tally, const struct work *work) {
    const uint32_t steps = warp_sum(work->steps), done = warp_sum(work->done);
    unsigned long long skipped = 0;
    if (__any_sync(~0u, work->skipped != 0))
        for (int shift = 0; shift < 64; shift += 16)
            skipped += (unsigned long long)warp_sum((uint32_t)(work->skipped >> shift) & 0xffffu)
                       << shift;
    if (threadIdx.x % 32 != 0)
        return;
    tally += (blockIdx.x + blockIdx.y + threadIdx.x / 32) % TALLY_SHARES;
    atomicAdd(&tally->steps, (unsigned long long)steps);
    atomicAdd(&tally->done, (unsigned long long)done);
    if (skipped)
        atomicAdd(&tally->skipped, skipped);
}

/* Adds the pixels of a warp's unfinished threads to the list; all its threads must come here. */
static __device__ __forceinline__ void append(const struct iterate_args *a, uint32_t pixel,
                                              bool unfinished) {
    const unsigned mask = __ballot_sync(~0u, unfinished);
    const uint32_t lane = threadIdx.x % 32;
    uint32_t entry = 0;
    if (mask == 0)
        return;
    if (lane == 0)
        entry = (uint32_t)atomicAdd(&a->tally->listed, (unsigned long long)__popc(mask));
    entry = __shfl_sync(~0u, entry, 0) + (uint32_t)__popc(mask & ((1u << lane) - 1));
    if (unfinished)
        a->to[entry] = pixel;
}

/* Of an orbit that may go on; of the size that frame_req_state_size says. */
template <typename real> struct alignas(2 * sizeof(real)) state { real zr, zi; };
static_assert(sizeof(struct state<double>) <= FRAME_STATE_MAX, "a state has room");

/* How many steps a pixel has done, and where its orbit is then; false: its sample is final. */
template <typename real>
static __device__ __forceinline__ bool load(const struct iterate_args *a, uint32_t pixel,
                                            uint32_t *before, struct orbit<real> *o) {
    const uint32_t count = a->planes.count[pixel];
    *before = count & SAMPLE_COUNT_MASK;
    if (!(count & SAMPLE_INTERIOR) || *before >= a->limit)
        return false;
    if (*before > 0) {
        const auto at = ((const struct state<real> *)a->states.memory)[pixel - a->states.first];
        o->zr = at.zr;
        o->zi = at.zi;
    }
    return true;
}

template <typename real>
static __device__ __forceinline__ void save(const struct iterate_args *a, uint32_t pixel,
                                            const struct orbit<real> *o) {
    ((struct state<real> *)a->states.memory)[pixel - a->states.first] = {o->zr, o->zi};
}

/* Takes one pixel further; true: it must go on in the next round. */
template <int formula, bool fused, bool cycle, typename real>
static __device__ __forceinline__ bool advance(const struct iterate_args *a, uint32_t pixel,
                                               uint32_t before, struct orbit<real> *o,
                                               struct work *work) {
    const uint32_t left = a->limit - before;
    uint32_t steps;
    const enum orbit_end end = orbit_advance<formula, fused, cycle>(
        o, before, a->steps < left ? a->steps : left, a->shortcuts & SHORTCUTS_CARDIOID, &steps);
    uint32_t count = before + steps;
    float fraction = 0.0f, norm2 = 0.0f;
    if (end == ORBIT_ESCAPED) {
        fraction = orbit_fraction<formula, fused>(o, &norm2);
    } else if (end == ORBIT_BOUNDED) {
        work->skipped += left - steps;
        count = SAMPLE_NEVER;
    } else {
        count |= SAMPLE_INTERIOR;
        save(a, pixel, o);
    }
    const bool finished = end != ORBIT_GOES_ON || steps == left;
    work->steps += steps;
    work->done += finished;
    a->planes.count[pixel] = count;
    a->planes.fraction[pixel] = fraction;
    if (a->planes.norm2)
        a->planes.norm2[pixel] = sample_norm2(norm2);
    if (finished && a->rgba)
        a->rgba[pixel] = shade(&a->shades, count, fraction);
    return !finished;
}

/* Whether the request was given up; the same for all threads of a warp. A multiprocessor may keep
 * what it read for as long as the launch lasts: then the next one ends at once. */
static __device__ __forceinline__ bool aborted(const struct iterate_args *a) {
    return __any_sync(~0u, *a->abort == a->serial);
}

static __device__ __forceinline__ void clear(const struct iterate_args *a, uint32_t pixel) {
    a->planes.count[pixel] = SAMPLE_MISSING;
    if (a->rgba)
        a->rgba[pixel] = 0;
}

/* Rows of the lattice's tiles: a row of blocks each, a run of tiles for each warp. */
template <int formula, bool fused, bool cycle, typename real>
static __global__ void __launch_bounds__(ITERATE_THREADS)
    iterate_lattice(const __grid_constant__ struct iterate_args a) {
    const uint32_t warp = blockIdx.x * ITERATE_TILES + threadIdx.x / LATTICE_TILE_POINTS;
    const bool stop = aborted(&a);
    struct work work = {0, 0, 0};
    uint32_t x, y;
    if (stop && !a.blank)
        return;
    lattice_pixel(&a.lattice, a.begin + blockIdx.y, warp * a.run, threadIdx.x % LATTICE_TILE_POINTS,
                  &x, &y);
    for (uint32_t k = 0; k < a.run; k++, x += a.lattice.stride_x << a.lattice.tile_x_log2) {
        const uint32_t pixel = y * a.width + x;
        const bool there = x < a.width && y < a.height;
        struct orbit<real> o = {};
        uint32_t before = 0;
        bool going = there && !stop && (a.fresh || load(&a, pixel, &before, &o));
        if (going) {
            orbit_place(a.coords, a.aligned, a.width, x, y, &o.cr, &o.ci);
            going = advance<formula, fused, cycle>(&a, pixel, before, &o, &work);
        } else if (there && stop) {
            clear(&a, pixel);
        }
        if (a.to)
            append(&a, pixel, going);
    }
    count_work(a.tally, &work);
}

/* Entries of a list. */
template <int formula, bool fused, bool cycle, typename real>
static __global__ void __launch_bounds__(ITERATE_THREADS)
    iterate_list(const __grid_constant__ struct iterate_args a) {
    const uint32_t i = blockIdx.x * ITERATE_THREADS + threadIdx.x;
    struct work work = {0, 0, 0};
    struct orbit<real> o = {};
    uint32_t pixel = 0, before = 0;
    if (aborted(&a))
        return;
    bool going = i < a.size;
    if (going) {
        pixel = a.from[a.begin + i];
        going = load(&a, pixel, &before, &o);
    }
    if (going) {
        const uint32_t y = pixel / a.width;
        orbit_place(a.coords, a.aligned, a.width, pixel - y * a.width, y, &o.cr, &o.ci);
        going = advance<formula, fused, cycle>(&a, pixel, before, &o, &work);
    }
    if (a.to)
        append(&a, pixel, going);
    count_work(a.tally, &work);
}

template <int formula, bool fused, typename real>
static iterate_kernel *choose(bool cycle, bool list) {
    if (cycle)
        return list ? iterate_list<formula, fused, true, real>
                    : iterate_lattice<formula, fused, true, real>;
    return list ? iterate_list<formula, fused, false, real>
                : iterate_lattice<formula, fused, false, real>;
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
