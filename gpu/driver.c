/* The driver's thread and how it is talked to. */
#include "gpu/driver.h"
#include "render/base/log.h"
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

/* --- the thread --- */

void driver_job_finish(struct driver_job *job) {
    if (job->req) {
        frame_req_finish(job->req);
        free(job->req);
    }
    density_run_order_finish(&job->order);
    *job = (struct driver_job){0};
}

/* False: there is a wish that came too late for the job, but before it is complete. */
static bool end_job(struct driver *driver, bool complete, enum driver_phase phase) {
    pthread_mutex_lock(&driver->meeting.lock);
    const bool ends = !complete || !driver->wish.there;
    if (ends) {
        driver->complete = complete;
        driver->phase = phase;
        driver->wish.there = false;
        pthread_cond_signal(&driver->meeting.news);
    }
    pthread_mutex_unlock(&driver->meeting.lock);
    return ends;
}

static void lose(struct driver *driver, const char *what, cudaError_t error) {
    log_error("the GPU %s: %s; use another --backend until it is back", what,
              cudaGetErrorString(error));
    end_job(driver, false, DRIVER_LOST);
}

static cudaError_t init_abort(struct driver *driver) {
    cudaError_t error = cudaMalloc((void **)&driver->abort, sizeof *driver->abort);
    if (error == cudaSuccess)
        error = cudaMallocHost((void **)&driver->abort_serial, sizeof *driver->abort_serial);
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&driver->abort_stream, cudaStreamNonBlocking);
    if (error == cudaSuccess)
        error = cudaMemsetAsync(driver->abort, 0, sizeof *driver->abort, driver->abort_stream);
    return error == cudaSuccess ? cudaStreamSynchronize(driver->abort_stream) : error;
}

static void init_census(struct driver *driver) {
    driver->run = (struct density_run){
        .slices = &driver->slices,
        .pixel_buffer = &driver->pixel_buffer,
        .readback = &driver->readback,
        .meeting = &driver->meeting,
        .wish = &driver->wish,
        .progress = &driver->counted,
        .abort = driver->abort,
        .threads = driver->device.threads,
    };
}

static bool start(struct driver *driver) {
    cudaError_t error = device_start(&driver->device, driver->ordinal);
    if (error == cudaSuccess)
        error = init_abort(driver);
    if (error == cudaSuccess)
        error = device_statistics_init(&driver->statistics);
    if (error == cudaSuccess)
        error = readback_init(&driver->readback, &driver->meeting);
    if (error == cudaSuccess && !slices_init(&driver->slices, &driver->stop))
        error = driver->slices.error;
    pixel_buffer_init(&driver->pixel_buffer, &driver->meeting, &driver->readback, &driver->slices);
    init_census(driver);
    if (error != cudaSuccess)
        lose(driver, "does not start", error);
    return error == cudaSuccess;
}

/* The owner may look at the readback until it has noticed that the device is lost. */
static void wait_to_quit(struct driver *driver) {
    pthread_mutex_lock(&driver->meeting.lock);
    while (!driver->quit)
        pthread_cond_wait(&driver->meeting.work, &driver->meeting.lock);
    pthread_mutex_unlock(&driver->meeting.lock);
}

static void finish(struct driver *driver) {
    device_buffers_finish(&driver->buffers);
    device_statistics_finish(&driver->statistics);
    density_run_finish(&driver->run);
    slices_finish(&driver->slices);
    readback_finish(&driver->readback);
    cudaFree(driver->abort);
    cudaFreeHost(driver->abort_serial);
    if (driver->abort_stream)
        cudaStreamDestroy(driver->abort_stream);
}

/* Sleeps until there is a job; false: quit. */
static bool next_job(struct driver *driver, struct driver_job *job) {
    pthread_mutex_lock(&driver->meeting.lock);
    while (!driver->quit && driver->job.work == DRIVER_NOTHING)
        pthread_cond_wait(&driver->meeting.work, &driver->meeting.lock);
    const bool found = !driver->quit;
    if (found) {
        *job = driver->job;
        driver->job = (struct driver_job){0};
        driver->phase = DRIVER_BUSY;
        driver->serial++;
    }
    pthread_mutex_unlock(&driver->meeting.lock);
    return found;
}

static bool draw(struct driver *driver, const struct driver_job *job) {
    struct device_picture deepen = {
        .slices = &driver->slices,
        .buffers = &driver->buffers,
        .pixel_buffer = &driver->pixel_buffer,
        .readback = &driver->readback,
        .statistics = &driver->statistics,
        .meeting = &driver->meeting,
        .progress = &driver->progress,
        .budget = &driver->paces[job->req->type][job->req->arithmetic],
        .threads = driver->device.threads,
        .abort = driver->abort,
        .serial = driver->serial,
        .req = job->req,
        .keep = job->keep,
        .shift_x = job->shift_x,
        .shift_y = job->shift_y,
        .gl = job->gl,
        .want_count = job->want_count,
        .want_fraction = job->want_fraction,
    };
    return device_picture_run(&deepen);
}

