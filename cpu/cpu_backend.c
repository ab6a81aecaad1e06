/* CPU backend, owner's side: submits pictures and density pictures to a pool of workers, and copies
 * finished tiles to their targets. */
#include "cpu/cpu.h"
#include "cpu/cpuid.h"
#include "cpu/density/cpu_density.h"
#include "cpu/escape/draw.h"
#include "cpu/stream.h"
#include "cpu/threads.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/grid/sharing.h"
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values that all handles of a backend share. */
struct cpu_device {
    int handles;
    const char *name;
    colour_fn *colour;
    uint32_t flags; /* processor features that kernels may use */
    char device[80];
    int threads, lose_after, submits;
    bool lost;
    struct worker_pool *pool;
    struct spare_memory spare;
};

struct cpu_backend {
    struct cpu_device *device;
    enum backend_priority priority;
    struct cpu_density density;
    /* The last request was for a density picture; the members below are of escape-time pictures. */
    bool orbit_density;

    struct job *current; /* last submitted job, kept for its samples; NULL: none */
    bool busy;
    double started_ms;
    struct backend_report report;
};

/* --- choosing --- */

int cpu_threads(void) {
    return omp_get_num_procs();
}

/* _OPENMP is the year and month of the specification. */
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

static size_t scratch_size(void) {
    const size_t orbit_density = density_job_scratch_size();
    return orbit_density > sizeof(struct job_scratch) ? orbit_density : sizeof(struct job_scratch);
}

static bool start_device(struct cpu_device *device, const struct backend_options *options) {
    char processor[49];
    cpu_name(processor);
    device->flags = cpu_flags_of(device->name, cpu_flags(options->cpumask));
    device->colour = colour_choose(device->flags);
    device->threads = threads_fit(options->threads > 0 ? options->threads : cpu_threads());
    device->lose_after = options->lose_after;
    snprintf(device->device, sizeof device->device, "%s, %d thread%s", processor, device->threads,
             device->threads == 1 ? "" : "s");
    spare_memory_init(&device->spare);
    device->pool = worker_pool_create(device->threads, options->low_priority, scratch_size());
    return device->pool;
}

static void free_device(void *user) {
    struct cpu_device *device = user;
    spare_memory_finish(&device->spare);
    free(device);
}

static void unref_device(struct cpu_device *device) {
    if (--device->handles > 0)
        return;
    if (device->pool)
        worker_pool_destroy(device->pool, free_device, device);
    else
        free_device(device);
}

/* Creates a handle. Without memory it drops the reference to the device again. */
static void *create_handle(struct cpu_device *device, enum backend_priority priority) {
    struct cpu_backend *cpu = calloc(1, sizeof *cpu);
    device->handles++;
    if (!cpu) {
        log_error("not enough memory for a backend");
        unref_device(device);
        return NULL;
    }
    cpu->device = device;
    cpu->priority = priority;
    cpu->density = (struct cpu_density){
        .pool = device->pool, .threads = device->threads, .rank = (int)priority};
    return cpu;
}

static void *create(const char *name, const struct backend_options *options) {
    struct cpu_device *device = calloc(1, sizeof *device);
    if (!device) {
        log_error("not enough memory for a backend");
        return NULL;
    }
    device->name = name;
    if (start_device(device, options))
        return create_handle(device, BACKEND_MAIN);
    unref_device(device);
    return NULL;
}

static void *cpu_another(void *impl, enum backend_priority priority) {
    return create_handle(((struct cpu_backend *)impl)->device, priority);
}

/* --- owner's thread --- */

static void cpu_info(void *impl, struct backend_info *info) {
    const struct cpu_backend *cpu = impl;
    *info = (struct backend_info){
        .name = cpu->device->name,
        .device = cpu->device->device,
        .types[ROUTE_DIRECT] = (1u << TYPE_COUNT) - 1,
        .types[ROUTE_PERTURBED] = 1u << TYPE_DOUBLE | 1u << TYPE_WIDE,
        .formulas = FORMULAS_ALL,
        .caps = BACKEND_CAP_EXACT | BACKEND_CAP_LINES,
        .ready = true,
    };
}

/* Drops the job whose samples were taken over. */
static void drop_previous(struct cpu_backend *cpu) {
    task_unref(worker_pool_take_source(cpu->device->pool, &cpu->current->base));
}

