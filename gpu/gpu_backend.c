/* The CUDA backend: the contract, kept on the owner's thread; the driver's thread does the work. */
#include "cuda/cuda_backend.h"
#include "cuda/interop.h"
#include "gpu/driver.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include <stdlib.h>
#include <string.h>

#define TAKE_MS 2.0 /* how long a poll may copy when it has no other budget */

struct cuda_backend {
    struct driver *driver;
    struct interop interop;
    bool want_gl;
    bool started; /* the device is ready, and this thread is set up to use it */
    bool gl;      /* takes GL buffers */
    int lose_after, submits;
    bool busy;
    bool counting;   /* orbits, and not drawing a picture */
    uint64_t wanted; /* samples, when counting */
    struct target target;
    int width_px, height_px;
    double started_ms;
    struct backend_report report;
};

static bool usable(const struct backend_options *options, const char **why) {
    return cuda_device_choose(options->device, why) >= 0;
}

static void *create(const struct backend_options *options) {
    const char *why = NULL;
    const int ordinal = cuda_device_choose(options->device, &why);
    if (ordinal < 0) {
        log_error("backend cuda cannot be used here: %s", why);
        return NULL;
    }
    struct cuda_backend *cuda = calloc(1, sizeof *cuda);
    if (!cuda) {
        log_error("not enough memory for a backend");
        return NULL;
    }
    cuda->want_gl = options->gl;
    cuda->lose_after = options->lose_after;
    cuda->driver = driver_create(ordinal);
    if (!cuda->driver) {
        free(cuda);
        return NULL;
    }
    return cuda;
}

/* Once the device is ready, sets up this thread to use it too. */
static enum driver_phase look(struct cuda_backend *cuda) {
    const enum driver_phase phase = driver_phase(cuda->driver);
    if (!cuda->started && phase != DRIVER_STARTING && phase != DRIVER_LOST) {
        cudaSetDevice(cuda->driver->ordinal);
        cuda->gl = cuda->want_gl && interop_init(&cuda->interop, cuda->driver->ordinal);
        cuda->started = true;
    }
    return phase;
}

static void info(void *impl, struct backend_info *info) {
    struct cuda_backend *cuda = impl;
    look(cuda);
    *info = (struct backend_info){
        .name = "cuda",
        .device = cuda->started ? cuda->driver->device.name : "",
        .types = 1u << TYPE_FLOAT | 1u << TYPE_DOUBLE,
        .formulas = (1u << FORMULA_COUNT) - 1,
        .methods = 1u << METHOD_TILES | 1u << METHOD_ROWS | 1u << METHOD_DEEPEN,
        .caps = BACKEND_CAP_EXACT | (cuda->gl ? BACKEND_CAP_GL_TARGET : 0),
        .ready = cuda->started,
    };
}

static void cancel(void *impl) {
    struct cuda_backend *cuda = impl;
    look(cuda);
    driver_stop_job(cuda->driver);
    interop_unmap(&cuda->interop);
    cuda->busy = false;
    cuda->report.state = BACKEND_IDLE;
}

static void destroy(void *impl) {
    struct cuda_backend *cuda = impl;
    cancel(cuda);
    interop_finish(&cuda->interop);
    driver_destroy(cuda->driver);
    free(cuda);
}

/* --- submitting --- */

/* Maps the target as far as that is possible before the device is ready. */
static bool lend(struct cuda_backend *cuda, int width_px, int height_px,
                 const struct target *target) {
    const size_t bytes = (size_t)width_px * (size_t)height_px * sizeof(uint32_t);
    if (!target->gl_buffer) {
        memset(target->rgba, 0, bytes);
        return true;
    }
    if (!cuda->gl) {
        log_error("CUDA cannot draw to a buffer of this OpenGL context; use host memory");
        return false;
    }
    uint32_t *rgba;
    if (!interop_map(&cuda->interop, target->gl_buffer, bytes, &rgba))
        return false;
    pixel_buffer_give(&cuda->driver->pixel_buffer, rgba, cuda->interop.mapped_event);
    return true;
}

