/* Density pictures of the CPU backend: requests previews of the counts from the workers, and copies
 * them to the target. */
#include "cpu/density/cpu_density.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <string.h>

#define FIRST_SHOW_MS 20.0 /* [ms] from the start of the picture to its first preview */
#define EMPTY_MS      50.0 /* [ms] after this time even an empty picture is shown */
#define SHOW_MS       15.0 /* [ms] minimum interval between the starts of two previews */
#define SHOW_SHARE    0.1  /* maximum share of the workers' time that previews take */
#define LOOK_MS       4.0  /* [ms] interval between two tests whether a preview may start */
#define COPY_MS       2.0  /* [ms] time for copying in one call, if the budget is smaller */

bool cpu_density_submit(struct cpu_density *density, uint32_t cpu_flags,
                        const struct density_req *req, const struct target *target) {
    struct density_job *job = density_job_create(req, cpu_flags, density->threads, target != NULL);
    if (!job)
        return false;
    cpu_density_cancel(density);
    density->job = job;
    density->busy = true;
    density->target = target ? *target : (struct target){0};
    density->width_px = req->width_px;
    density->height_px = req->height_px;
    density->tone = req->tone;
    density->stale = true;
    density->shown = false;
    density->rows_copied = 0;
    density->started_ms = clock_ms();
    density->due_ms = density->started_ms + (req->start ? 0 : FIRST_SHOW_MS);
    density->due_worked_ms = 0;
    density->report = (struct backend_report){.state = BACKEND_BUSY, .generation = req->generation};
    if (target)
        memset(target->rgba, 0,
               (size_t)req->width_px * (size_t)req->height_px * sizeof *target->rgba);
    worker_pool_start(density->pool, density_job_work(job), density->rank);
    return true;
}

/* Resumes the job until the changed part is counted and shown. */
static void go_on(struct cpu_density *density) {
    if (!density->busy)
        density->started_ms = clock_ms() - density->report.elapsed_ms;
    density->busy = true;
    density->report.state = BACKEND_BUSY;
    worker_pool_call(density->pool, density_job_work(density->job));
}

bool cpu_density_recolour(struct cpu_density *density, uint64_t from, uint64_t generation,
                          const struct tone *tone) {
    if (!density->job || density->report.generation != from)
        return false;
    density->report.generation = generation;
    if (!tone_equal(&density->tone, tone)) {
        density->tone = *tone;
        density->stale = true;
        density->shown = false;
        density->due_ms = density->due_worked_ms = 0;
    }
    go_on(density);
    return true;
}

bool cpu_density_set_samples(struct cpu_density *density, uint64_t samples) {
    if (!density->job)
        return false;
    density_job_set_samples(density->job, samples);
    go_on(density);
    return true;
}

bool cpu_density_read(struct cpu_density *density, struct density_counts *counts) {
    if (!density->job || density->busy) {
        log_error("there are no complete counts to read");
        return false;
    }
    density_job_read(density->job, counts);
    return true;
}

void cpu_density_cancel(struct cpu_density *density) {
    if (!density->job)
        return;
    struct task *base = density_job_work(density->job);
    atomic_store(&base->stop, true);
    worker_pool_stop(density->pool, base);
    task_unref(base);
    density->job = NULL;
    density->busy = false;
    density->report.state = BACKEND_IDLE;
}

/* --- polling --- */

/* Copies rows of a finished preview until none is left or the time is up. */
static void copy_show(struct cpu_density *density, double deadline_ms) {
    const struct density_show *show = density_job_ready(density->job);
    const size_t width = (size_t)density->width_px;
    while (density->rows_copied < density->height_px) {
        const size_t at = (size_t)density->rows_copied++ * width;
        memcpy(density->target.rgba + at, show->rgba + at, width * sizeof *show->rgba);
        if (density->rows_copied % 64 == 0 && clock_ms() > deadline_ms)
            break;
    }
    if (density->rows_copied < density->height_px)
        return;
    density->due_worked_ms += show->spent_ms * (1 / SHOW_SHARE - 1);
    density->stale = !tone_equal(&show->tone, &density->tone);
    density->shown = show->complete && !density->stale;
    density->report.samples = show->samples;
    density->report.points = show->points;
    density->report.hit = show->hit;
    density->report.dirty = (struct rect){0, 0, density->width_px, density->height_px};
    density_job_shown(density->job);
}

/* Returns true if the target shows all counted samples. A change may have outdated a preview of
 * all. */
static bool all_shown(const struct cpu_density *density, const struct density_progress *progress) {
    return density->shown && density->report.samples == progress->samples;
}

/* Returns true if a preview may start. The final one may start if it is missing. An earlier one
 * must be due, with points (or after EMPTY_MS), and with new samples or another tone. */
static bool due(const struct cpu_density *density, const struct density_progress *progress,
                double now_ms) {
    if (progress->complete)
        return !all_shown(density, progress);
    const bool worth = progress->points > 0 || now_ms >= density->started_ms + EMPTY_MS;
    return now_ms >= density->due_ms && progress->worked_ms >= density->due_worked_ms && worth &&
           (density->stale || progress->samples > density->report.samples);
}

/* Does everything that is possible without waiting. */
static void advance(struct cpu_density *density, double deadline_ms) {
    struct density_progress progress = density_job_progress(density->job);
    if (progress.phase == SHOW_READY) {
        copy_show(density, deadline_ms);
        progress = density_job_progress(density->job);
    }
    if (progress.phase != SHOW_IDLE)
        return;
    const double now = clock_ms();
    if (progress.complete && (all_shown(density, &progress) || !density->target.rgba)) {
        density->report.samples = progress.samples;
        density->report.points = progress.points;
        density->report.state = BACKEND_DONE;
        density->busy = false;
    } else if (density->target.rgba && due(density, &progress, now)) {
        density->rows_copied = 0;
        density->due_ms = now + SHOW_MS;
        density->due_worked_ms = progress.worked_ms;
        density_job_show(density->job, &density->tone);
        worker_pool_call(density->pool, density_job_work(density->job));
    }
}

static bool news(const void *user) {
    const struct cpu_density *density = user;
    const struct density_progress progress = density_job_progress(density->job);
    return progress.phase == SHOW_READY || (progress.complete && progress.phase == SHOW_IDLE);
}

static void update_report(struct cpu_density *density) {
    struct backend_report *report = &density->report;
    const struct density_progress progress = density_job_progress(density->job);
    report->iterations = progress.steps;
    report->counted = progress.samples;
    report->progress = progress.wanted > 0 ? (double)progress.samples / (double)progress.wanted : 1;
    report->device_ms = progress.worked_ms / density->threads;
    report->elapsed_ms = clock_ms() - density->started_ms;
    if (!density->target.rgba) {
        report->samples = progress.samples;
        report->points = progress.points;
    }
}

void cpu_density_poll(struct cpu_density *density, double budget_ms) {
    const double end = clock_ms() + budget_ms;
    density->report.dirty = (struct rect){0};
    if (!density->busy)
        return;
    for (;;) {
        const double now = clock_ms();
        advance(density, now + COPY_MS > end ? now + COPY_MS : end);
        const double left = end - clock_ms();
        if (left <= 0 || !density->busy || density->report.dirty.x1 > 0)
            break;
        worker_pool_wait(density->pool, density_job_work(density->job), news, density,
                         density->target.rgba && left > LOOK_MS ? LOOK_MS : left);
    }
    update_report(density);
}
