/* Driver thread: runs a device, so that the polling thread never waits for the device. */
#define _GNU_SOURCE
#include "gpu/driver.h"
#include "gpu/apart.h"
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

#define START_MS    10000.0 /* [ms] a device that takes longer to start is given up */
#define PATIENCE_MS 1000    /* [ms] longest wait in driver_destroy for a device that is starting */

static void finish_meeting(struct meeting *meeting) {
    pthread_cond_destroy(&meeting->news);
    pthread_cond_destroy(&meeting->work);
    pthread_mutex_destroy(&meeting->lock);
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
    if (atomic_fetch_sub(&driver->users, 1) > 1)
        return;
    finish_meeting(&driver->meeting);
    unref_device(driver->shared);
    free(driver);
}

/* --- the thread --- */

void driver_job_finish(struct driver_job *job) {
    if (job->req) {
        frame_req_finish(job->req);
        free(job->req);
    }
    density_run_order_finish(&job->order);
    *job = (struct driver_job){0};
}

/* Ends the job. Returns false if a wish arrived too late for the job but before it was marked
 * complete; the job then continues. */
static bool end_job(struct driver *driver, bool complete, enum driver_phase phase) {
    pthread_mutex_lock(&driver->meeting.lock);
    const bool ends = !complete || !driver->meeting.wish.there;
    if (ends) {
        driver->complete = complete;
        driver->phase = phase;
        pthread_cond_signal(&driver->meeting.news);
    }
    pthread_mutex_unlock(&driver->meeting.lock);
    return ends;
}