/* Maps the buffer again that the last poll let be seen. */
static bool regain(struct cuda_backend *cuda) {
    const size_t bytes = (size_t)cuda->width_px * (size_t)cuda->height_px * sizeof(uint32_t);
    uint32_t *rgba;
    if (!cuda->target.gl_buffer || cuda->interop.mapped)
        return true;
    if (!interop_map(&cuda->interop, cuda->target.gl_buffer, bytes, &rgba))
        return false;
    pixel_buffer_give(&cuda->driver->pixel_buffer, rgba, cuda->interop.mapped_event);
    return true;
}

/* Makes room for a picture, once the device is ready. */
static bool reserve(struct cuda_backend *cuda, const struct frame_req *req,
                    const struct target *target) {
    cudaError_t error = cudaSuccess;
    if (!cuda->started || device_buffers_reserve(&cuda->driver->buffers, req, target->rgba, &error))
        return true;
    if (error != cudaSuccess)
        log_error("cannot allocate GPU memory: %s; use another --backend",
                  cudaGetErrorString(error));
    return false;
}

/* The job's own copy of the request, and whether it can keep what is there. */
static bool make_job(struct cuda_backend *cuda, const struct frame_req *req,
                     const struct target *target, struct driver_job *job) {
    const struct frame_req *stored = cuda->started ? cuda->driver->buffers.req : NULL;
    *job = (struct driver_job){
        .work = DRIVER_DRAW,
        .req = malloc(sizeof *job->req),
        .gl = target->gl_buffer != 0,
        .want_count = target->count,
        .want_fraction = target->fraction,
        .lose = cuda->lose_after > 0 && cuda->submits + 1 >= cuda->lose_after,
    };
    if (!job->req) {
        log_error("not enough memory for a request");
        return false;
    }
    frame_req_init_copy(job->req, req);
    job->keep =
        req->reuse && stored && frame_req_shares_samples(stored, req, &job->shift_x, &job->shift_y);
    return true;
}

static bool may_submit(struct cuda_backend *cuda) {
    cancel(cuda);
    if (look(cuda) != DRIVER_LOST)
        return true;
    log_error("the GPU is lost; use another --backend");
    return false;
}

/* The job is under way from now on. */
static void go(struct cuda_backend *cuda, const struct driver_job *job, uint64_t generation) {
    cuda->busy = true;
    cuda->counting = job->work == DRIVER_COUNT;
    cuda->started_ms = clock_ms();
    cuda->report = (struct backend_report){.state = BACKEND_BUSY, .generation = generation};
    driver_start_job(cuda->driver, job);
}

static bool submit(void *impl, const struct frame_req *req, const struct target *target) {
    struct cuda_backend *cuda = impl;
    struct driver_job job;
    if (!may_submit(cuda) || !make_job(cuda, req, target, &job))
        return false;
    if (!reserve(cuda, req, target) || !lend(cuda, req->width_px, req->height_px, target)) {
        driver_job_finish(&job);
        return false;
    }
    cuda->target = *target;
    cuda->width_px = req->width_px;
    cuda->height_px = req->height_px;
    cuda->submits++;
    go(cuda, &job, req->generation);
    return true;
}

/* --- counting --- */

/* The order's own copy of what is lent. */
static bool copy_start(struct density_run_order *order, const struct density_counts *start) {
    const size_t size = (size_t)start->planes * (size_t)start->height * (size_t)start->width;
    order->start = memory_alloc(size * sizeof *order->start, "counts to go on from");
    if (!order->start)
        return false;
    memcpy(order->start, start->count, size * sizeof *order->start);
    order->start_samples = start->samples;
    order->start_points = start->points;
    return true;
}

static bool make_count_job(struct cuda_backend *cuda, const struct density_req *req,
                           const struct target *target, struct driver_job *job) {
    *job = (struct driver_job){
        .work = DRIVER_COUNT,
        .gl = target && target->gl_buffer,
        .lose = cuda->lose_after > 0 && cuda->submits + 1 >= cuda->lose_after,
        .order = {.req = malloc(sizeof *job->order.req), .show = target},
    };
    if (!job->order.req) {
        log_error("not enough memory for a request");
        return false;
    }
    density_req_init_copy(job->order.req, req);
    if (!req->start || copy_start(&job->order, req->start))
        return true;
    driver_job_finish(job);
    return false;
}

