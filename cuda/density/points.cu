/* Counts points: a warp draws a clump's 32 samples, whose orbits stay together for a while and
 * end alike; those that do not are listed, and go on a thread each. */
#include "cuda/density/points.cuh"

#define SAMPLE_AT_REAL    float
#define SAMPLE_AT_NAME(f) f##_float
#include "render/density/density_sample.h"
#undef SAMPLE_AT_REAL
#undef SAMPLE_AT_NAME
#define SAMPLE_AT_REAL    double
#define SAMPLE_AT_NAME(f) f##_double
#include "render/density/density_sample.h"

#define BLOCK_THREADS 256
#define BLOCK_WARPS   (BLOCK_THREADS / 32)
#define CLAIM         4u /* pairs that a warp takes at a time */
#define SEARCH_BLOCK  16 /* steps without a test */
#define FIRST_SPAN    128u

template <typename real> static struct points_args<real> args_of(const struct points_job *job) {
    struct points_args<real> a = {};
    const struct density_place *place = &job->place;
    const struct density_rule *rule = &job->rule;
    a.scale_re = (real)job->domain.scale_re;
    a.offset_re = (real)job->domain.offset_re;
    a.scale_im = (real)job->domain.scale_im;
    a.offset_im = (real)job->domain.offset_im;
    a.column_re = (real)place->column_re;
    a.column_im = (real)place->column_im;
    a.column_0 = (real)place->column_0;
    a.row_re = (real)place->row_re;
    a.row_im = (real)place->row_im;
    a.row_0 = (real)place->row_0;
    a.bailout2 = (real)rule->bailout2;
    a.width = (uint32_t)place->width;
    a.height = (uint32_t)place->height;
    a.plane_size = a.width * a.height;
    a.first = rule->first;
    a.least = rule->least;
    a.limit = rule->limit;
    a.young = job->young;
    a.bounded = rule->bounded;
    a.seed_skips = rule->seed_skips;
    a.both = place->both;
    a.planes = rule->planes.count;
    for (int i = 0; i < a.planes; i++)
        a.top[i] = rule->planes.top[i];
    a.random = job->random;
    a.cells = job->cells;
    a.counts = job->counts;
    a.tally = job->tally;
    a.state = job->state;
    a.abort = job->abort;
    a.serial = job->serial;
    return a;
}

/* --- drawing --- */

template <typename real>
INLINE void step(struct orbit<real> *o) {
    formula_step(FORMULA_mandelbrot, true, &o->zr, &o->zi, o->cr, o->ci);
}

INLINE void sample_c(const struct points_args<float> *a, const struct sample_clump *clump,
                     uint32_t octave, uint32_t lane, const uint32_t *words,
                     struct orbit<float> *o) {
    const int32_t x = sample_x(clump->x, octave, lane, words[0]);
    const int32_t y = sample_y(clump->y, octave, lane, words[1]);
    o->cr = fmaf((float)x, a->scale_re, a->offset_re);
    o->ci = fmaf((float)y, a->scale_im, a->offset_im);
}

INLINE void sample_c(const struct points_args<double> *a, const struct sample_clump *clump,
                     uint32_t octave, uint32_t lane, const uint32_t *words,
                     struct orbit<double> *o) {
    const double x = sample_x(clump->x, octave, lane, words[0]);
    const double y = sample_y(clump->y, octave, lane, words[1]);
    o->cr = fma(x + sample_x_low(octave, words[0]) * 0x1p-31, a->scale_re, a->offset_re);
    o->ci = fma(y + sample_y_low(octave, words[1]) * 0x1p-31, a->scale_im, a->offset_im);
}

INLINE bool seed_skips(float re, float im) {
    return sample_seed_skips_float(re, im);
}
INLINE bool seed_skips(double re, double im) {
    return sample_seed_skips_double(re, im);
}

/* Follows an orbit from c: returns the step n at which it is found to have escaped, up to a->young;
 * or a->young + 1, z being z_n then. None escapes within `sure` steps. */
template <typename real>
INLINE uint32_t follow(const struct points_args<real> *a, struct orbit<real> *o, uint32_t sure) {
    uint32_t n = 1;
#pragma unroll 4
    for (; n <= sure; n++)
        step(o);
#pragma unroll 2
    while (n <= a->young && norm2(true, o->zr, o->zi) < a->bailout2) {
        step(o);
        n++;
    }
    return n;
}

/* The last point's step of an orbit that escaped after n steps, or has not within a->limit; 0: it
 * is not counted. */
template <typename real> INLINE uint32_t end_of(const struct points_args<real> *a, uint32_t n) {
    if (a->bounded)
        return n > a->limit ? a->limit : 0;
    return n >= a->least && n <= a->limit ? n : 0;
}

