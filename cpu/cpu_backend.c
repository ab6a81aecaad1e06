/* The CPU backend: the contract on one side, workers on the other, a lock between them that is only
 * held to hand over a job. */
#define _GNU_SOURCE /* SCHED_IDLE */
#include "cpu/cpu.h"
#include "cpu/cpu_job.h"
#include "cpu/cpuid.h"
#include "render/clock.h"
#include "render/log.h"
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TELL_EVERY_US 4000

struct cpu_backend {
    const char *name;
    tile_fn *tiles[TYPE_COUNT];
    char device[80];
    int threads, lose_after, submits;
    bool low_priority;

    struct job_scratch *scratch; /* one per thread */
    pthread_t conductor;         /* runs the OpenMP region that the workers are */
    pthread_mutex_t lock;
    pthread_cond_t work, news;
    struct job *job;      /* what workers draw, or NULL; under the lock */
    uint64_t serial;      /* counts jobs, so that a worker knows a new one; under the lock */
    bool quit;            /* under the lock */
    atomic_bool waiting;  /* the owner sleeps until there are news */
    atomic_llong told_us; /* when he was woken last */

    /* The owner's: */
    struct job *current; /* the last submitted, kept for its samples; NULL before */
    bool busy;
    struct target target;
    size_t finished_seen;
    double started_ms;
    struct backend_report report;
};

/* --- workers --- */

/* Sleeps until there is a job other than the one seen last; NULL: quit. Gives two references. */
static struct job *next_job(struct cpu_backend *cpu, uint64_t *serial, struct job **previous) {
    struct job *job = NULL;
    pthread_mutex_lock(&cpu->lock);
    while (!cpu->quit && (!cpu->job || cpu->serial == *serial))
        pthread_cond_wait(&cpu->work, &cpu->lock);
    if (!cpu->quit) {
        job = job_ref(cpu->job);
        *serial = cpu->serial;
        *previous = job->previous ? job_ref(job->previous) : NULL;
    }
    pthread_mutex_unlock(&cpu->lock);
    return job;
}

/* Wakes the owner if he sleeps, but not for every tile: he would take the workers' processors. */
static void tell_owner(struct cpu_backend *cpu, bool complete) {
    const long long now_us = (long long)(clock_ms() * 1e3);
    if (!atomic_load(&cpu->waiting) ||
        (!complete && now_us - atomic_load(&cpu->told_us) < TELL_EVERY_US))
        return;
    atomic_store(&cpu->told_us, now_us);
    pthread_mutex_lock(&cpu->lock);
    pthread_cond_signal(&cpu->news);
    pthread_mutex_unlock(&cpu->lock);
}

static void run_worker(struct cpu_backend *cpu) {
    struct job_scratch *scratch = &cpu->scratch[omp_get_thread_num()];
    uint64_t serial = 0;
    struct job *job, *previous = NULL;
    if (cpu->low_priority)
        sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0});
    while ((job = next_job(cpu, &serial, &previous))) {
        while (job_work(job, previous, scratch))
            tell_owner(cpu, false);
        tell_owner(cpu, true);
        job_unref(previous);
        job_unref(job);
    }
}

static void *conduct(void *user) {
    struct cpu_backend *cpu = user;
    omp_set_dynamic(0);
#pragma omp parallel num_threads(cpu->threads)
    run_worker(cpu);
    return NULL;
}

/* --- choosing --- */

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

static void choose_tiles(struct cpu_backend *cpu, uint32_t flags) {
    for (int type = 0; type < TYPE_COUNT; type++)
        cpu->tiles[type] = tile_choose(cpu_flags_of(cpu->name, flags), (enum number_type)type);
}

