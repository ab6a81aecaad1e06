/* Density job of the CPU backend: its counters, the parts of rounds that workers claim, and its
 * previews. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */
#include "cpu/density/density_job.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define POINTS_FULL 4096u /* points gathered before they are added */
#define POINTS_ROOM (POINTS_FULL + DENSITY_POINTS_SPARE)
#define AHEAD       24u          /* distance of the prefetch of counters [runs] */
#define HELD_MOST   (256u << 20) /* [bytes] limit of all workers' byte counters together */
#define MERGED      (1u << 15)   /* counters merged at a time */

/* Clumps of a part, adapted so that it takes a few milliseconds. Even, since random words come in
 * pairs of clumps. */
#define PART_FIRST 16u
/* Above this limit jobs begin with the smallest part: it may take minutes. */
#define PART_LIMIT   1000000u
#define PART_MOST    16384u
#define PART_LEAST   2u
#define PART_LONG_MS 4.0
#define PART_MS      2.0

struct density_job {
    struct task base;
    struct density_req req;
    struct density_task task;
    const struct density_kernels *kernels;
    tile_fn *tile;
    _Atomic uint64_t *count;
    size_t counters;
    int workers;
    _Atomic(uint8_t *) *held; /* per worker, set by it: byte counters not merged yet; NULL: none */
    atomic_ullong points, steps;

    pthread_mutex_t lock;            /* protects all members below */
    uint64_t next;                   /* next clump to claim, counted over all rounds; even */
    uint64_t end;                    /* clumps requested */
    uint64_t counted;                /* clumps before `next` that are done */
    uint64_t finished;               /* clumps whose points are all in the totals */
    bool merging;                    /* a merge is running; nothing is counted meanwhile */
    uint32_t merge_next, merge_done; /* parts of the totals: claimed, done */
    uint32_t part;                   /* clumps claimed at a time */
    double worked_ms;
    struct density_show show;
};

/* Points of a worker on their way to the counters. */
struct tally {
    struct density_points points; /* must be first: kernels pass a pointer to it */
    struct density_job *job;
    _Atomic uint8_t *held; /* the worker's byte counters, or NULL */
    uint32_t index[POINTS_ROOM + TILE_SPARE], head[POINTS_ROOM + TILE_SPARE],
        first[POINTS_ROOM + TILE_SPARE];
};

struct job_memory {
    struct density_scratch kernel;
    struct tally tally;
    struct tone_levels levels[TONE_CHANNELS_MAX];
};

size_t density_job_scratch_size(void) {
    return sizeof(struct job_memory);
}

/* Returns the thread's CPU time in ms. The clock's time would include other threads' work, since
 * workers often run at low priority. */
static double worked_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* --- counting --- */

/* Returns zeroed memory whose pages are allocated on first use, or NULL. */
static void *map_zeros(size_t size) {
    void *zeros = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (zeros == MAP_FAILED)
        return NULL;
    madvise(zeros, size, MADV_HUGEPAGE); /* a hint; may fail */
    return zeros;
}

static void add(struct density_job *job, size_t at, uint64_t points) {
    atomic_fetch_add_explicit(&job->count[at], points, memory_order_relaxed);
}

static void add_runs(struct density_job *job, const uint32_t *head, const uint32_t *first,
                     size_t runs) {
    for (size_t i = 0; i < runs; i++) {
        __builtin_prefetch((const void *)&job->count[head[i + AHEAD]], 1);
        add(job, head[i], first[i + 1] - first[i]);
    }
}

/* Adds runs to byte counters; overflow goes to the totals. A concurrent reader of both may miss the
 * overflow of the counter it is reading for a moment. */
static void hold_runs(struct density_job *job, _Atomic uint8_t *held, const uint32_t *head,
                      const uint32_t *first, size_t runs) {
    for (size_t i = 0; i < runs; i++) {
        __builtin_prefetch((const void *)&held[head[i + AHEAD]], 1);
        _Atomic uint8_t *byte = &held[head[i]];
        const uint32_t sum =
            atomic_load_explicit(byte, memory_order_relaxed) + (first[i + 1] - first[i]);
        atomic_store_explicit(byte, (uint8_t)sum, memory_order_relaxed);
        if (sum > UINT8_MAX)
            add(job, head[i], sum - (uint8_t)sum);
    }
}