/* Lists an orbit that outlives the beginning, unless it surely never escapes. */
template <typename real>
INLINE void list_old(const struct points_args<real> *a, const struct points_list *to, bool old,
                     uint32_t cell, const struct orbit<real> *o, uint32_t n) {
    if (!__any_sync(~0u, old))
        return;
    if (cell & CELLS_TEST && !a->bounded && !a->seed_skips && old)
        old = !interior_surely(double(o->cr), double(o->ci), number_margin(real(0)));
    const uint32_t entry = append(&a->state->searched.value, old);
    if (old)
        save(to, entry, o, n);
}

/* What a thread has done; a launch has fewer increments, and a thread fewer steps, than 32 bits can
 * count. */
struct work {
    uint32_t steps, points;
};

template <int kind, bool deep, typename real>
INLINE void draw_clump(const struct points_args<real> *a, const struct sample_round *round,
                       const struct points_list *to, uint32_t cell, uint32_t bounds,
                       const uint32_t *words, struct work *work) {
    const uint32_t lane = threadIdx.x % 32;
    const struct sample_clump clump = sample_clump(round, cell);
    const uint32_t first = bounds & 255u;
    uint32_t last = bounds >> 8 & 255u, plane = plane_of(a, bounds >> 24), k = 1;
    struct crowd crowd = {0, false};
    struct orbit<real> o;
    sample_c(a, &clump, round->octave, lane, words, &o);
    const bool live = !(a->seed_skips && cell & CELLS_TEST && seed_skips(o.cr, o.ci));
    uint32_t end = live ? last : 0;
    o.zr = o.cr;
    o.zi = o.ci;
    if (last == BOUNDS_OPEN) {
        const uint32_t n = live ? follow(a, &o, bounds >> 16 & 255u) : 0;
        const bool old = deep && n > a->young;
        if (deep)
            list_old(a, to, old, cell, &o, n);
        end = live && !old ? end_of(a, n) : 0;
        plane = plane_of(a, n);
        last = warp_max(end);
        work->steps += n;
        o.zr = o.cr;
        o.zi = o.ci;
    }
    work->steps += last;
#pragma unroll 2
    for (; k < first; k++)
        step(&o);
#pragma unroll 1
    for (; k <= last; k++) {
        work->points += plot_point<kind, deep>(a, o.zr, o.zi, k <= end, plane, &crowd);
        step(&o);
    }
}

/* The next pairs of a warp, counted on from the launch's first; false: none, or no room in the
 * list. */
template <bool deep, typename real>
INLINE bool claim(const struct points_args<real> *a, const struct points_draw *d, uint32_t *begin) {
    uint32_t taken = ~0u;
    const bool full = deep && *(volatile uint32_t *)&a->state->searched.value > d->room;
    if (threadIdx.x % 32 == 0 && !full)
        taken = atomicAdd(&a->state->claimed[d->turn].value, CLAIM);
    taken = __shfl_sync(~0u, taken, 0);
    *begin = d->part.begin + taken;
    return taken < d->part.end - d->part.begin && !aborted(a);
}

/* The bounds of a pair's clump, 0 when it is not among those asked for. */
INLINE uint32_t bounds_within(const struct points_draw *d, uint32_t bounds, uint32_t clump) {
    return clump >= d->part.first_clump && clump < d->part.end_clump ? bounds : 0;
}

template <int kind, bool deep, typename real>
static __global__ void __launch_bounds__(BLOCK_THREADS)
    draw(const __grid_constant__ struct points_args<real> a,
         const __grid_constant__ struct points_draw d) {
    struct work work = {0, 0};
    uint32_t begin;
    while (claim<deep>(&a, &d, &begin))
        for (uint32_t v = begin; v < begin + CLAIM && v < d.part.end; v++) {
            const uint32_t turn = v / d.part.live, entry = v - turn * d.part.live;
            const struct sample_round *round = &d.part.rounds[turn];
            const struct points_pair pair = d.pairs[entry];
            const uint32_t number = d.numbers[entry];
            const uint32_t clump = turn * a.cells + 2 * number;
            const uint32_t bounds[2] = {bounds_within(&d, pair.bounds[0], clump),
                                        bounds_within(&d, pair.bounds[1], clump + 1)};
            const struct philox words =
                sample_words(round->number, number, threadIdx.x % 32, a.random);
            if (bounds[0])
                draw_clump<kind, deep>(&a, round, &d.to, pair.cell[0], bounds[0], words.word,
                                       &work);
            if (bounds[1])
                draw_clump<kind, deep>(&a, round, &d.to, pair.cell[1], bounds[1], words.word + 2,
                                       &work);
        }
    count_work(a.tally, work.steps, work.points);
}

/* --- long orbits --- */

/* Where an orbit was found to be. */
enum found { FOUND_NOTHING, FOUND_ESCAPE, FOUND_CYCLE };