static void init_locks(struct cpu_backend *cpu) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&cpu->lock, NULL);
    pthread_cond_init(&cpu->work, NULL);
    pthread_cond_init(&cpu->news, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static void finish_locks(struct cpu_backend *cpu) {
    pthread_cond_destroy(&cpu->news);
    pthread_cond_destroy(&cpu->work);
    pthread_mutex_destroy(&cpu->lock);
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
    cpu->threads = options->threads > 0 ? options->threads : omp_get_num_procs();
    cpu->low_priority = options->low_priority;
    cpu->lose_after = options->lose_after;
    snprintf(cpu->device, sizeof cpu->device, "%s, %d thread%s", processor, cpu->threads,
             cpu->threads == 1 ? "" : "s");
    choose_tiles(cpu, cpu_flags(options->cpumask));
    init_locks(cpu);
    cpu->scratch =
        aligned_alloc(_Alignof(struct job_scratch), (size_t)cpu->threads * sizeof *cpu->scratch);
    const int failed = cpu->scratch ? pthread_create(&cpu->conductor, NULL, conduct, cpu) : ENOMEM;
    if (failed) {
        log_error("cannot start a thread: %s", strerror(failed));
        free(cpu->scratch);
        finish_locks(cpu);
        free(cpu);
        return NULL;
    }
    return cpu;
}

/* --- the owner's side --- */

static void cpu_info(void *impl, struct backend_info *info) {
    const struct cpu_backend *cpu = impl;
    *info = (struct backend_info){
        .name = cpu->name,
        .device = cpu->device,
        .types = 1u << TYPE_FLOAT | 1u << TYPE_DOUBLE,
        .formulas = (1u << FORMULA_COUNT) - 1,
        .methods = (1u << METHOD_COUNT) - 1,
        .caps = BACKEND_CAP_EXACT,
        .ready = true,
    };
}

/* Lets go of the job whose samples were taken over. */
static void drop_previous(struct cpu_backend *cpu) {
    pthread_mutex_lock(&cpu->lock);
    struct job *previous = cpu->current->previous;
    cpu->current->previous = NULL;
    pthread_mutex_unlock(&cpu->lock);
    job_unref(previous);
}

/* Takes the job from the workers without waiting for them; it stays `current` for its samples, and
 * what it was to take over stays with it. */
static void cpu_cancel(void *impl) {
    struct cpu_backend *cpu = impl;
    if (cpu->current)
        atomic_store(&cpu->current->stop, true);
    pthread_mutex_lock(&cpu->lock);
    cpu->job = NULL;
    pthread_mutex_unlock(&cpu->lock);
    cpu->busy = false;
    cpu->report.state = BACKEND_IDLE;
}

static void cpu_destroy(void *impl) {
    struct cpu_backend *cpu = impl;
    cpu_cancel(cpu);
    pthread_mutex_lock(&cpu->lock);
    cpu->quit = true;
    pthread_cond_broadcast(&cpu->work);
    pthread_mutex_unlock(&cpu->lock);
    pthread_join(cpu->conductor, NULL);
    job_unref(cpu->current);
    free(cpu->scratch);
    finish_locks(cpu);
    free(cpu);
}

/* A reference to the job that has the most for a request: the last one, or, when that was replaced
 * before it had taken over half of its tiles, the one before. */
static struct job *best_source(struct cpu_backend *cpu) {
    struct job *last = cpu->current;
    if (!last)
        return NULL;
    const size_t tiles = (size_t)last->tiles_x * (size_t)last->tiles_y;
    pthread_mutex_lock(&cpu->lock);
    const bool older = last->previous && 2 * atomic_load(&last->opened) < tiles;
    struct job *source = job_ref(older ? last->previous : last);
    pthread_mutex_unlock(&cpu->lock);
    return source;
}

static bool cpu_submit(void *impl, const struct frame_req *req, const struct target *target) {
    struct cpu_backend *cpu = impl;
    struct job *source = best_source(cpu);
    cpu_cancel(cpu);
    struct job *job = job_create(req, cpu->tiles[req->type], source);
    job_unref(source);
    if (!job)
        return false;
    if (cpu->current)
        drop_previous(cpu);
    job_unref(cpu->current);
    cpu->current = job;
    cpu->busy = true;
    cpu->target = *target;
    cpu->finished_seen = 0;
    cpu->started_ms = clock_ms();
    cpu->report = (struct backend_report){.state = BACKEND_BUSY, .generation = req->generation};
    memset(target->rgba, 0, (size_t)req->width_px * (size_t)req->height_px * sizeof *target->rgba);
    cpu->submits++;
    pthread_mutex_lock(&cpu->lock);
    cpu->job = job;
    cpu->serial++;
    pthread_cond_broadcast(&cpu->work);
    pthread_mutex_unlock(&cpu->lock);
    return true;
}

static struct rect rect_union(struct rect a, struct rect b) {
    if (a.x0 >= a.x1)
        return b;
    return (struct rect){a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0,
                         a.x1 > b.x1 ? a.x1 : b.x1, a.y1 > b.y1 ? a.y1 : b.y1};
}

static void copy_tile(struct cpu_backend *cpu, struct rect r) {
    const size_t width = (size_t)cpu->current->req.width_px;
    for (int y = r.y0; y < r.y1; y++) {
        const size_t row = (size_t)y * width;
        for (int x = r.x0; x < r.x1; x++)
            cpu->target.rgba[row + (size_t)x] =
                atomic_load_explicit(&cpu->current->rgba[row + (size_t)x], memory_order_relaxed);
    }
}

/* Copies finished tiles until none is left or the time is up. */
static void collect(struct cpu_backend *cpu, double deadline_ms) {
    uint32_t tile;
    while ((tile = job_finished(cpu->current, cpu->finished_seen)) != 0) {
        const struct rect r = job_tile_rect(cpu->current, tile - 1);
        copy_tile(cpu, r);
        cpu->report.dirty = rect_union(cpu->report.dirty, r);
        cpu->finished_seen++;
        if (cpu->finished_seen % 64 == 0 && clock_ms() > deadline_ms)
            break;
    }
}

static void wait_for_news(struct cpu_backend *cpu, double budget_ms) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    const long long ns = until.tv_nsec + (long long)(budget_ms * 1e6);
    until.tv_sec += (time_t)(ns / 1000000000);
    until.tv_nsec = (long)(ns % 1000000000);
    pthread_mutex_lock(&cpu->lock);
    atomic_store(&cpu->waiting, true);
    while (!job_finished(cpu->current, cpu->finished_seen))
        if (pthread_cond_timedwait(&cpu->news, &cpu->lock, &until) == ETIMEDOUT)
            break;
    atomic_store(&cpu->waiting, false);
    pthread_mutex_unlock(&cpu->lock);
}