static void apply(struct density_points *points) {
    struct tally *tally = (struct tally *)points;
    struct density_job *job = tally->job;
    if (points->size == 0)
        return;
    points->index[-1] = ~points->index[0];
    const size_t runs = job->kernels->runs(points->index, points->size, tally->head, tally->first);
    memset(tally->head + runs, 0, AHEAD * sizeof *tally->head);
    if (tally->held)
        hold_runs(job, tally->held, tally->head, tally->first, runs);
    else
        add_runs(job, tally->head, tally->first, runs);
    atomic_fetch_add_explicit(&job->points, points->size, memory_order_relaxed);
    points->size = 0;
}

/* Returns the worker's byte counters, made on the first call. Returns NULL if they are too large,
 * or without memory. */
static _Atomic uint8_t *held_bytes(struct density_job *job, int worker) {
    if (!atomic_load(&job->held[worker]) && job->counters <= HELD_MOST / (size_t)job->workers)
        atomic_store(&job->held[worker], map_zeros(job->counters));
    return (_Atomic uint8_t *)atomic_load(&job->held[worker]);
}

/* Merges all workers' byte counters of a part into the totals, which do not change otherwise
 * meanwhile. */
static void merge(struct density_job *job, uint32_t part) {
    const size_t from = (size_t)part * MERGED, left = job->counters - from;
    const size_t end = from + (left < MERGED ? left : MERGED);
    for (int worker = 0; worker < job->workers; worker++) {
        _Atomic uint8_t *held = (_Atomic uint8_t *)atomic_load(&job->held[worker]);
        for (size_t i = from; held && i < end; i++) {
            const uint8_t points = atomic_load_explicit(&held[i], memory_order_relaxed);
            const uint64_t sum = atomic_load_explicit(&job->count[i], memory_order_relaxed);
            atomic_store_explicit(&job->count[i], sum + points, memory_order_relaxed);
            atomic_store_explicit(&held[i], 0, memory_order_relaxed);
        }
    }
}

/* Counts clumps from .. end - 1, counted over all rounds. Returns false if it was stopped. */
static bool count_clumps(struct density_job *job, int worker, struct job_memory *memory,
                         uint64_t from, uint64_t end) {
    const struct density_cells *cells = job->req.cells;
    memory->tally.job = job;
    memory->tally.held = held_bytes(job, worker);
    memory->tally.points =
        (struct density_points){memory->tally.index + TILE_SPARE / 2, 0, POINTS_FULL, apply};
    while (from < end) {
        const uint64_t round = from / cells->count, begin = round * cells->count;
        const uint64_t to = end - begin < cells->count ? end - begin : cells->count;
        const struct density_part part = {.kernels = job->kernels,
                                          .tile = job->tile,
                                          .round = sample_round(round, job->task.random),
                                          .order = cells->order,
                                          .first = (uint32_t)(from - begin),
                                          .end = (uint32_t)to,
                                          .points = &memory->tally.points};
        if (!density_part_count(&job->task, &part, &memory->kernel))
            return false;
        atomic_fetch_add_explicit(&job->steps, memory->kernel.steps, memory_order_relaxed);
        from = begin + to;
    }
    apply(&memory->tally.points);
    return true;
}

/* Claims clumps from *from on. Returns their number, or 0 if there are none now. */
static uint32_t claim_clumps(struct density_job *job, uint64_t *from) {
    pthread_mutex_lock(&job->lock);
    const uint64_t left = job->merging ? 0 : job->end - job->next;
    const uint32_t part = left < job->part ? (uint32_t)left : job->part;
    *from = job->next;
    job->next += part;
    pthread_mutex_unlock(&job->lock);
    return part;
}

/* Claims a part to merge. Returns its number, or -1 if there is none. A merge begins once all
 * requested clumps are counted; *first: this call began it. */
static int claim_merge(struct density_job *job, bool *first) {
    const uint32_t parts = (uint32_t)((job->counters - 1) / MERGED) + 1;
    int part = -1;
    pthread_mutex_lock(&job->lock);
    *first = !job->merging && job->counted == job->end && job->finished != job->counted;
    if (*first) {
        job->merging = true;
        job->merge_next = job->merge_done = 0;
    }
    if (job->merging && job->merge_next < parts)
        part = (int)job->merge_next++;
    pthread_mutex_unlock(&job->lock);
    return part;
}

/* Finishes a part of the merge. Returns true if it was the last; counting may then resume. */
static bool finish_merge(struct density_job *job) {
    pthread_mutex_lock(&job->lock);
    const bool last = (size_t)++job->merge_done * MERGED >= job->counters;
    if (last) {
        job->merging = false;
        job->finished = job->counted;
    }
    pthread_mutex_unlock(&job->lock);
    return last;
}

