/* GPU backend: implements the backend contract on the owner's thread, for any GPU. The driver's
 * thread does the work. */
#include "gpu/gpu_backend.h"
#include "gpu/driver.h"
#include "gpu/movie/device_resampler.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/grid/sharing.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TAKE_MS       2.0     /* [ms] copying time of a poll without a larger budget */
#define START_LOOK_NS 1000000 /* [ns] interval between two looks at a starting device */

struct gpu_backend {
    const struct device_impl *impl;
    struct driver *driver;
    bool want_gl;
    bool started;   /* the device is ready */
    bool gl;        /* supports GL buffers */
    bool mapped;    /* the target's GL buffer is mapped */
    bool uncleared; /* the target in host memory must be cleared where no row has arrived */
    int lose_after;
    bool busy;
    struct look look;               /* wanted appearance of the picture */
    uint64_t samples_wanted;        /* wanted number of samples (orbit density) */
    uint64_t submitted, recoloured; /* last picture's generation, before and after recolouring */
    struct target target;
    int width_px, height_px;
    double started_ms;
    struct backend_report report;
};

/* Creates a handle, which owns `driver`. Returns NULL on failure, or if `driver` is NULL; the
 * reason is logged. */
static void *create(struct driver *driver, bool want_gl, int lose_after) {
    struct gpu_backend *gpu = driver ? calloc(1, sizeof *gpu) : NULL;
    if (driver && !gpu) {
        log_error("not enough memory for a backend");
        driver_destroy(driver);
    }
    if (!gpu)
        return NULL;
    gpu->impl = driver->device.impl;
    gpu->driver = driver;
    gpu->want_gl = want_gl;
    gpu->lose_after = lose_after;
    return gpu;
}

void *gpu_backend_create(const struct device_impl *impl, int ordinal, const char *why,
                         const struct backend_options *options) {
    if (ordinal < 0) {
        log_error("backend %s cannot be used here: %s", impl->name, why);
        return NULL;
    }
    const struct device device = {
        .impl = impl,
        .ordinal = ordinal,
        .any = options->inexact,
    };
    return create(driver_create(&device), options->gl && impl->gl_open, options->lose_after);
}

void *gpu_backend_another(void *impl, enum backend_priority priority) {
    const struct gpu_backend *gpu = impl;
    return create(driver_create_another(gpu->driver, (int)priority), gpu->want_gl, gpu->lose_after);
}

/* Returns the driver's phase. Once the device is ready, attaches this thread to it: each call of a
 * handle may come from another thread. */
static enum driver_phase attach_when_ready(struct gpu_backend *gpu) {
    const enum driver_phase phase = driver_phase(gpu->driver);
    if (phase == DRIVER_STARTING || phase == DRIVER_LOST)
        return phase;
    gpu->impl->attach(&gpu->driver->device);
    if (!gpu->started) {
        gpu->gl = gpu->want_gl && gpu->impl->gl_open(&gpu->driver->device);
        gpu->started = true;
    }
    return phase;
}

void gpu_backend_info(void *impl, struct backend_info *info) {
    struct gpu_backend *gpu = impl;
    attach_when_ready(gpu);
    const struct device *device = &gpu->driver->device;
    const bool floats = gpu->started && device->floats, exact = !gpu->started || !device->inexact;
    *info = (struct backend_info){
        .name = gpu->impl->name,
        .device = gpu->started ? device->name : "",
        .types[ROUTE_DIRECT] = floats ? 1u << TYPE_FLOAT : (1u << TYPE_COUNT) - 1,
        .types[ROUTE_PERTURBED] = floats ? 0 : (1u << TYPE_DOUBLE | 1u << TYPE_WIDE),
        .formulas = FORMULAS_ALL,
        .ordinal = device->ordinal,
        .caps = (exact ? BACKEND_CAP_EXACT : 0) | BACKEND_CAP_LINES | BACKEND_CAP_COPIES |
                (gpu->gl ? BACKEND_CAP_GL_TARGET : 0),
        .ready = gpu->started,
    };
}

