/* Keeps the backend contract on the owner's thread for the CPU: gives a pool of workers one picture
 * at a time, of either kind, and copies what is finished to the target. */
#include "cpu/cpu.h"
#include "cpu/cpuid.h"
#include "cpu/density/cpu_density.h"
#include "cpu/escape/cpu_job.h"
#include "cpu/threads.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cpu_backend {
    const char *name;
    colour_fn *colour;
    uint32_t flags; /* what kernels may use of the processor */
    char device[80];
    int threads, lose_after, submits;
    bool low_priority;
    struct worker_pool *pool;
    struct spare_memory spare;
    struct cpu_density density;
    /* the last request was for a density picture; what follows is of the others */
    bool orbit_density;

    struct job *current; /* the last submitted, kept for its samples; NULL before */
    /* the last one before it that was of pixels' centres; NULL: it is one itself */
    struct job *centred;
    bool busy;
    double started_ms;
    struct backend_report report;
};

/* --- choosing --- */

int cpu_threads(void) {
    return omp_get_num_procs();
}

/* _OPENMP is the month of the specification. */
void cpu_openmp_version(char text[16]) {
    snprintf(text, 16, "%s",
             _OPENMP >= 202111   ? "5.2"
             : _OPENMP >= 202011 ? "5.1"
             : _OPENMP >= 201811 ? "5.0"
             : _OPENMP >= 201511 ? "4.5"
                                 : "4.0");
}

static const char *cpu_missing(const char *name, uint32_t flags) {
    if (strcmp(name, "avx512") == 0 && !(flags & CPU_AVX512))
        return "the processor has no AVX-512 (F, DQ, VL, BW), or --cpumask hides it";
    if (strcmp(name, "avx2") == 0 && !(flags & CPU_AVX2))
        return "the processor has no AVX2 and FMA, or --cpumask hides it";
    return NULL;
}

static bool usable(const char *name, const struct backend_options *options, const char **why) {
    const char *missing = cpu_missing(name, cpu_flags(options->cpumask));
    if (missing)
        *why = missing;
    return !missing;
}

static void choose_kernels(struct cpu_backend *cpu, uint32_t flags) {
    cpu->flags = cpu_flags_of(cpu->name, flags);
    cpu->colour = colour_choose(cpu->flags);
}

static size_t scratch_size(void) {
    const size_t orbit_density = density_job_scratch_size();
    return orbit_density > sizeof(struct job_scratch) ? orbit_density : sizeof(struct job_scratch);
}

static void *create(const char *name, const struct backend_options *options) {
    struct cpu_backend *cpu = calloc(1, sizeof *cpu);
    if (!cpu) {
        log_error("not enough memory for a backend");
        return NULL;
    }
    char processor[49];
    cpu_name(processor);
    cpu->name = name;
    cpu->threads = threads_fit(options->threads > 0 ? options->threads : cpu_threads());
    cpu->lose_after = options->lose_after;
    cpu->low_priority = options->low_priority;
    snprintf(cpu->device, sizeof cpu->device, "%s, %d thread%s", processor, cpu->threads,
             cpu->threads == 1 ? "" : "s");
    choose_kernels(cpu, cpu_flags(options->cpumask));
    cpu->pool = worker_pool_create(cpu->threads, options->low_priority, scratch_size());
    if (!cpu->pool) {
        free(cpu);
        return NULL;
    }
    spare_memory_init(&cpu->spare);
    cpu->density = (struct cpu_density){.pool = cpu->pool, .threads = cpu->threads};
    return cpu;
}

/* --- the owner's side --- */

static void cpu_info(void *impl, struct backend_info *info) {
    const struct cpu_backend *cpu = impl;
    *info = (struct backend_info){
        .name = cpu->name,
        .device = cpu->device,
        .types[ROUTE_DIRECT] = 1u << TYPE_FLOAT | 1u << TYPE_DOUBLE,
        .formulas = FORMULAS_ALL,
        .methods = (1u << METHOD_COUNT) - 1,
        .caps = BACKEND_CAP_EXACT,
        .ready = true,
    };
}

/* Lets go of the job whose samples were taken over. */
static void drop_previous(struct cpu_backend *cpu) {
    task_unref(worker_pool_take_source(cpu->pool, &cpu->current->base));
}