static enum task_step merge_part(struct density_job *job) {
    bool first;
    const int part = claim_merge(job, &first);
    if (part < 0)
        return TASK_NONE;
    merge(job, (uint32_t)part);
    return finish_merge(job) || first ? TASK_CALL : TASK_SOME;
}

static enum task_step count_part(struct density_job *job, int worker, struct job_memory *memory) {
    uint64_t from;
    const uint32_t part = claim_clumps(job, &from);
    const double start = worked_ms();
    if (part == 0)
        return merge_part(job);
    if (!count_clumps(job, worker, memory, from, from + part))
        return TASK_NONE;
    const double took = worked_ms() - start;
    pthread_mutex_lock(&job->lock);
    job->counted += part;
    job->worked_ms += took;
    if (took > PART_LONG_MS && job->part > PART_LEAST)
        job->part /= 2;
    else if (took < PART_MS && part == job->part && job->part < PART_MOST)
        job->part *= 2;
    pthread_mutex_unlock(&job->lock);
    return TASK_SOME;
}

/* --- showing --- */

static void begin_phase(struct density_show *show, enum show_phase phase) {
    show->phase = phase;
    show->next = show->done = 0;
}

/* Claims a part of the preview and stores its phase. Returns its number, or -1 if there is none. */
static int claim_show(struct density_job *job, enum show_phase *phase) {
    struct density_show *show = &job->show;
    int part = -1;
    pthread_mutex_lock(&job->lock);
    *phase = show->phase;
    if ((show->phase == SHOW_LEVELS || show->phase == SHOW_PIXELS) && show->next < show->parts)
        part = show->next++;
    pthread_mutex_unlock(&job->lock);
    return part;
}

/* Finishes a part of the preview. Returns true if it was the phase's last. */
static bool finish_show(struct density_job *job, struct job_memory *memory, enum show_phase phase,
                        double took) {
    struct density_show *show = &job->show;
    pthread_mutex_lock(&job->lock);
    show->spent_ms += took;
    if (phase == SHOW_LEVELS)
        for (int channel = 0; channel < job->req.density.channels; channel++)
            tone_levels_merge(&show->levels[channel], &memory->levels[channel]);
    const bool last = ++show->done == show->parts;
    if (last)
        begin_phase(show, phase == SHOW_LEVELS ? SHOW_MAP : SHOW_READY);
    pthread_mutex_unlock(&job->lock);
    return last;
}

static void make_map(struct density_job *job) {
    density_show_map(&job->show, job->req.density.channels);
    pthread_mutex_lock(&job->lock);
    begin_phase(&job->show, SHOW_PIXELS);
    pthread_mutex_unlock(&job->lock);
}

static enum task_step show_part(struct density_job *job, struct job_memory *memory) {
    const struct density_shown_counts counts = {&job->req,       &job->task.place, job->count,
                                                job->task.plane, job->held,        job->workers};
    enum show_phase phase;
    const int part = claim_show(job, &phase);
    const double start = worked_ms();
    if (part < 0)
        return TASK_NONE;
    density_show_part(&counts, part, phase == SHOW_LEVELS ? memory->levels : NULL, &job->show);
    if (!finish_show(job, memory, phase, worked_ms() - start) || phase != SHOW_LEVELS)
        return TASK_SOME;
    make_map(job);
    return TASK_CALL;
}

/* --- creation and destruction --- */

static enum task_step step(struct task *base, struct task *source, int worker, void *scratch) {
    struct density_job *job = (struct density_job *)base;
    (void)source;
    if (atomic_load_explicit(&base->stop, memory_order_relaxed))
        return TASK_NONE;
    const enum task_step shown = show_part(job, scratch);
    return shown != TASK_NONE ? shown : count_part(job, worker, scratch);
}

static void destroy(struct task *base) {
    struct density_job *job = (struct density_job *)base;
    if (job->count)
        munmap(job->count, job->counters * sizeof *job->count);
    for (int worker = 0; job->held && worker < job->workers; worker++)
        if (atomic_load(&job->held[worker]))
            munmap(atomic_load(&job->held[worker]), job->counters);
    free((void *)job->held);
    density_req_finish(&job->req);
    pthread_mutex_destroy(&job->lock);
    free(job->show.rgba);
    free(job);
}

static const struct task_kind kind = {step, destroy};

static uint64_t clumps_of(uint64_t samples) {
    const uint64_t chunks = samples / DENSITY_CHUNK + (samples % DENSITY_CHUNK != 0);
    const uint64_t most = UINT64_MAX / DENSITY_CHUNK;
    return (chunks < most ? chunks : most) * (DENSITY_CHUNK / CLUMP_SAMPLES);
}

