/* Driver thread: runs a device, so that the polling thread never waits for the device. */
#define _GNU_SOURCE
#include "gpu/driver.h"
#include "gpu/driver_probe.h"
#include "gpu/launch/programs.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include <errno.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define START_TIMEOUT_MS   10000.0 /* [ms] a device that takes longer to start is given up */
#define DESTROY_TIMEOUT_MS 1000    /* [ms] longest wait in driver_destroy while it starts */

static void finish_handoff(struct handoff *handoff) {
    pthread_cond_destroy(&handoff->wake_owner);
    pthread_cond_destroy(&handoff->wake_driver);
    pthread_mutex_destroy(&handoff->lock);
}

static void unref_device(struct driver_device *shared) {
    pthread_mutex_lock(&shared->turns.lock);
    const int left = --shared->drivers;
    pthread_mutex_unlock(&shared->turns.lock);
    if (left > 0)
        return;
    programs_destroy(shared->device.programs);
    if (shared->device.impl->stop)
        shared->device.impl->stop(&shared->device);
    turns_finish(&shared->turns);
    free(shared);
}

/* Drops a reference. The driver's thread and its owner hold one each. */
static void unref(struct driver *driver) {
    if (atomic_fetch_sub(&driver->references, 1) > 1)
        return;
    finish_handoff(&driver->handoff);
    unref_device(driver->shared);
    free(driver);
}

/* --- the thread --- */

void driver_job_finish(struct driver_job *job) {
    if (job->req) {
        frame_req_finish(job->req);
        free(job->req);
    }
    density_run_input_finish(&job->input);
    *job = (struct driver_job){0};
}

/* Ends the job. Returns false if a change arrived too late for the job but before it was marked
 * complete; the job then continues. */
static bool end_job(struct driver *driver, bool complete, enum driver_phase phase) {
    pthread_mutex_lock(&driver->handoff.lock);
    const bool ends = !complete || !driver->handoff.change.pending;
    if (ends) {
        driver->complete = complete;
        driver->phase = phase;
        pthread_cond_signal(&driver->handoff.wake_owner);
    }
    pthread_mutex_unlock(&driver->handoff.lock);
    return ends;
}

/* Marks the driver as lost, and the device too unless only memory is lacking. */
static void mark_lost(struct driver *driver, const char *what, enum device_error error) {
    if (error == DEVICE_NO_MEMORY || turns_mark_lost(&driver->shared->turns))
        /* An interrupt may itself cause the loss. */
        log_message(interrupt_requested() ? LOG_INFO : LOG_ERROR,
                    "the GPU %s: %s; use another --backend until it is back", what,
                    driver->device.impl->error_text(error));
    end_job(driver, false, DRIVER_LOST);
}

static enum device_error init_abort(struct driver *driver) {
    struct device *device = &driver->device;
    const struct device_impl *impl = device->impl;
    const size_t size = sizeof *driver->abort_serial;
    enum device_error error = impl->alloc(device, size, &driver->abort);
    if (error == DEVICE_OK)
        error = impl->alloc_host(device, size, (void **)&driver->abort_serial);
    if (error == DEVICE_OK)
        error = impl->queue_create(device, &driver->abort_queue);
    if (error == DEVICE_OK)
        error = impl->fill(driver->abort_queue, driver->abort, 0, size);
    return error == DEVICE_OK ? impl->queue_drain(driver->abort_queue) : error;
}

static void init_density_run(struct driver *driver) {
    driver->run = (struct density_run){
        .slices = &driver->slices,
        .pixel_buffer = &driver->pixel_buffer,
        .readback = &driver->readback,
        .handoff = &driver->handoff,
        .progress = &driver->density_progress,
        .abort = driver->abort,
        .threads = driver->device.threads,
        .buffers = {.device = &driver->device},
    };
}

static bool start_device(struct driver *driver) {
    struct driver_device *shared = driver->shared;
    enum device_error error = driver->device.impl->start(&driver->device);
    if (error == DEVICE_OK)
        driver->device.programs = programs_create(&driver->device, &error);
    if (error != DEVICE_OK) {
        mark_lost(driver, "does not start", error);
        turns_mark_lost(&shared->turns);
    }
    pthread_mutex_lock(&shared->turns.lock);
    shared->device = driver->device;
    shared->starting = false;
    pthread_cond_broadcast(&shared->turns.changed);
    pthread_mutex_unlock(&shared->turns.lock);
    return error == DEVICE_OK;
}