/* Blocks of steps, up to z_until, as long as the orbit does not escape in them. */
template <typename real>
INLINE enum found search_blocks(const struct points_args<real> *a, struct orbit<real> *o,
                                uint32_t *n, uint32_t until) {
    struct orbit<real> then = *o;
    uint32_t span = *n > FIRST_SPAN ? *n : FIRST_SPAN, turn = *n + span;
#pragma unroll 1
    while (*n + SEARCH_BLOCK <= until) {
        const real zr = o->zr, zi = o->zi;
#pragma unroll
        for (int k = 0; k < SEARCH_BLOCK; k++)
            step(o);
        if (!(norm2(true, o->zr, o->zi) < a->bailout2)) {
            o->zr = zr;
            o->zi = zi;
            break;
        }
        *n += SEARCH_BLOCK;
        if (number_word(o->zr) == number_word(then.zr) && number_same(o->zr, then.zr) &&
            number_same(o->zi, then.zi))
            return FOUND_CYCLE;
        if (*n >= turn) {
            then = *o;
            span *= 2;
            turn = *n + span;
        }
    }
    return FOUND_NOTHING;
}

/* Looks for the escape from z_n on, up to z_(until - 1); n is then the step of what was found, or
 * until. */
template <typename real>
INLINE enum found search_orbit(const struct points_args<real> *a, struct orbit<real> *o,
                               uint32_t *n, uint32_t until) {
    const bool safe = norm2(true, o->cr, o->ci) < real(FORMULA_SAFE) || a->seed_skips;
    if (!(norm2(true, o->zr, o->zi) < a->bailout2))
        return FOUND_ESCAPE;
    if (safe && search_blocks(a, o, n, until) == FOUND_CYCLE)
        return FOUND_CYCLE;
#pragma unroll 1
    while (*n < until && norm2(true, o->zr, o->zi) < a->bailout2) {
        step(o);
        ++*n;
    }
    return *n < until ? FOUND_ESCAPE : FOUND_NOTHING;
}

/* Lists an orbit to be plotted; all of a warp come here. */
template <typename real>
INLINE void list_plot(const struct points_args<real> *a, const struct points_list *to,
                      struct orbit<real> *o, uint32_t end, uint32_t n) {
    const uint32_t entry = append(&a->state->plotted.value, end > 0);
    if (end == 0)
        return;
    o->zr = o->cr;
    o->zi = o->ci;
    for (uint32_t k = 1; k < a->first; k++)
        step(o);
    save(to, entry, o, a->first);
    to->end[entry] = end;
    to->plane[entry] = (uint8_t)(plane_of(a, n) / a->plane_size);
}

template <typename real>
static __global__ void __launch_bounds__(BLOCK_THREADS)
    search(const __grid_constant__ struct points_args<real> a,
           const __grid_constant__ struct points_slice s) {
    const uint32_t i = blockIdx.x * BLOCK_THREADS + threadIdx.x;
    struct orbit<real> o = {};
    uint32_t n = 0, before = 0, end = 0;
    bool goes_on = false;
    if (aborted(&a))
        return;
    if (i < s.size) {
        load(&s.from, s.begin + i, &o);
        n = before = s.from.done[s.begin + i];
        const uint32_t left = a.limit + 1 - n;
        const enum found found = search_orbit(&a, &o, &n, n + (s.steps < left ? s.steps : left));
        goes_on = found == FOUND_NOTHING && n <= a.limit;
        end = goes_on ? 0 : end_of(&a, found == FOUND_ESCAPE ? n : a.limit + 1);
    }
    const uint32_t entry = append(&a.state->searched.value, goes_on);
    if (goes_on)
        save(&s.to, entry, &o, n);
    list_plot(&a, &s.plot, &o, end, n);
    count_work(a.tally, n - before, 0);
}

template <int kind, typename real>
static __global__ void __launch_bounds__(BLOCK_THREADS)
    plot(const __grid_constant__ struct points_args<real> a,
         const __grid_constant__ struct points_slice s) {
    const uint32_t i = blockIdx.x * BLOCK_THREADS + threadIdx.x;
    struct orbit<real> o = {};
    uint32_t k = 1, before = 1, end = 0, until = 1, plane = 0;
    unsigned long long points = 0;
    if (aborted(&a))
        return;
    if (i < s.size) {
        load(&s.from, s.begin + i, &o);
        k = before = s.from.done[s.begin + i];
        end = s.from.end[s.begin + i];
        plane = s.from.plane[s.begin + i];
        const uint32_t left = end + 1 - k;
        until = k + (s.steps < left ? s.steps : left);
    }
    const uint32_t longest = warp_max(until - k);
    struct crowd crowd = {0, false};
#pragma unroll 1
    for (uint32_t turn = 0; turn < longest; turn++, k += k < until) {
        points += plot_point<kind, true>(&a, o.zr, o.zi, k < until, plane * a.plane_size, &crowd);
        if (k < until)
            step(&o);
    }
    const bool goes_on = k <= end;
    const uint32_t entry = append(&a.state->plotted.value, goes_on);
    if (goes_on) {
        save(&s.to, entry, &o, k);
        s.to.end[entry] = end;
        s.to.plane[entry] = (uint8_t)plane;
    }
    count_work(a.tally, k - before, points);
}