/* Maps the target's GL buffer and lends it to the driver's thread. */
static bool map(struct gpu_backend *gpu, uint32_t buffer, size_t bytes) {
    struct device_pointer rgba;
    struct device_event *mapped;
    gpu->mapped = gpu->impl->gl_map(&gpu->driver->device, buffer, bytes, &rgba, &mapped);
    if (gpu->mapped)
        pixel_buffer_lend(&gpu->driver->pixel_buffer, rgba, mapped);
    return gpu->mapped;
}

/* Unmaps the GL buffer. No launch that writes to it may be in flight. */
static void unmap(struct gpu_backend *gpu) {
    if (gpu->mapped)
        gpu->impl->gl_unmap(&gpu->driver->device);
    gpu->mapped = false;
}

void gpu_backend_cancel(void *impl) {
    struct gpu_backend *gpu = impl;
    attach_when_ready(gpu);
    driver_stop_job(gpu->driver);
    unmap(gpu);
    gpu->busy = false;
    gpu->report.state = BACKEND_IDLE;
}

void gpu_backend_destroy(void *impl) {
    struct gpu_backend *gpu = impl;
    gpu_backend_cancel(gpu);
    if (gpu->gl)
        gpu->impl->gl_close(&gpu->driver->device);
    driver_destroy(gpu->driver);
    free(gpu);
}

/* --- submitting --- */

/* Maps the target's GL buffer. Host memory needs no preparation. */
static bool map_target(struct gpu_backend *gpu, int width_px, int height_px,
                       const struct target *target) {
    const size_t bytes = (size_t)width_px * (size_t)height_px * sizeof(uint32_t);
    gpu->uncleared = !target->gl_buffer;
    if (gpu->uncleared)
        return true;
    if (!gpu->gl) {
        log_error("%s cannot draw to a buffer of this OpenGL context; use host memory",
                  gpu->impl->title);
        return false;
    }
    return map(gpu, target->gl_buffer, bytes);
}

/* Maps the GL buffer again if the last poll showed it. */
static bool remap_target(struct gpu_backend *gpu) {
    const size_t bytes = (size_t)gpu->width_px * (size_t)gpu->height_px * sizeof(uint32_t);
    return !gpu->target.gl_buffer || gpu->mapped || map(gpu, gpu->target.gl_buffer, bytes);
}

/* Reserves memory for a picture or for counts, if the device is ready. Returns false on failure;
 * the reason is logged. */
static bool reserve(struct gpu_backend *gpu, const struct driver_job *job, bool rgba) {
    struct driver *driver = gpu->driver;
    enum device_error error = DEVICE_OK;
    const bool room =
        !gpu->started ||
        (job->req ? device_buffers_reserve(&driver->buffers, job->req, rgba, &error)
                  : density_buffers_reserve(&driver->run.buffers, job->input.req, rgba, &error));
    if (error != DEVICE_OK)
        log_error("cannot allocate GPU memory: %s; use another --backend",
                  gpu->impl->error_text(error));
    return room;
}

/* Makes a job with its own copy of the request, and decides whether the job can keep samples.
 * Returns false if memory is lacking, which is logged. */
static bool make_job(struct gpu_backend *gpu, const struct frame_req *req,
                     const struct target *target, struct driver_job *job) {
    const struct frame_req *stored = gpu->started ? gpu->driver->buffers.req : NULL;
    *job = (struct driver_job){
        .work = DRIVER_DRAW,
        .req = malloc(sizeof *job->req),
        .gl = target->gl_buffer != 0,
        .planes = sample_planes_set(&target->planes),
    };
    if (!job->req) {
        log_error("not enough memory for a request");
        return false;
    }
    frame_req_init_copy(job->req, req);
    /* All samples count as final with limit 0, even missing ones. */
    if (!req->reuse || req->limit == 0 || !stored)
        return true;
    struct frame_req from = *stored;
    from.generation = from.generation == gpu->submitted ? gpu->recoloured : from.generation;
    job->by_lines = sharing_by_lines(&from, req);
    job->keep = job->by_lines || sharing_by_map(&from, req, &job->map);
    return true;
}

static bool may_submit(struct gpu_backend *gpu) {
    gpu_backend_cancel(gpu);
    if (attach_when_ready(gpu) != DRIVER_LOST)
        return true;
    log_error("the GPU is lost; use another --backend");
    return false;
}