/* The same for counts. */
static bool reserve_counts(struct cuda_backend *cuda, const struct density_req *req, bool rgba) {
    cudaError_t error = cudaSuccess;
    if (!cuda->started || density_buffers_reserve(&cuda->driver->run.buffers, req, rgba, &error))
        return true;
    if (error != cudaSuccess)
        log_error("cannot allocate GPU memory: %s; use another --backend",
                  cudaGetErrorString(error));
    return false;
}

static bool count_submit(void *impl, const struct density_req *req, const struct target *target) {
    struct cuda_backend *cuda = impl;
    struct driver_job job;
    if (!may_submit(cuda) || !make_count_job(cuda, req, target, &job))
        return false;
    if (!reserve_counts(cuda, req, target && target->rgba) ||
        (target && !lend(cuda, req->width_px, req->height_px, target))) {
        driver_job_finish(&job);
        return false;
    }
    cuda->target = target ? *target : (struct target){0};
    cuda->width_px = req->width_px;
    cuda->height_px = req->height_px;
    cuda->wanted = req->samples;
    cuda->submits++;
    go(cuda, &job, req->generation);
    return true;
}

/* Goes on with what is complete, in the target as it was lent before. */
static bool count_on(struct cuda_backend *cuda, const struct tone *tone, uint64_t samples) {
    struct driver *driver = cuda->driver;
    const bool shown = cuda->target.rgba || cuda->target.gl_buffer;
    const struct driver_job job = {
        .work = DRIVER_COUNT, .gl = cuda->target.gl_buffer != 0, .order = {.show = shown}};
    if (!driver->run.complete || !regain(cuda))
        return false;
    driver->wish = (struct density_run_wish){.there = true, .tone = *tone, .samples = samples};
    go(cuda, &job, cuda->report.generation);
    return true;
}

static bool count_change(void *impl, const struct tone *tone, uint64_t samples) {
    struct cuda_backend *cuda = impl;
    const enum driver_phase phase = look(cuda);
    if (phase == DRIVER_LOST || !cuda->counting)
        return false;
    cuda->wanted = samples;
    return driver_wish(cuda->driver, tone, samples) || count_on(cuda, tone, samples);
}

static bool count_read(void *impl, struct density_counts *counts) {
    struct cuda_backend *cuda = impl;
    const struct density_run *run = &cuda->driver->run;
    if (look(cuda) != DRIVER_IDLE || !cuda->counting || !run->complete) {
        log_error("there are no counts to read");
        return false;
    }
    const cudaError_t error =
        cudaMemcpy(counts->count, run->buffers.counts.total,
                   run->buffers.counts.size * sizeof *counts->count, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        log_error("cannot read the counts from the GPU: %s", cudaGetErrorString(error));
        return false;
    }
    counts->samples = run->rounds.clumps * CLUMP_SAMPLES;
    counts->points = run->points;
    return true;
}

static const struct backend_density density = {
    .submit = count_submit,
    .change = count_change,
    .read = count_read,
};

/* --- polling --- */

static struct rect whole(const struct cuda_backend *cuda) {
    return (struct rect){0, 0, cuda->width_px, cuda->height_px};
}

static bool has_news(const struct cuda_backend *cuda) {
    const struct driver *driver = cuda->driver;
    if (driver->phase == DRIVER_STARTING)
        return false;
    return driver->phase == DRIVER_LOST || driver->complete ||
           readback_has_news(&driver->readback) ||
           (cuda->target.gl_buffer && driver->pixel_buffer.holder == PIXEL_BUFFER_OFFERED);
}

static void wait_for_news(struct cuda_backend *cuda, double until_ms) {
    struct meeting *meeting = &cuda->driver->meeting;
    pthread_mutex_lock(&meeting->lock);
    while (!has_news(cuda) && meeting_wait_news(meeting, until_ms))
        continue;
    pthread_mutex_unlock(&meeting->lock);
}