/* The store takes the request over once it has samples of it. */
static bool draw_job(struct driver *driver, struct driver_job *job, bool *room) {
    cudaError_t error;
    *room = device_buffers_reserve(&driver->buffers, job->req, !job->gl, &error);
    slices_ok(&driver->slices, error);
    const bool complete = *room && draw(driver, job);
    if (driver->buffers.req == job->req)
        job->req = NULL;
    return complete;
}

static bool count_job(struct driver *driver, struct driver_job *job, bool *room) {
    return density_run_run(&driver->run, &job->order, job->gl, driver->serial, room);
}

/* False: the device is lost, or has no memory for a picture that was submitted before this could be
 * known. */
static bool run_job(struct driver *driver, struct driver_job *job) {
    struct slices *slices = &driver->slices;
    bool complete, room = true;
    if (job->lose)
        slices_ok(slices, cudaErrorDevicesUnavailable);
    do
        complete =
            !job->lose && (job->work == DRIVER_DRAW ? draw_job : count_job)(driver, job, &room);
    while (slices->error == cudaSuccess &&
           !end_job(driver, complete, room ? DRIVER_IDLE : DRIVER_LOST));
    driver_job_finish(job);
    if (slices->error != cudaSuccess)
        lose(driver, "failed", slices->error);
    return room && slices->error == cudaSuccess;
}

static void *run(void *user) {
    struct driver *driver = user;
    struct driver_job job;
    if (start(driver)) {
        end_job(driver, false, DRIVER_IDLE);
        while (next_job(driver, &job) && run_job(driver, &job))
            continue;
    }
    wait_to_quit(driver);
    finish(driver);
    mpfr_free_cache();
    return NULL;
}

/* --- the owner's side --- */

struct driver *driver_create(int ordinal) {
    struct driver *driver = calloc(1, sizeof *driver);
    if (!driver) {
        log_error("not enough memory for a backend");
        return NULL;
    }
    driver->ordinal = ordinal;
    atomic_init(&driver->stop, false);
    for (int type = 0; type < TYPE_COUNT; type++)
        for (int arithmetic = 0; arithmetic < ARITHMETIC_COUNT; arithmetic++)
            launch_budget_init(&driver->paces[type][arithmetic]);
    meeting_init(&driver->meeting);
    const int failed = pthread_create(&driver->thread, NULL, run, driver);
    if (failed) {
        log_error("cannot start a thread: %s", strerror(failed));
        meeting_finish(&driver->meeting);
        free(driver);
        return NULL;
    }
    return driver;
}

void driver_destroy(struct driver *driver) {
    if (!driver)
        return;
    driver_stop_job(driver);
    pthread_mutex_lock(&driver->meeting.lock);
    driver->quit = true;
    pthread_cond_signal(&driver->meeting.work);
    pthread_mutex_unlock(&driver->meeting.lock);
    pthread_join(driver->thread, NULL);
    meeting_finish(&driver->meeting);
    free(driver);
}

enum driver_phase driver_phase(struct driver *driver) {
    pthread_mutex_lock(&driver->meeting.lock);
    const enum driver_phase phase = driver->phase;
    pthread_mutex_unlock(&driver->meeting.lock);
    return phase;
}

void driver_start_job(struct driver *driver, const struct driver_job *job) {
    pthread_mutex_lock(&driver->meeting.lock);
    atomic_store(&driver->stop, false);
    driver->job = *job;
    driver->complete = false;
    driver->progress = (struct progress){0};
    driver->counted = (struct density_run_progress){0};
    pthread_cond_signal(&driver->meeting.work);
    pthread_mutex_unlock(&driver->meeting.lock);
}

bool driver_wish(struct driver *driver, const struct tone *tone, uint64_t samples) {
    pthread_mutex_lock(&driver->meeting.lock);
    const bool open = !driver->complete;
    if (open)
        driver->wish = (struct density_run_wish){.there = true, .tone = *tone, .samples = samples};
    pthread_mutex_unlock(&driver->meeting.lock);
    return open;
}

/* Tells queued kernels to return at once; a late write harms no later job, which has another
 * serial number. */
static void abort_kernels(struct driver *driver) {
    *driver->abort_serial = driver->serial;
    cudaSetDevice(driver->ordinal);
    cudaMemcpyAsync(driver->abort, driver->abort_serial, sizeof *driver->abort,
                    cudaMemcpyHostToDevice, driver->abort_stream);
}

void driver_stop_job(struct driver *driver) {
    pthread_mutex_lock(&driver->meeting.lock);
    driver_job_finish(&driver->job);
    driver->wish.there = false;
    if (driver->phase == DRIVER_BUSY) {
        atomic_store(&driver->stop, true);
        pthread_cond_signal(&driver->meeting.work);
        abort_kernels(driver);
        while (driver->phase == DRIVER_BUSY)
            pthread_cond_wait(&driver->meeting.news, &driver->meeting.lock);
    }
    if (driver->phase == DRIVER_IDLE)
        readback_refuse(&driver->readback);
    driver->complete = false;
    pthread_mutex_unlock(&driver->meeting.lock);
}
