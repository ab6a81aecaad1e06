/* Counts points: a warp draws a clump's 32 samples, whose orbits stay together for a while and
 * end alike; those that do not are listed, and go on a thread each. */
#include "cuda/density/points.cuh"

#define BLOCK_THREADS 256
#define BLOCK_WARPS   (BLOCK_THREADS / 32)
#define CLAIM         4u /* pairs that a warp takes at a time */

template <typename real> static struct points_args<real> args_of(const struct points_job *job) {
    struct points_args<real> a = {};
#define ARGS_NUMBER(name, from) a.number.name = (real)job->task.from;
    POINTS_NUMBER_LIST(ARGS_NUMBER)
#undef ARGS_NUMBER
    a.task = job->task;
    a.counts = job->counts;
    a.tally = job->tally;
    a.state = job->state;
    a.abort = job->abort;
    return a;
}

/* --- drawing --- */

/* Lists an orbit that outlives the beginning, unless it surely never escapes. */
template <typename real>
INLINE void list_old(const struct points_args<real> *a, const struct points_list *to, bool old,
                     uint32_t cell, const struct points_orbit<real> *o, uint32_t n) {
    if (!__any_sync(~0u, old))
        return;
    if (old)
        old = points_worth(&a->task, cell, o);
    const uint32_t entry = append(&a->state->searched.value, old);
    if (old)
        save(to, entry, o, n);
}

/* What a thread has done; a launch has fewer increments, and a thread fewer steps, than 32 bits can
 * count. */
struct work {
    uint32_t steps, points;
};

template <int fold, bool deep, typename real>
INLINE void draw_clump(const struct points_args<real> *a, const struct sample_round *round,
                       const struct points_list *to, uint32_t cell, uint32_t bounds,
                       const uint32_t *words, struct work *work) {
    const uint32_t lane = threadIdx.x % 32;
    const struct sample_clump clump = sample_clump(round, cell);
    const uint32_t first = bounds & 255u;
    uint32_t last = bounds >> 8 & 255u, plane = points_plane(&a->task, bounds >> 24), k = 1;
    struct crowd crowd = {0, false};
    struct points_orbit<real> o;
    points_sample(&clump, round->octave, lane, words, &o);
    uint32_t end = last;
    if (last == BOUNDS_OPEN) {
        const uint32_t n = points_follow(&a->task, &o, bounds >> 16 & 255u);
        const bool old = deep && n > a->task.young;
        if (deep)
            list_old(a, to, old, cell, &o, n);
        end = old ? 0 : points_end(&a->task, n);
        plane = points_plane(&a->task, n);
        last = warp_max(end);
        work->steps += n;
        points_restart(&o);
    }
    work->steps += last;
#pragma unroll 2
    for (; k < first; k++)
        points_step(&o);
#pragma unroll 1
    for (; k <= last; k++) {
        work->points += plot_point<fold, deep>(a, o.zr, o.zi, k <= end, plane, &crowd);
        points_step(&o);
    }
}

/* How many blocks a multiprocessor is to have at a time; 0: as it comes. Floats that are mirrored just about let one of
 * 2048 threads be full, but compilers have to be told. */
INLINE constexpr int draw_blocks(int fold, bool deep, float) {
#if __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900
    return fold != DENSITY_FOLD_NONE && !deep ? 2048 / BLOCK_THREADS : 0;
#else
    return 0;
#endif
}
INLINE constexpr int draw_blocks(int, bool, double) {
    return 0;
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

template <int fold, bool deep, typename real>
static __global__ void __launch_bounds__(BLOCK_THREADS, draw_blocks(fold, deep, real(0)))
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
            const uint32_t clump = turn * a.task.cells + 2 * number;
            const uint32_t first = d.part.first_clump, end = d.part.end_clump;
            const uint32_t bounds[2] = {
                points_bounds_within(pair.bounds[0], clump, first, end),
                points_bounds_within(pair.bounds[1], clump + 1, first, end)};
            const struct philox words =
                sample_words(round->number, number, threadIdx.x % 32, a.task.random);
            if (bounds[0])
                draw_clump<fold, deep>(&a, round, &d.to, pair.cell[0], bounds[0], words.word,
                                       &work);
            if (bounds[1])
                draw_clump<fold, deep>(&a, round, &d.to, pair.cell[1], bounds[1], words.word + 2,
                                       &work);
        }
    count_work(a.tally, work.steps, work.points);
}