/* --- launching --- */

/* Of a kind of place, searching the same for all. */
enum points_kernel { DRAW_SHALLOW, DRAW_DEEP, SEARCH, PLOT, POINTS_KERNELS };
#define KERNELS_OF(kind, real)                                                                     \
    {                                                                                              \
        (const void *)draw<kind, false, real>, (const void *)draw<kind, true, real>,               \
            (const void *)search<real>, (const void *)plot<kind, real>                             \
    }
#define KERNELS_OF_TYPE(real)                                                                      \
    { KERNELS_OF(PLACE_ROWS, real), KERNELS_OF(PLACE_COLUMNS, real), KERNELS_OF(PLACE_ANY, real) }
static const void *const kernels[][PLACE_ANY + 1][POINTS_KERNELS] = {KERNELS_OF_TYPE(float),
                                                                     KERNELS_OF_TYPE(double)};

static const void *kernel_of(const struct points_job *job, enum points_kernel which) {
    const int kind = job->place.fold == DENSITY_FOLD_ROWS      ? PLACE_ROWS
                     : job->place.fold == DENSITY_FOLD_COLUMNS ? PLACE_COLUMNS
                                                               : PLACE_ANY;
    return kernels[job->type != TYPE_FLOAT][kind][which];
}

/* `own` is the kernel's second argument. */
static enum device_error launch(const void *kernel, uint32_t blocks, const struct points_job *job,
                                const void *own, struct device_queue *queue) {
    struct points_args<float> narrow = args_of<float>(job);
    struct points_args<double> wide = args_of<double>(job);
    void *arguments[] = {job->type == TYPE_FLOAT ? (void *)&narrow : (void *)&wide, (void *)own};
    return launch_kernel(kernel, dim3(blocks), BLOCK_THREADS, arguments, queue);
}

static bool is_deep(const struct points_job *job) {
    return job->young < job->rule.limit;
}

/* As many blocks as run at a time. */
static cudaError_t blocks_of(const void *kernel, uint32_t *blocks) {
    int device, processors, each;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, BLOCK_THREADS, 0);
    if (error == cudaSuccess)
        *blocks = (uint32_t)(processors * each);
    return error;
}

static const void *draw_kernel(const struct points_job *job) {
    return kernel_of(job, is_deep(job) ? DRAW_DEEP : DRAW_SHALLOW);
}

/* What the warps under way may add when each has just seen that there is room. */
static uint32_t under_way(uint32_t blocks) {
    return blocks * BLOCK_WARPS * CLAIM * DENSITY_CHUNK;
}

enum device_error points_room_least(const struct points_job *job, uint32_t *room) {
    uint32_t blocks = 0;
    const cudaError_t error = blocks_of(draw_kernel(job), &blocks);
    *room = under_way(blocks);
    return cuda_device_error(error);
}

enum device_error points_draw(const struct points_job *job, const struct points_draw *args,
                              struct device_queue *queue) {
    const void *kernel = draw_kernel(job);
    const uint32_t claims = (args->part.end - args->part.begin - 1) / CLAIM + 1;
    const uint32_t useful = (claims - 1) / BLOCK_WARPS + 1;
    struct points_draw own = *args;
    uint32_t blocks;
    const cudaError_t error = blocks_of(kernel, &blocks);
    if (error != cudaSuccess)
        return cuda_device_error(error);
    own.room = is_deep(job) ? args->room - under_way(blocks) : 0;
    return launch(kernel, blocks < useful ? blocks : useful, job, &own, queue);
}

static enum device_error run_slice(enum points_kernel which, const struct points_job *job,
                                   const struct points_slice *slice, struct device_queue *queue) {
    return launch(kernel_of(job, which), (slice->size - 1) / BLOCK_THREADS + 1, job, slice, queue);
}

enum device_error points_search(const struct points_job *job, const struct points_slice *slice,
                                struct device_queue *queue) {
    return run_slice(SEARCH, job, slice, queue);
}

enum device_error points_plot(const struct points_job *job, const struct points_slice *slice,
                              struct device_queue *queue) {
    return run_slice(PLOT, job, slice, queue);
}

cudaError_t points_load(void) {
    return load_kernels(&kernels[0][0][0], sizeof kernels / sizeof ***kernels);
}