static bool no_writers(const void *job) {
    return atomic_load(&((const struct job *)job)->writers) == 0;
}

/* Removes the job from the pool without waiting for it. It stays `current` for its samples and
 * keeps its source. */
static void cpu_cancel(void *impl) {
    struct cpu_backend *cpu = impl;
    if (cpu->current) {
        atomic_store(&cpu->current->base.stop, true);
        while (cpu->busy && cpu->current->target.at_once && atomic_load(&cpu->current->writers) > 0)
            worker_pool_wait(cpu->device->pool, &cpu->current->base, no_writers, cpu->current,
                             5); /* [ms] for a tile's pixels */
        worker_pool_stop(cpu->device->pool, &cpu->current->base);
    }
    cpu_density_cancel(&cpu->density);
    cpu->orbit_density = false;
    cpu->busy = false;
    cpu->report.state = BACKEND_IDLE;
}

/* Releases the current job, to make room for the next. */
static void retire(struct cpu_backend *cpu) {
    if (!cpu->current)
        return;
    drop_previous(cpu);
    task_unref(&cpu->current->base);
    cpu->current = NULL;
}

static void cpu_destroy(void *impl) {
    struct cpu_backend *cpu = impl;
    cpu_cancel(cpu);
    retire(cpu);
    unref_device(cpu->device);
    free(cpu);
}

/* Returns a reference to the job with the most samples for a request. This is the current job if
 * the request shares lines with it. Otherwise it is the current job's source if the request shares
 * lines with the source, or if the current job has taken over less than half of its tiles. */
static struct job *best_source(struct cpu_backend *cpu, const struct frame_req *req) {
    struct job *last = cpu->current;
    if (!last || !req->reuse)
        return NULL;
    const struct job *before = (const struct job *)last->base.source;
    const bool named = before && sharing_by_lines(&before->req, req);
    const bool older = !sharing_by_lines(&last->req, req) &&
                       (named || 2 * atomic_load(&last->opened) < job_tiles(last));
    return (struct job *)worker_pool_ref(cpu->device->pool, &last->base, older);
}

/* Starts the current job. */
static void start(struct cpu_backend *cpu) {
    cpu->busy = true;
    cpu->started_ms = clock_ms();
    cpu->report =
        (struct backend_report){.state = BACKEND_BUSY, .generation = cpu->current->req.generation};
    worker_pool_start(cpu->device->pool, &cpu->current->base, (int)cpu->priority);
}

static bool may_submit(struct cpu_backend *cpu) {
    if (cpu->device->lost)
        log_error("backend %s is lost; use another --backend", cpu->device->name);
    return !cpu->device->lost;
}

static bool cpu_submit(void *impl, const struct frame_req *req, const struct target *target) {
    struct cpu_backend *cpu = impl;
    struct cpu_device *device = cpu->device;
    struct job *source = best_source(cpu, req);
    cpu_cancel(cpu);
    retire(cpu);
    struct target lent = *target;
    /* Workers at low priority may not run for a while, so they must not write to the target. */
    lent.at_once = worker_pool_eager(device->pool, lines_in_motion(req->lines)) && target->at_once;
    struct recipe recipe;
    fractal_recipe(&req->fractal, req->type, &recipe);
    const uint32_t flags = device->flags;
    const struct job_kind kind = {
        .recipe = &recipe,
        .tile = tile_choose(flags, &recipe, req->route, req->type),
        .doubles = req->doubles_limit > 0 ? tile_choose(flags, &recipe, ROUTE_DIRECT, TYPE_DOUBLE)
                                          : tile_choose_screen(flags, &recipe),
        .colour = device->colour,
        .walks = slope_choose(flags, &req->fractal, req->route, req->type),
        .walks_in_doubles = slope_choose(flags, &req->fractal, ROUTE_DIRECT, TYPE_DOUBLE),
        .spare = &device->spare};
    struct job *job = may_submit(cpu) ? job_create(req, &lent, &kind, source) : NULL;
    if (source)
        task_unref(&source->base);
    if (!job)
        return false;
    cpu->current = job;
    device->submits++;
    start(cpu);
    return true;
}