static bool allocate(struct density_job *job, bool shown) {
    const size_t pixels = (size_t)job->req.width_px * (size_t)job->req.height_px;
    const size_t size = job->counters * sizeof *job->count;
    if (!memory_fits(size, "counts"))
        return false;
    job->count = map_zeros(size);
    job->held = calloc((size_t)job->workers, sizeof *job->held);
    if (shown)
        job->show.rgba = malloc(pixels * sizeof *job->show.rgba);
    const bool ok = job->count && job->held && (!shown || job->show.rgba);
    if (!ok)
        log_error("not enough memory to count %dx%d pixels; try a smaller --size",
                  job->req.width_px, job->req.height_px);
    return ok;
}

static void go_on(struct density_job *job, const struct density_counts *start) {
    for (size_t i = 0; i < job->counters; i++)
        atomic_store_explicit(&job->count[i], start->count[i], memory_order_relaxed);
    atomic_init(&job->points, start->points);
    job->next = job->counted = job->finished = clumps_of(start->samples);
}

struct density_job *density_job_create(const struct density_req *req, uint32_t cpu_flags,
                                       int workers, bool shown) {
    struct density_job *job = calloc(1, sizeof *job);
    if (!job) {
        log_error("not enough memory for a picture");
        return NULL;
    }
    task_init(&job->base, &kind);
    pthread_mutex_init(&job->lock, NULL);
    density_req_init_copy(&job->req, req);
    density_task_init(&job->task, &job->req, &job->base.stop);
    job->kernels = density_choose(cpu_flags, req->type);
    job->tile = tile_choose(cpu_flags, &recipe_square, ROUTE_DIRECT, req->type);
    job->workers = workers;
    job->part = job->task.rule.limit > PART_LIMIT ? PART_LEAST : PART_FIRST;
    job->counters = (size_t)job->task.plane * (size_t)job->task.rule.planes.count;
    if (!allocate(job, shown)) {
        task_unref(&job->base);
        return NULL;
    }
    if (req->start)
        go_on(job, req->start);
    density_job_set_samples(job, req->samples);
    return job;
}

struct task *density_job_work(struct density_job *job) {
    return &job->base;
}

/* --- owner's thread --- */

void density_job_set_samples(struct density_job *job, uint64_t samples) {
    const uint64_t clumps = clumps_of(samples);
    pthread_mutex_lock(&job->lock);
    job->end = clumps > job->next ? clumps : job->next;
    if (job->req.cells->count == 0)
        job->next = job->counted = job->finished = job->end;
    pthread_mutex_unlock(&job->lock);
}

static bool complete(const struct density_job *job) {
    return job->finished == job->next && job->next == job->end;
}

struct density_progress density_job_progress(struct density_job *job) {
    pthread_mutex_lock(&job->lock);
    const struct density_progress progress = {
        .samples = job->counted * CLUMP_SAMPLES,
        .wanted = job->end * CLUMP_SAMPLES,
        .points = atomic_load_explicit(&job->points, memory_order_relaxed),
        .steps = atomic_load_explicit(&job->steps, memory_order_relaxed),
        .worked_ms = job->worked_ms,
        .complete = complete(job),
        .phase = job->show.phase,
    };
    pthread_mutex_unlock(&job->lock);
    return progress;
}

void density_job_show(struct density_job *job, const struct tone *tone) {
    struct density_show *show = &job->show;
    pthread_mutex_lock(&job->lock);
    show->tone = *tone;
    show->parts = density_show_parts(&job->task.place);
    show->samples = job->counted * CLUMP_SAMPLES;
    show->points = atomic_load_explicit(&job->points, memory_order_relaxed);
    show->complete = complete(job);
    show->spent_ms = 0;
    for (int channel = 0; channel < TONE_CHANNELS_MAX; channel++)
        tone_levels_init(&show->levels[channel]);
    begin_phase(show, SHOW_LEVELS);
    pthread_mutex_unlock(&job->lock);
}

const struct density_show *density_job_ready(struct density_job *job) {
    return &job->show;
}

void density_job_shown(struct density_job *job) {
    pthread_mutex_lock(&job->lock);
    job->show.phase = SHOW_IDLE;
    pthread_mutex_unlock(&job->lock);
}

void density_job_read(struct density_job *job, struct density_counts *counts) {
    const struct density_progress progress = density_job_progress(job);
    for (size_t i = 0; i < job->counters; i++)
        counts->count[i] = atomic_load_explicit(&job->count[i], memory_order_relaxed);
    counts->samples = progress.samples;
    counts->points = progress.points;
}