static bool no_writers(const void *job) {
    return atomic_load(&((const struct job *)job)->writers) == 0;
}

/* Takes the work from the pool without waiting for it. A picture stays `current` for its samples,
 * and what it was to take over stays with it. */
static void cpu_cancel(void *impl) {
    struct cpu_backend *cpu = impl;
    if (cpu->current)
        atomic_store(&cpu->current->base.stop, true);
    while (cpu->busy && cpu->current->target.at_once && atomic_load(&cpu->current->writers) > 0)
        worker_pool_wait(cpu->pool, no_writers, cpu->current, 5); /* for a tile's pixels */
    worker_pool_stop(cpu->pool);
    cpu_density_cancel(&cpu->density);
    cpu->orbit_density = false;
    cpu->busy = false;
    cpu->report.state = BACKEND_IDLE;
}

static void release(struct job **job) {
    if (*job)
        task_unref(&(*job)->base);
    *job = NULL;
}

static void cpu_destroy(void *impl) {
    struct cpu_backend *cpu = impl;
    cpu_cancel(cpu);
    worker_pool_destroy(cpu->pool);
    release(&cpu->current);
    release(&cpu->centred);
    spare_memory_finish(&cpu->spare);
    free(cpu);
}

/* Whether it is one of the samples between pixels' centres, which are not continued. */
static bool between(const struct frame_req *req) {
    return req->offset_x != 0 || req->offset_y != 0;
}

/* A reference to the job that has the most for a request: the last one of pixels' centres, or, when
 * that was replaced before it had taken over half of its tiles, the one before. */
static struct job *best_source(struct cpu_backend *cpu, const struct frame_req *req) {
    struct job *last = cpu->centred ? cpu->centred : cpu->current;
    if (!last || !req->reuse)
        return NULL;
    const size_t tiles = (size_t)last->tiles_x * (size_t)last->tiles_y;
    return (struct job *)worker_pool_ref(cpu->pool, &last->base,
                                         2 * atomic_load(&last->opened) < tiles);
}

/* Makes room for the next job; what a later one may take samples over from stays. */
static void retire(struct cpu_backend *cpu, const struct frame_req *next) {
    if (cpu->current) {
        drop_previous(cpu);
        if (!between(&cpu->current->req)) {
            release(&cpu->centred);
            cpu->centred = cpu->current;
            cpu->current = NULL;
        }
        release(&cpu->current);
    }
    if (!between(next))
        release(&cpu->centred);
}

/* The current job is under way from now on. */
static void start(struct cpu_backend *cpu) {
    cpu->busy = true;
    cpu->started_ms = clock_ms();
    cpu->report =
        (struct backend_report){.state = BACKEND_BUSY, .generation = cpu->current->req.generation};
    worker_pool_start(cpu->pool, &cpu->current->base);
}

static bool cpu_submit(void *impl, const struct frame_req *req, const struct target *target) {
    struct cpu_backend *cpu = impl;
    struct job *source = best_source(cpu, req);
    cpu_cancel(cpu);
    retire(cpu, req);
    struct target lent = *target;
    lent.at_once = target->at_once && !cpu->low_priority; /* they may not run for a while */
    const struct job_kind kind = {tile_choose(cpu->flags, req->formula, req->route, req->type),
                                  cpu->colour, &cpu->spare};
    struct job *job = job_create(req, &lent, &kind, source);
    if (source)
        task_unref(&source->base);
    if (!job)
        return false;
    cpu->current = job;
    cpu->submits++;
    start(cpu);
    return true;
}

/* What was drawn between the centres since is forgotten. */
static bool cpu_recolour(void *impl, uint64_t from, uint64_t generation,
                         const struct colouring *colouring) {
    struct cpu_backend *cpu = impl;
    struct job *job = cpu->centred ? cpu->centred : cpu->current;
    if (!job || job->passing || cpu->orbit_density || job->req.generation != from ||
        between(&job->req))
        return false;
    const bool in_flight = cpu->busy && job == cpu->current;
    if (!in_flight && !job->done)
        return false;
    if (!in_flight)
        cpu_cancel(cpu);
    if (job != cpu->current) {
        drop_previous(cpu);
        release(&cpu->current);
        cpu->current = job;
        cpu->centred = NULL;
    }
    job->req.generation = cpu->report.generation = generation;
    job_recolour(job, colouring);
    if (in_flight)
        worker_pool_call(cpu->pool);
    else
        start(cpu);
    return true;
}