/* Starts the job. */
static void start_job(struct gpu_backend *gpu, const struct driver_job *job, uint64_t generation) {
    gpu->busy = true;
    gpu->started_ms = clock_ms();
    gpu->report = (struct backend_report){.state = BACKEND_BUSY, .generation = generation};
    driver_start_job(gpu->driver, job);
}

/* Reserves memory and maps the target (may be NULL) for a job. On failure, frees the job. */
static bool prepare_job(struct gpu_backend *gpu, struct driver_job *job, int width_px,
                        int height_px, const struct target *target) {
    if (!reserve(gpu, job, target && target->rgba) ||
        (target && !map_target(gpu, width_px, height_px, target))) {
        driver_job_finish(job);
        return false;
    }
    job->keep =
        /* The reservation may have freed the stored picture. */
        job->keep && gpu->driver->buffers.req;
    gpu->target = target ? *target : (struct target){0};
    gpu->width_px = width_px;
    gpu->height_px = height_px;
    job->inject_loss = ++gpu->driver->shared->submits >= gpu->lose_after && gpu->lose_after > 0;
    return true;
}

bool gpu_backend_submit(void *impl, const struct frame_req *req, const struct target *target) {
    struct gpu_backend *gpu = impl;
    struct driver_job job;
    if (!may_submit(gpu) || !make_job(gpu, req, target, &job))
        return false;
    if (!prepare_job(gpu, &job, req->width_px, req->height_px, target))
        return false;
    gpu->look = (struct look){.colouring = req->colouring};
    gpu->submitted = gpu->recoloured = req->generation;
    start_job(gpu, &job, req->generation);
    return true;
}

/* Changes the current job; if it is complete, continues the picture in the target that was lent
 * before. */
static bool change_job(struct gpu_backend *gpu) {
    const struct driver_job job = {
        .work = gpu->look.orbit_density ? DRIVER_COUNT : DRIVER_DRAW,
        .gl = gpu->target.gl_buffer != 0,
        .input = {.show = gpu->target.rgba || gpu->target.gl_buffer},
    };
    if (driver_change_job(gpu->driver, &gpu->look, gpu->samples_wanted))
        return true;
    if (!remap_target(gpu))
        return false;
    start_job(gpu, &job, gpu->report.generation);
    return true;
}

bool gpu_backend_recolour(void *impl, uint64_t from, uint64_t generation,
                          const struct look *wanted) {
    struct gpu_backend *gpu = impl;
    const struct backend_report *report = &gpu->report;
    if ((report->state != BACKEND_BUSY && report->state != BACKEND_DONE) ||
        report->generation != from || gpu->look.orbit_density != wanted->orbit_density ||
        attach_when_ready(gpu) == DRIVER_LOST)
        return false;
    gpu->look = *wanted;
    gpu->recoloured = wanted->orbit_density ? gpu->recoloured : generation;
    gpu->report.generation = generation;
    return change_job(gpu);
}

/* --- counting --- */

/* Copies the counts that the caller lends. */
static bool copy_start(struct density_run_input *input, const struct density_counts *start) {
    const size_t size = (size_t)start->planes * (size_t)start->height * (size_t)start->width;
    input->start = memory_alloc(size * sizeof *input->start, "counts to go on from");
    if (!input->start)
        return false;
    memcpy(input->start, start->count, size * sizeof *input->start);
    input->start_samples = start->samples;
    input->start_points = start->points;
    return true;
}

static bool make_count_job(const struct density_req *req, const struct target *target,
                           struct driver_job *job) {
    *job = (struct driver_job){
        .work = DRIVER_COUNT,
        .gl = target && target->gl_buffer,
        .input = {.req = malloc(sizeof *job->input.req), .show = target},
    };
    if (!job->input.req) {
        log_error("not enough memory for a request");
        return false;
    }
    density_req_init_copy(job->input.req, req);
    if (!req->start || copy_start(&job->input, req->start))
        return true;
    driver_job_finish(job);
    return false;
}