static void copy_samples(struct cpu_backend *cpu) {
    const struct job *job = cpu->current;
    const size_t pixels = (size_t)job->req.width_px * (size_t)job->req.height_px;
    if (cpu->target.count)
        memcpy(cpu->target.count, job->count, pixels * sizeof *job->count);
    if (cpu->target.fraction)
        memcpy(cpu->target.fraction, job->fraction, pixels * sizeof *job->fraction);
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
    if (cpu->finished_seen < job_slots(job))
        return;
    copy_samples(cpu);
    drop_previous(cpu);
    report->state = BACKEND_DONE;
    cpu->busy = false;
}

static void cpu_poll(void *impl, double budget_ms, struct backend_report *report) {
    struct cpu_backend *cpu = impl;
    cpu->report.dirty = (struct rect){0};
    if (cpu->busy && cpu->lose_after > 0 && cpu->submits >= cpu->lose_after) {
        cpu_cancel(cpu);
        log_warn("backend %s was lost, as asked for", cpu->name);
        cpu->report.state = BACKEND_LOST;
    }
    if (cpu->busy) {
        if (budget_ms > 0)
            wait_for_news(cpu, budget_ms);
        collect(cpu, clock_ms() + (budget_ms > 2 ? budget_ms : 2));
        update_report(cpu);
    }
    *report = cpu->report;
}

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
        .poll = cpu_poll,                                                                          \
        .cancel = cpu_cancel,                                                                      \
    };

CPU_BACKEND(avx512)
CPU_BACKEND(avx2)
CPU_BACKEND(scalar)