/* Waits until another driver has started the device. Returns false if that failed. */
static bool join_device(struct driver *driver) {
    struct driver_device *shared = driver->shared;
    const int rank = driver->device.rank;
    pthread_mutex_lock(&shared->turns.lock);
    while (shared->starting && !shared->turns.lost)
        pthread_cond_wait(&shared->turns.changed, &shared->turns.lock);
    driver->device = shared->device;
    driver->device.rank = rank;
    const bool lost = shared->turns.lost;
    pthread_mutex_unlock(&shared->turns.lock);
    if (lost)
        end_job(driver, false, DRIVER_LOST);
    else
        driver->device.impl->attach(&driver->device);
    return !lost;
}

static bool start(struct driver *driver) {
    struct device *device = &driver->device;
    const bool there = driver->starts_device ? start_device(driver) : join_device(driver);
    enum device_error error = there ? DEVICE_OK : DEVICE_LOST;
    if (error == DEVICE_OK)
        error = init_abort(driver);
    if (error == DEVICE_OK)
        error = device->impl->alloc(device, sizeof(struct statistics), &driver->statistics.sum);
    if (error == DEVICE_OK)
        error = device->impl->alloc_host(device, sizeof(struct statistics),
                                         (void **)&driver->statistics.host);
    if (error == DEVICE_OK)
        error = readback_init(&driver->readback, device, &driver->handoff);
    if (error == DEVICE_OK &&
        !slices_init(&driver->slices, device, &driver->shared->turns, &driver->stop))
        error = driver->slices.error;
    pixel_buffer_init(&driver->pixel_buffer, &driver->handoff, &driver->readback, &driver->slices);
    init_density_run(driver);
    if (there && error != DEVICE_OK)
        mark_lost(driver, "does not start", error);
    return error == DEVICE_OK;
}

/* Waits for the owner, which may read the readback until it notices the loss. */
static void wait_to_quit(struct driver *driver) {
    pthread_mutex_lock(&driver->handoff.lock);
    while (!driver->quit)
        pthread_cond_wait(&driver->handoff.wake_driver, &driver->handoff.lock);
    pthread_mutex_unlock(&driver->handoff.lock);
}

static void finish(struct driver *driver) {
    struct device *device = &driver->device;
    device_buffers_finish(&driver->buffers);
    density_run_finish(&driver->run);
    slices_finish(&driver->slices);
    readback_finish(&driver->readback);
    device->impl->free(device, driver->statistics.sum);
    device->impl->free_host(device, driver->statistics.host);
    device->impl->free(device, driver->abort);
    device->impl->free_host(device, driver->abort_serial);
    device->impl->queue_destroy(driver->abort_queue);
}

/* Sleeps until there is a job. Returns false if the driver is to quit. */
static bool next_job(struct driver *driver, struct driver_job *job) {
    pthread_mutex_lock(&driver->handoff.lock);
    while (!driver->quit && driver->job.work == DRIVER_NOTHING)
        pthread_cond_wait(&driver->handoff.wake_driver, &driver->handoff.lock);
    const bool found = !driver->quit;
    if (found) {
        *job = driver->job;
        driver->job = (struct driver_job){0};
        driver->phase = DRIVER_BUSY;
        driver->serial++;
    }
    pthread_mutex_unlock(&driver->handoff.lock);
    return found;
}

/* Returns the launch budget of the kernels that draw the request. */
static struct launch_budget *budget_of(struct driver *driver, const struct frame_req *req) {
    return &driver->budgets[(size_t)req->route * TYPE_COUNT + req->type];
}