static bool cpu_recolour(void *impl, uint64_t from, uint64_t generation, const struct look *look) {
    struct cpu_backend *cpu = impl;
    struct job *job = cpu->current;
    if (look->orbit_density && cpu->orbit_density)
        return cpu_density_recolour(&cpu->density, from, generation, &look->tone);
    if (!job || job->passing || look->orbit_density || cpu->orbit_density ||
        job->req.generation != from || (!cpu->busy && !job->done))
        return false;
    const bool in_flight = cpu->busy;
    if (!in_flight)
        cpu_cancel(cpu);
    job->req.generation = cpu->report.generation = generation;
    job_recolour(job, &look->colouring);
    if (in_flight)
        worker_pool_call(cpu->device->pool, &job->base);
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

/* Copies a tile's pixels. Until it is final, workers may be writing other pixels. */
static void copy_tile(struct job *job, uint32_t tile, struct rect r, bool final) {
    const size_t width = (size_t)job->req.width_px, size = (size_t)(r.x1 - r.x0);
    uint32_t *row = job->target.rgba + (size_t)r.y0 * width + (size_t)r.x0;
    size_t stride;
    const _Atomic uint64_t *pairs = job_tile_pairs(job, tile, &stride);
    for (int y = r.y0; y < r.y1; y++, row += width, pairs += stride)
        if (final)
            stream_copy(row, (const uint32_t *)pairs, size);
        else
            for (size_t i = 0; i < size; i += 2) {
                const uint64_t pair = atomic_load_explicit(&pairs[i / 2], memory_order_relaxed);
                memcpy(row + i, &pair, (i + 1 < size ? 2 : 1) * sizeof *row);
            }
}

/* Clears the tiles to which nothing was copied: tiles within the dirty rectangle, and tiles above
 * and left of the rectangle, whose coarse pixels the display reads. */
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

/* Copies tiles that have changed until none is left or the time is up. */
static void collect(struct cpu_backend *cpu, double deadline_ms) {
    struct job *job = cpu->current;
    const uint32_t final = job_ready(job);
    const size_t news = atomic_load(&job->news);
    const size_t most = news - job->news_seen; /* later changes may be farther from the focus */
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
            copy_tile(job, tile, r, ready == final);
            cpu->report.dirty = rect_union(cpu->report.dirty, r);
        }
        job->taken[tile] = ready;
        job->complete += ready == final;
        if (++copied % 64 == 0 && clock_ms() > deadline_ms)
            break;
    }
    stream_end();
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
    report->device_ms = (double)atomic_load_explicit(&job->kernel_ns, memory_order_relaxed) / 1e6 /
                        cpu->device->threads;
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
        worker_pool_wait(cpu->device->pool, &cpu->current->base, has_news, cpu, budget_ms);
    collect(cpu, clock_ms() + (budget_ms > 2 ? budget_ms : 2));
    update_report(cpu);
}

/* Simulates a device loss, for tests. */
static void lose_as_asked(struct cpu_device *device) {
    if (device->lost || device->lose_after <= 0 || device->submits < device->lose_after)
        return;
    log_warn("backend %s was lost, as asked for", device->name);
    device->lost = true;
}

static void report_loss(struct cpu_backend *cpu) {
    cpu->report.generation =
        cpu->orbit_density ? cpu->density.report.generation : cpu->report.generation;
    cpu_cancel(cpu);
    cpu->report.dirty = (struct rect){0};
    cpu->report.state = BACKEND_LOST;
}

static void cpu_poll(void *impl, double budget_ms, struct backend_report *report) {
    struct cpu_backend *cpu = impl;
    if (cpu->busy || cpu->density.busy)
        lose_as_asked(cpu->device);
    if (cpu->device->lost)
        report_loss(cpu);
    else if (cpu->orbit_density)
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
    cpu->orbit_density =
        may_submit(cpu) && cpu_density_submit(&cpu->density, cpu->device->flags, req, target);
    cpu->device->submits += cpu->orbit_density;
    return cpu->orbit_density;
}

static bool density_set_samples(void *impl, uint64_t samples) {
    return cpu_density_set_samples(&((struct cpu_backend *)impl)->density, samples);
}

static bool density_read(void *impl, struct density_counts *counts) {
    return cpu_density_read(&((struct cpu_backend *)impl)->density, counts);
}

static const struct backend_density density_functions = {density_submit, density_set_samples,
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
        .another = cpu_another,                                                                    \
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