/* --- long orbits --- */

/* Lists an orbit to be plotted; all of a warp come here. */
template <typename real>
INLINE void list_plot(const struct points_args<real> *a, const struct points_list *to,
                      struct points_orbit<real> *o, uint32_t end, uint32_t n) {
    const uint32_t entry = append(&a->state->plotted.value, end > 0);
    if (end == 0)
        return;
    points_restart(o);
    save(to, entry, o, 1);
    to->end[entry] = end;
    to->plane[entry] = (uint8_t)(points_plane(&a->task, n) / a->task.plane);
}

template <typename real>
static __global__ void __launch_bounds__(BLOCK_THREADS)
    search(const __grid_constant__ struct points_args<real> a,
           const __grid_constant__ struct points_slice s) {
    const uint32_t i = blockIdx.x * BLOCK_THREADS + threadIdx.x;
    struct points_orbit<real> o = {};
    uint32_t n = 0, before = 0, end = 0;
    bool goes_on = false;
    if (aborted(&a))
        return;
    if (i < s.size) {
        load(&s.from, s.begin + i, &o);
        n = before = s.from.done[s.begin + i];
        const uint32_t limit = a.task.rule.limit, left = limit + 1 - n;
        const enum points_found found =
            points_search(&o, &n, n + (s.steps < left ? s.steps : left));
        goes_on = found == POINTS_NOTHING && n <= limit;
        end = goes_on ? 0 : points_end(&a.task, found == POINTS_ESCAPE ? n : limit + 1);
    }
    const uint32_t entry = append(&a.state->searched.value, goes_on);
    if (goes_on)
        save(&s.to, entry, &o, n);
    list_plot(&a, &s.plot, &o, end, n);
    count_work(a.tally, n - before, 0);
}

template <int fold, typename real>
static __global__ void __launch_bounds__(BLOCK_THREADS)
    plot(const __grid_constant__ struct points_args<real> a,
         const __grid_constant__ struct points_slice s) {
    const uint32_t i = blockIdx.x * BLOCK_THREADS + threadIdx.x;
    struct points_orbit<real> o = {};
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
        points += plot_point<fold, true>(&a, o.zr, o.zi, k < until, plane * a.task.plane, &crowd);
        if (k < until)
            points_step(&o);
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

/* Of a fold, searching the same for all. */
enum points_kernel { DRAW_SHALLOW, DRAW_DEEP, SEARCH, PLOT, POINTS_KERNELS };
#define KERNELS_OF(fold, real)                                                                     \
    {                                                                                              \
        (const void *)draw<fold, false, real>, (const void *)draw<fold, true, real>,               \
            (const void *)search<real>, (const void *)plot<fold, real>                             \
    }
#define KERNELS_OF_TYPE(real)                                                                      \
    {                                                                                              \
        KERNELS_OF(DENSITY_FOLD_NONE, real), KERNELS_OF(DENSITY_FOLD_ROWS, real),                  \
            KERNELS_OF(DENSITY_FOLD_COLUMNS, real)                                                 \
    }
static const void *const kernels[][DENSITY_FOLD_COLUMNS + 1][POINTS_KERNELS] = {
    KERNELS_OF_TYPE(float), KERNELS_OF_TYPE(double)};

static const void *kernel_of(const struct points_job *job, enum points_kernel which) {
    return kernels[job->type != TYPE_FLOAT][job->task.place.fold][which];
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
    return job->task.young < job->task.rule.limit;
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