static bool draw(struct driver *driver, const struct driver_job *job) {
    struct frame_req *req = job->req ? job->req : driver->buffers.req;
    struct device_picture picture = {
        .slices = &driver->slices,
        .buffers = &driver->buffers,
        .pixel_buffer = &driver->pixel_buffer,
        .readback = &driver->readback,
        .statistics = &driver->statistics,
        .handoff = &driver->handoff,
        .progress = &driver->progress,
        .budget = budget_of(driver, req),
        .threads = driver->device.threads,
        .abort = driver->abort,
        .serial = driver->serial,
        .req = req,
        .repeats = !job->req,
        .keep = job->keep,
        .by_lines = job->by_lines,
        .map = job->map,
        .gl = job->gl,
        /* A repeated picture's planes have already been sent. */
        .wanted = job->req ? job->planes : 0,
    };
    return device_picture_run(&picture);
}

/* Draws a picture. The device buffers own the request as soon as they contain samples of it. */
static bool draw_job(struct driver *driver, struct driver_job *job, bool *room) {
    enum device_error error = DEVICE_OK;
    *room = !job->req || device_buffers_reserve(&driver->buffers, job->req, !job->gl, &error);
    slices_ok(&driver->slices, error);
    const bool complete = *room && draw(driver, job);
    if (driver->buffers.req == job->req)
        job->req = NULL;
    return complete;
}

static bool count_job(struct driver *driver, struct driver_job *job, bool *room) {
    return density_run_run(&driver->run, &job->input, job->gl, driver->serial, room);
}

/* Runs a job. Returns false if the device is lost, or if it lacks memory for a picture that was
 * submitted before the start was complete. */
static bool run_job(struct driver *driver, struct driver_job *job) {
    struct slices *slices = &driver->slices;
    bool complete, room = true;
    if (job->inject_loss)
        slices_ok(slices, DEVICE_LOST);
    do
        complete = !job->inject_loss &&
                   (job->work == DRIVER_DRAW ? draw_job : count_job)(driver, job, &room);
    while (slices->error == DEVICE_OK &&
           !end_job(driver, complete, room ? DRIVER_IDLE : DRIVER_LOST));
    turn_end(&slices->launching);
    driver_job_finish(job);
    if (slices->error != DEVICE_OK)
        mark_lost(driver, "failed", slices->error);
    return room && slices->error == DEVICE_OK;
}

static void *driver_main(void *user) {
    struct driver *driver = user;
    struct driver_job job;
    interrupt_block(true);
    if (start(driver)) {
        end_job(driver, false, DRIVER_IDLE);
        while (next_job(driver, &job) && run_job(driver, &job))
            continue;
    }
    wait_to_quit(driver);
    finish(driver);
    mpfr_free_cache();
    unref(driver);
    return NULL;
}

/* --- the owner's side --- */