static bool count_submit(void *impl, const struct density_req *req, const struct target *target) {
    struct gpu_backend *gpu = impl;
    struct driver_job job;
    if (!may_submit(gpu) || !make_count_job(req, target, &job))
        return false;
    if (!prepare_job(gpu, &job, req->width_px, req->height_px, target))
        return false;
    gpu->look = (struct look){.orbit_density = true, .tone = req->tone};
    gpu->samples_wanted = req->samples;
    start_job(gpu, &job, req->generation);
    return true;
}

static bool count_set_samples(void *impl, uint64_t samples) {
    struct gpu_backend *gpu = impl;
    if (attach_when_ready(gpu) == DRIVER_LOST || !gpu->look.orbit_density)
        return false;
    gpu->samples_wanted = samples;
    return change_job(gpu);
}

static bool count_read(void *impl, struct density_counts *counts) {
    struct gpu_backend *gpu = impl;
    const struct density_run *run = &gpu->driver->run;
    if (attach_when_ready(gpu) != DRIVER_IDLE || !gpu->look.orbit_density || !run->complete) {
        log_error("there are no counts to read");
        return false;
    }
    struct device_queue *queue = gpu->driver->slices.queue;
    enum device_error error = gpu->impl->download(queue, counts->count, run->buffers.counts.total,
                                                  run->buffers.counts.size * sizeof *counts->count);
    if (error == DEVICE_OK)
        error = gpu->impl->queue_drain(queue);
    if (error != DEVICE_OK) {
        log_error("cannot read the counts from the GPU: %s", gpu->impl->error_text(error));
        return false;
    }
    counts->samples = run->rounds.clumps * CLUMP_SAMPLES;
    counts->points = run->points;
    return true;
}

const struct backend_density gpu_backend_density = {
    .submit = count_submit,
    .set_samples = count_set_samples,
    .read = count_read,
};

/* --- movies --- */

static struct device_resampler *create_resampler(void *impl, const struct resample_format *format) {
    struct gpu_backend *gpu = impl;
    enum driver_phase phase;
    while ((phase = attach_when_ready(gpu)) == DRIVER_STARTING)
        nanosleep(&(struct timespec){.tv_nsec = START_LOOK_NS}, NULL);
    return phase == DRIVER_IDLE ? device_resampler_create(&gpu->driver->slices, format) : NULL;
}

const struct backend_resampler gpu_backend_resampler = {
    .create = create_resampler,
    .begin = device_resampler_begin,
    .take = device_resampler_take,
    .destroy = device_resampler_destroy,
};

/* --- polling --- */

static struct rect whole_picture(const struct gpu_backend *gpu) {
    return (struct rect){0, 0, gpu->width_px, gpu->height_px};
}

static bool has_results(const struct gpu_backend *gpu) {
    const struct driver *driver = gpu->driver;
    if (driver->phase == DRIVER_STARTING)
        return false;
    return driver->phase == DRIVER_LOST || driver->complete ||
           readback_has_chunk(&driver->readback) ||
           (gpu->target.gl_buffer && driver->pixel_buffer.holder == PIXEL_BUFFER_OFFERED);
}

static void wait_for_results(struct gpu_backend *gpu, double until_ms) {
    pthread_mutex_lock(&gpu->driver->handoff.lock);
    while (!has_results(gpu) && driver_wait_results(gpu->driver, until_ms))
        continue;
    pthread_mutex_unlock(&gpu->driver->handoff.lock);
}

static void report_drawn(struct gpu_backend *gpu, const struct progress *progress) {
    struct backend_report *report = &gpu->report;
    report->iterations = progress->iterations;
    report->skipped = progress->skipped;
    report->kept = progress->kept;
    report->progress = (double)progress->samples / ((double)gpu->width_px * gpu->height_px);
    report->device_ms = progress->device_ms;
}