static struct rect rect_union(struct rect a, struct rect b) {
    if (a.x0 >= a.x1)
        return b;
    return (struct rect){a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0,
                         a.x1 > b.x1 ? a.x1 : b.x1, a.y1 > b.y1 ? a.y1 : b.y1};
}

static void copy_tile(struct job *job, uint32_t tile, struct rect r) {
    const size_t width = (size_t)job->req.width_px, size = (size_t)(r.x1 - r.x0);
    uint32_t *row = job->target.rgba + (size_t)r.y0 * width + (size_t)r.x0;
    size_t stride;
    const _Atomic uint64_t *pairs = job_tile_pairs(job, tile, &stride);
    for (int y = r.y0; y < r.y1; y++, row += width, pairs += stride)
        for (size_t i = 0; i < size; i += 2) {
            const uint64_t pair = atomic_load_explicit(&pairs[i / 2], memory_order_relaxed);
            memcpy(row + i, &pair, (i + 1 < size ? 2 : 1) * sizeof *row);
        }
}

/* Makes the tiles transparent that nothing was copied to yet and that lie where others were, or
 * where these look for the coarser ones above and left of them. */
static void clear_around(struct job *job, struct rect dirty) {
    const int tw = job->tile_width_px, th = job->tile_height_px;
    const size_t width = (size_t)job->req.width_px;
    for (int ty = dirty.y0 / FRAME_STRIDE_MAX * FRAME_STRIDE_MAX / th; ty * th < dirty.y1; ty++)
        for (int tx = dirty.x0 / tw; tx * tw < dirty.x1; tx++) {
            const uint32_t tile = (uint32_t)(ty * job->tiles_x + tx);
            const struct rect r = job_tile_rect(job, tile);
            for (int y = r.y0; job->taken[tile] == 0 && y < r.y1; y++)
                memset(job->target.rgba + (size_t)y * width + (size_t)r.x0, 0,
                       (size_t)(r.x1 - r.x0) * sizeof *job->target.rgba);
            job->taken[tile] = job->taken[tile] ? job->taken[tile] : JOB_CLEARED;
        }
}

/* Copies tiles that have something new until none is left or the time is up. */
static void collect(struct cpu_backend *cpu, double deadline_ms) {
    struct job *job = cpu->current;
    const uint32_t final = job_ready(job);
    const size_t news = atomic_load(&job->news);
    const size_t most = news - job->news_seen; /* later ones may be farther from the focus */
    size_t copied = 0;
    while (job->settled < job_tiles(job) && job->taken[job->order[job->settled]] == final)
        job->settled++;
    size_t i = job->settled;
    for (; i < job_tiles(job) && copied < most; i++) {
        const uint32_t tile = job->order[i], ready = atomic_load(&job->ready[tile]);
        if (ready == 0 || ready == job->taken[tile])
            continue;
        const struct rect r = job_tile_rect(job, tile);
        if (!job->target.at_once) {
            copy_tile(job, tile, r);
            cpu->report.dirty = rect_union(cpu->report.dirty, r);
        }
        job->taken[tile] = ready;
        job->complete += ready == final;
        if (++copied % 64 == 0 && clock_ms() > deadline_ms)
            break;
    }
    job->news_seen = i == job_tiles(job) ? news : job->news_seen + copied;
    if (job->complete < job_tiles(job))
        clear_around(job, cpu->report.dirty);
}

static bool has_news(const void *user) {
    const struct cpu_backend *cpu = user;
    return atomic_load(&cpu->current->news) != cpu->current->news_seen;
}

static void copy_samples(struct job *job) {
    if (!job->handed_over && !job->passing)
        sample_planes_copy(&job->planes, (size_t)job->req.width_px * (size_t)job->req.height_px,
                           job->req.limit, &job->target.planes);
    job->handed_over = true;
}