/* Marks the driver as lost, and the device too unless only memory is lacking. */
static void lose(struct driver *driver, const char *what, enum device_error error) {
    if (error == DEVICE_NO_MEMORY || turns_lose(&driver->shared->turns))
        /* An interrupt may itself cause the loss. */
        log_message(interrupt_came() ? LOG_INFO : LOG_ERROR,
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
    return error == DEVICE_OK ? impl->queue_settle(driver->abort_queue) : error;
}

static void init_density_run(struct driver *driver) {
    driver->run = (struct density_run){
        .slices = &driver->slices,
        .pixel_buffer = &driver->pixel_buffer,
        .readback = &driver->readback,
        .meeting = &driver->meeting,
        .progress = &driver->counted,
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
        lose(driver, "does not start", error);
        turns_lose(&shared->turns);
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
    const bool there = driver->first ? start_device(driver) : join_device(driver);
    enum device_error error = there ? DEVICE_OK : DEVICE_TAKEN_AWAY;
    if (error == DEVICE_OK)
        error = init_abort(driver);
    if (error == DEVICE_OK)
        error = device->impl->alloc(device, sizeof(struct statistics), &driver->statistics.sum);
    if (error == DEVICE_OK)
        error = device->impl->alloc_host(device, sizeof(struct statistics),
                                         (void **)&driver->statistics.host);
    if (error == DEVICE_OK)
        error = readback_init(&driver->readback, device, &driver->meeting);
    if (error == DEVICE_OK &&
        !slices_init(&driver->slices, device, &driver->shared->turns, &driver->stop))
        error = driver->slices.error;
    pixel_buffer_init(&driver->pixel_buffer, &driver->meeting, &driver->readback, &driver->slices);
    init_density_run(driver);
    if (there && error != DEVICE_OK)
        lose(driver, "does not start", error);
    return error == DEVICE_OK;
}

/* Waits for the owner, which may read the readback until it notices the loss. */
static void wait_to_quit(struct driver *driver) {
    pthread_mutex_lock(&driver->meeting.lock);
    while (!driver->quit)
        pthread_cond_wait(&driver->meeting.work, &driver->meeting.lock);
    pthread_mutex_unlock(&driver->meeting.lock);
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
        .meeting = &driver->meeting,
        .progress = &driver->progress,
        .budget = budget_of(driver, req),
        .threads = driver->device.threads,
        .abort = driver->abort,
        .serial = driver->serial,
        .req = req,
        .again = !job->req,
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
    return density_run_run(&driver->run, &job->order, job->gl, driver->serial, room);
}

/* Runs a job. Returns false if the device is lost, or if it lacks memory for a picture that was
 * submitted before the start was complete. */
static bool run_job(struct driver *driver, struct driver_job *job) {
    struct slices *slices = &driver->slices;
    bool complete, room = true;
    if (job->lose)
        slices_ok(slices, DEVICE_TAKEN_AWAY);
    do
        complete =
            !job->lose && (job->work == DRIVER_DRAW ? draw_job : count_job)(driver, job, &room);
    while (slices->error == DEVICE_OK &&
           !end_job(driver, complete, room ? DRIVER_IDLE : DRIVER_LOST));
    turn_end(&slices->launching);
    driver_job_finish(job);
    if (slices->error != DEVICE_OK)
        lose(driver, "failed", slices->error);
    return room && slices->error == DEVICE_OK;
}

static void *run(void *user) {
    struct driver *driver = user;
    struct driver_job job;
    interrupt_elsewhere(true);
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

/* Initialises the meeting. `news` uses the monotonic clock, like clock_ms. */
static void init_meeting(struct meeting *meeting) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&meeting->lock, NULL);
    pthread_cond_init(&meeting->work, NULL);
    pthread_cond_init(&meeting->news, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

bool driver_wait_news(struct driver *driver, double until_ms) {
    struct timespec until;
    until.tv_sec = (time_t)(until_ms / 1e3);
    until.tv_nsec = (long)((until_ms - (double)until.tv_sec * 1e3) * 1e6);
    return pthread_cond_timedwait(&driver->meeting.news, &driver->meeting.lock, &until) !=
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
    driver->first = first;
    driver->device = *device;
    driver->buffers.device = &driver->device;
    atomic_init(&driver->stop, false);
    atomic_init(&driver->users, 2);
    for (size_t i = 0; i < sizeof driver->budgets / sizeof *driver->budgets; i++)
        launch_budget_init(&driver->budgets[i]);
    init_meeting(&driver->meeting);
    const int failed = pthread_create(&driver->thread, NULL, run, driver);
    if (failed) {
        log_error("cannot start a thread: %s", strerror(failed));
        finish_meeting(&driver->meeting);
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

struct driver *driver_create_beside(struct driver *driver, int rank) {
    const struct device device = {.impl = driver->device.impl, .rank = rank};
    return create(driver->shared, &device, false);
}

void driver_destroy(struct driver *driver) {
    if (!driver)
        return;
    driver_stop_job(driver);
    pthread_mutex_lock(&driver->meeting.lock);
    driver->quit = true;
    const bool starting = driver->phase == DRIVER_STARTING;
    pthread_cond_signal(&driver->meeting.work);
    pthread_mutex_unlock(&driver->meeting.lock);
    if (starting)
        apart_join(driver->thread, PATIENCE_MS);
    else
        pthread_join(driver->thread, NULL);
    unref(driver);
}

/* Returns true if the device has not started in time; the first such call marks it as lost. */
static bool is_late(struct driver_device *shared) {
    pthread_mutex_lock(&shared->turns.lock);
    const bool news = shared->starting && !shared->late && clock_ms() - shared->since_ms > START_MS;
    const bool late = shared->late = shared->late || news;
    pthread_mutex_unlock(&shared->turns.lock);
    if (news && turns_lose(&shared->turns))
        log_error("the GPU does not answer: it has not started within %.0f seconds; use another "
                  "--backend",
                  START_MS / 1000);
    return late;
}

enum driver_phase driver_phase(struct driver *driver) {
    pthread_mutex_lock(&driver->meeting.lock);
    const enum driver_phase phase = driver->phase;
    pthread_mutex_unlock(&driver->meeting.lock);
    const bool lost = phase == DRIVER_STARTING
                          ? is_late(driver->shared)
                          : phase == DRIVER_IDLE && turns_lost(&driver->shared->turns);
    return lost ? DRIVER_LOST : phase;
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

bool driver_wish(struct driver *driver, const struct look *look, uint64_t samples) {
    pthread_mutex_lock(&driver->meeting.lock);
    const bool open = !driver->complete;
    driver->meeting.wish = (struct wish){.there = true, .look = *look, .samples = samples};
    pthread_mutex_unlock(&driver->meeting.lock);
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
    pthread_mutex_lock(&driver->meeting.lock);
    driver_job_finish(&driver->job);
    driver->meeting.wish.there = false;
    if (driver->phase == DRIVER_BUSY) {
        turns_stop(&driver->shared->turns, &driver->stop);
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