/* Reports the samples that the target shows, or all samples once the picture is complete. */
static void report_counted(struct gpu_backend *gpu, const struct density_run_progress *progress,
                           bool done) {
    struct backend_report *report = &gpu->report;
    const bool shown = gpu->target.rgba || gpu->target.gl_buffer;
    const bool updated = report->dirty.x0 < report->dirty.x1;
    if (done || !shown || updated) {
        const struct density_run_extent *extent =
            done || !shown ? &progress->done : &progress->shown;
        report->samples = extent->samples;
        report->points = extent->points;
        report->hit = extent->hit;
    }
    const double part = (double)report->samples / (double)gpu->samples_wanted;
    report->progress = gpu->samples_wanted == UINT64_MAX || !(part > 0) ? 0 : part < 1 ? part : 1;
    report->counted = progress->done.samples;
    report->iterations = progress->iterations;
    report->device_ms = progress->device_ms;
}

/* Clears the rows that have not arrived, so that a partial picture never shows rows of an older
 * one. Most pictures are complete before this is needed. */
static void clear_rest(struct gpu_backend *gpu, uint64_t samples) {
    const struct rect *arrived = &gpu->report.dirty;
    const size_t row = (size_t)gpu->width_px * sizeof(uint32_t);
    const bool all = samples == (uint64_t)gpu->width_px * (uint64_t)gpu->height_px;
    if (!gpu->uncleared || arrived->y0 >= arrived->y1 || (all && !gpu->look.orbit_density))
        return;
    memset(gpu->target.rgba, 0, (size_t)arrived->y0 * row);
    memset((char *)gpu->target.rgba + (size_t)arrived->y1 * row, 0,
           (size_t)(gpu->height_px - arrived->y1) * row);
    gpu->uncleared = false;
}

/* Takes the results of the driver's thread. */
static void collect(struct gpu_backend *gpu, double deadline_ms) {
    struct driver *driver = gpu->driver;
    struct backend_report *report = &gpu->report;
    readback_take(&driver->readback, &gpu->target, deadline_ms, &report->dirty);
    if (gpu->target.gl_buffer && pixel_buffer_take(&driver->pixel_buffer)) {
        unmap(gpu);
        report->dirty = whole_picture(gpu);
    }
    pthread_mutex_lock(&driver->handoff.lock);
    const struct progress drawn = driver->progress;
    const struct density_run_progress density_progress = driver->density_progress;
    const bool done = driver->complete && !readback_has_chunk(&driver->readback);
    pthread_mutex_unlock(&driver->handoff.lock);
    clear_rest(gpu, drawn.samples);
    if (gpu->look.orbit_density && report->dirty.x0 < report->dirty.x1)
        report->dirty = whole_picture(gpu);
    if (gpu->look.orbit_density)
        report_counted(gpu, &density_progress, done);
    else
        report_drawn(gpu, &drawn);
    report->elapsed_ms = clock_ms() - gpu->started_ms;
    if (!done)
        return;
    if (gpu->target.gl_buffer) {
        unmap(gpu);
        report->dirty = whole_picture(gpu);
    }
    report->state = BACKEND_DONE;
    report->progress = 1;
    gpu->busy = false;
}

static void report_loss(struct gpu_backend *gpu) {
    unmap(gpu);
    gpu->report.state = BACKEND_LOST;
    gpu->busy = false;
}

void gpu_backend_poll(void *impl, double budget_ms, struct backend_report *report) {
    struct gpu_backend *gpu = impl;
    const double start = clock_ms();
    gpu->report.dirty = (struct rect){0};
    if (gpu->busy && attach_when_ready(gpu) != DRIVER_LOST && !remap_target(gpu)) {
        driver_stop_job(gpu->driver);
        report_loss(gpu);
    }
    if (gpu->busy && budget_ms > 0)
        wait_for_results(gpu, start + budget_ms);
    const enum driver_phase phase = attach_when_ready(gpu);
    if (phase == DRIVER_LOST)
        report_loss(gpu);
    else if (gpu->busy && phase == DRIVER_STARTING)
        gpu->report.elapsed_ms = clock_ms() - gpu->started_ms;
    else if (gpu->busy)
        collect(gpu, start + (budget_ms > TAKE_MS ? budget_ms : TAKE_MS));
    *report = gpu->report;
}

void gpu_backend_statistics(void *impl, struct statistics *out) {
    const struct gpu_backend *gpu = impl;
    *out = *gpu->driver->statistics.host;
    out->pixels = (uint64_t)gpu->width_px * (uint64_t)gpu->height_px;
}