static void update_report(struct cpu_backend *cpu) {
    struct job *job = cpu->current;
    struct backend_report *report = &cpu->report;
    report->iterations = atomic_load_explicit(&job->iterations, memory_order_relaxed);
    report->skipped = atomic_load_explicit(&job->skipped, memory_order_relaxed);
    report->kept = atomic_load_explicit(&job->kept, memory_order_relaxed);
    report->progress = (double)atomic_load_explicit(&job->samples, memory_order_relaxed) /
                       ((double)job->req.width_px * job->req.height_px);
    report->device_ms =
        (double)atomic_load_explicit(&job->kernel_ns, memory_order_relaxed) / 1e6 / cpu->threads;
    report->elapsed_ms = clock_ms() - cpu->started_ms;
    if (job->complete < job_tiles(job))
        return;
    if (job->target.at_once)
        report->dirty = (struct rect){0, 0, job->req.width_px, job->req.height_px};
    copy_samples(job);
    drop_previous(cpu);
    report->state = BACKEND_DONE;
    job->done = true;
    cpu->busy = false;
}

static void poll_picture(struct cpu_backend *cpu, double budget_ms) {
    cpu->report.dirty = (struct rect){0};
    if (!cpu->busy)
        return;
    if (budget_ms > 0)
        worker_pool_wait(cpu->pool, has_news, cpu, budget_ms);
    collect(cpu, clock_ms() + (budget_ms > 2 ? budget_ms : 2));
    update_report(cpu);
}

static void cpu_poll(void *impl, double budget_ms, struct backend_report *report) {
    struct cpu_backend *cpu = impl;
    if ((cpu->busy || cpu->density.busy) && cpu->lose_after > 0 &&
        cpu->submits >= cpu->lose_after) {
        cpu->report.generation =
            cpu->orbit_density ? cpu->density.report.generation : cpu->report.generation;
        cpu_cancel(cpu);
        log_warn("backend %s was lost, as asked for", cpu->name);
        cpu->report.state = BACKEND_LOST;
    }
    if (cpu->orbit_density)
        cpu_density_poll(&cpu->density, budget_ms);
    else
        poll_picture(cpu, budget_ms);
    *report = cpu->orbit_density ? cpu->density.report : cpu->report;
}

static void cpu_statistics(void *impl, struct statistics *statistics) {
    shared_statistics_read(&((const struct cpu_backend *)impl)->current->statistics, statistics);
}

/* --- density pictures --- */

static bool density_submit(void *impl, const struct density_req *req, const struct target *target) {
    struct cpu_backend *cpu = impl;
    cpu_cancel(cpu);
    cpu->orbit_density = cpu_density_submit(&cpu->density, cpu->flags, req, target);
    cpu->submits += cpu->orbit_density;
    return cpu->orbit_density;
}

static bool density_change(void *impl, const struct tone *tone, uint64_t samples) {
    return cpu_density_change(&((struct cpu_backend *)impl)->density, tone, samples);
}

static bool density_read(void *impl, struct density_counts *counts) {
    return cpu_density_read(&((struct cpu_backend *)impl)->density, counts);
}

static const struct backend_density density_functions = {density_submit, density_change,
                                                         density_read};

#define CPU_BACKEND(isa)                                                                           \
    static bool usable_##isa(const struct backend_options *options, const char **why) {            \
        return usable(#isa, options, why);                                                         \
    }                                                                                              \
    static void *create_##isa(const struct backend_options *options) {                             \
        return create(#isa, options);                                                              \
    }                                                                                              \
    const struct backend_impl backend_##isa = {                                                    \
        .name = #isa,                                                                              \
        .automatic = true,                                                                         \
        .usable = usable_##isa,                                                                    \
        .create = create_##isa,                                                                    \
        .destroy = cpu_destroy,                                                                    \
        .info = cpu_info,                                                                          \
        .submit = cpu_submit,                                                                      \
        .recolour = cpu_recolour,                                                                  \
        .poll = cpu_poll,                                                                          \
        .cancel = cpu_cancel,                                                                      \
        .statistics = cpu_statistics,                                                              \
        .density = &density_functions,                                                             \
    };

CPU_BACKEND(avx512)
CPU_BACKEND(avx2)
CPU_BACKEND(scalar)