/* Initialises the handoff. `wake_owner` uses the monotonic clock, like clock_ms. */
static void init_handoff(struct handoff *handoff) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&handoff->lock, NULL);
    pthread_cond_init(&handoff->wake_driver, NULL);
    pthread_cond_init(&handoff->wake_owner, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

bool driver_wait_results(struct driver *driver, double until_ms) {
    struct timespec until;
    until.tv_sec = (time_t)(until_ms / 1e3);
    until.tv_nsec = (long)((until_ms - (double)until.tv_sec * 1e3) * 1e6);
    return pthread_cond_timedwait(&driver->handoff.wake_owner, &driver->handoff.lock, &until) !=
           ETIMEDOUT;
}

static struct driver *create(struct driver_device *shared, const struct device *device,
                             bool first) {
    struct driver *driver = calloc(1, sizeof *driver);
    pthread_mutex_lock(&shared->turns.lock);
    shared->drivers++;
    pthread_mutex_unlock(&shared->turns.lock);
    if (!driver) {
        log_error("not enough memory for a backend");
        unref_device(shared);
        return NULL;
    }
    driver->shared = shared;
    driver->starts_device = first;
    driver->device = *device;
    driver->buffers.device = &driver->device;
    atomic_init(&driver->stop, false);
    atomic_init(&driver->references, 2);
    for (size_t i = 0; i < sizeof driver->budgets / sizeof *driver->budgets; i++)
        launch_budget_init(&driver->budgets[i]);
    init_handoff(&driver->handoff);
    const int failed = pthread_create(&driver->thread, NULL, driver_main, driver);
    if (failed) {
        log_error("cannot start a thread: %s", strerror(failed));
        finish_handoff(&driver->handoff);
        unref_device(shared);
        free(driver);
        return NULL;
    }
    return driver;
}

struct driver *driver_create(const struct device *device) {
    struct driver_device *shared = calloc(1, sizeof *shared);
    if (!shared) {
        log_error("not enough memory for a backend");
        return NULL;
    }
    turns_init(&shared->turns);
    shared->since_ms = clock_ms();
    shared->starting = true;
    shared->device = *device;
    shared->device.rank = BACKEND_MAIN;
    return create(shared, &shared->device, true);
}

struct driver *driver_create_another(struct driver *driver, int rank) {
    const struct device device = {.impl = driver->device.impl, .rank = rank};
    return create(driver->shared, &device, false);
}

void driver_destroy(struct driver *driver) {
    if (!driver)
        return;
    driver_stop_job(driver);
    pthread_mutex_lock(&driver->handoff.lock);
    driver->quit = true;
    const bool starting = driver->phase == DRIVER_STARTING;
    pthread_cond_signal(&driver->handoff.wake_driver);
    pthread_mutex_unlock(&driver->handoff.lock);
    if (starting)
        driver_probe_join(driver->thread, DESTROY_TIMEOUT_MS);
    else
        pthread_join(driver->thread, NULL);
    unref(driver);
}

/* Returns true if the device has not started in time; the first such call marks it as lost. */
static bool start_timed_out(struct driver_device *shared) {
    pthread_mutex_lock(&shared->turns.lock);
    const bool expired =
        shared->starting && !shared->late && clock_ms() - shared->since_ms > START_TIMEOUT_MS;
    const bool late = shared->late = shared->late || expired;
    pthread_mutex_unlock(&shared->turns.lock);
    if (expired && turns_mark_lost(&shared->turns))
        log_error("the GPU does not answer: it has not started within %.0f seconds; use another "
                  "--backend",
                  START_TIMEOUT_MS / 1000);
    return late;
}

enum driver_phase driver_phase(struct driver *driver) {
    pthread_mutex_lock(&driver->handoff.lock);
    const enum driver_phase phase = driver->phase;
    pthread_mutex_unlock(&driver->handoff.lock);
    const bool lost = phase == DRIVER_STARTING
                          ? start_timed_out(driver->shared)
                          : phase == DRIVER_IDLE && turns_are_lost(&driver->shared->turns);
    return lost ? DRIVER_LOST : phase;
}

void driver_start_job(struct driver *driver, const struct driver_job *job) {
    pthread_mutex_lock(&driver->handoff.lock);
    atomic_store(&driver->stop, false);
    driver->job = *job;
    driver->complete = false;
    driver->progress = (struct progress){0};
    driver->density_progress = (struct density_run_progress){0};
    pthread_cond_signal(&driver->handoff.wake_driver);
    pthread_mutex_unlock(&driver->handoff.lock);
}

bool driver_change_job(struct driver *driver, const struct look *look, uint64_t samples) {
    pthread_mutex_lock(&driver->handoff.lock);
    const bool open = !driver->complete;
    driver->handoff.change = (struct change){.pending = true, .look = *look, .samples = samples};
    pthread_mutex_unlock(&driver->handoff.lock);
    return open;
}

/* Makes queued kernels return at once. A late write is harmless, because a later job has another
 * serial number. */
static void abort_kernels(struct driver *driver) {
    const struct device_impl *impl = driver->device.impl;
    *driver->abort_serial = driver->serial;
    impl->attach(&driver->device);
    impl->upload(driver->abort_queue, driver->abort, driver->abort_serial,
                 sizeof *driver->abort_serial);
}

void driver_stop_job(struct driver *driver) {
    pthread_mutex_lock(&driver->handoff.lock);
    driver_job_finish(&driver->job);
    driver->handoff.change.pending = false;
    if (driver->phase == DRIVER_BUSY) {
        turns_stop(&driver->shared->turns, &driver->stop);
        pthread_cond_signal(&driver->handoff.wake_driver);
        abort_kernels(driver);
        while (driver->phase == DRIVER_BUSY)
            pthread_cond_wait(&driver->handoff.wake_owner, &driver->handoff.lock);
    }
    if (driver->phase == DRIVER_IDLE)
        readback_discard(&driver->readback);
    driver->complete = false;
    pthread_mutex_unlock(&driver->handoff.lock);
}