static void report_drawn(struct cuda_backend *cuda, const struct progress *progress) {
    struct backend_report *report = &cuda->report;
    report->iterations = progress->iterations;
    report->skipped = progress->skipped;
    report->kept = progress->kept;
    report->progress = (double)progress->samples / ((double)cuda->width_px * cuda->height_px);
    report->device_ms = progress->device_ms;
}

/* Of a picture under way, what its target shows. */
static void report_counted(struct cuda_backend *cuda, const struct density_run_progress *progress,
                           bool done) {
    struct backend_report *report = &cuda->report;
    const bool shown = cuda->target.rgba || cuda->target.gl_buffer;
    const bool news = report->dirty.x0 < report->dirty.x1;
    if (done || !shown || news) {
        const struct density_run_extent *extent =
            done || !shown ? &progress->done : &progress->shown;
        report->samples = extent->samples;
        report->points = extent->points;
    }
    const double part = (double)report->samples / (double)cuda->wanted;
    report->progress = cuda->wanted == UINT64_MAX || !(part > 0) ? 0 : part < 1 ? part : 1;
    report->iterations = progress->iterations;
    report->device_ms = progress->device_ms;
}

/* Takes what the driver's thread has finished. */
static void collect(struct cuda_backend *cuda, double deadline_ms) {
    struct driver *driver = cuda->driver;
    struct backend_report *report = &cuda->report;
    readback_take(&driver->readback, &cuda->target, deadline_ms, &report->dirty);
    if (cuda->target.gl_buffer && pixel_buffer_take(&driver->pixel_buffer)) {
        interop_unmap(&cuda->interop);
        report->dirty = whole(cuda);
    }
    if (cuda->counting && report->dirty.x0 < report->dirty.x1)
        report->dirty = whole(cuda);
    pthread_mutex_lock(&driver->meeting.lock);
    const struct progress drawn = driver->progress;
    const struct density_run_progress counted = driver->counted;
    const bool done = driver->complete && !readback_has_news(&driver->readback);
    pthread_mutex_unlock(&driver->meeting.lock);
    if (cuda->counting)
        report_counted(cuda, &counted, done);
    else
        report_drawn(cuda, &drawn);
    report->elapsed_ms = clock_ms() - cuda->started_ms;
    if (!done)
        return;
    if (cuda->target.gl_buffer) {
        interop_unmap(&cuda->interop);
        report->dirty = whole(cuda);
    }
    report->state = BACKEND_DONE;
    report->progress = 1;
    cuda->busy = false;
}

static void report_loss(struct cuda_backend *cuda) {
    interop_unmap(&cuda->interop);
    cuda->report.state = BACKEND_LOST;
    cuda->busy = false;
}

static void poll(void *impl, double budget_ms, struct backend_report *report) {
    struct cuda_backend *cuda = impl;
    const double start = clock_ms();
    cuda->report.dirty = (struct rect){0};
    if (cuda->busy && look(cuda) != DRIVER_LOST && !regain(cuda)) {
        driver_stop_job(cuda->driver);
        report_loss(cuda);
    }
    if (cuda->busy && budget_ms > 0)
        wait_for_news(cuda, start + budget_ms);
    const enum driver_phase phase = look(cuda);
    if (phase == DRIVER_LOST)
        report_loss(cuda);
    else if (cuda->busy && phase == DRIVER_STARTING)
        cuda->report.elapsed_ms = clock_ms() - cuda->started_ms;
    else if (cuda->busy)
        collect(cuda, start + (budget_ms > TAKE_MS ? budget_ms : TAKE_MS));
    *report = cuda->report;
}

static void read_statistics(void *impl, struct statistics *out) {
    const struct cuda_backend *cuda = impl;
    *out = *cuda->driver->statistics.host;
    out->pixels = (uint64_t)cuda->width_px * (uint64_t)cuda->height_px;
}

const struct backend_impl backend_cuda = {
    .name = "cuda",
    .automatic = true,
    .usable = usable,
    .create = create,
    .destroy = destroy,
    .info = info,
    .submit = submit,
    .poll = poll,
    .cancel = cancel,
    .statistics = read_statistics,
    .density = &density,
};
