/* Exact drawing at rest: a thread draws sample after sample of each pixel, and corrects it. */
#define _GNU_SOURCE /* SCHED_IDLE */
#include "app/still/exact_drawing.h"
#include "app/still/still.h"
#include "cpu/cpu.h"
#include "render/accumulate.h"
#include "render/backends.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/verify/exact_samples.h"
#include <SDL.h>
#include <mpfr.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCALE     1000 /* resolution of progress */
#define LEFT_FROM 0.02 /* share of the work before which the remaining time is unknown */

struct exact_drawing_job {
    struct scene scene;
    uint64_t generation;
    unsigned shortcuts;
    bool awaited;
    struct backend_options options;
    SDL_Thread *thread; /* NULL: ended and joined */
    SDL_sem *taken;
    double started_ms;
    uint32_t shown; /* samples of the pixels that were taken last; 0: none were */
    SDL_atomic_t progress, stop, done;
    SDL_atomic_t ready; /* samples of `mean`, which is the owner's while this is not 0 */
    /* The thread uses these members; the owner reads `why` after `done`. */
    struct backend *backend;
    struct frame_req req;
    struct exact_samples *exact;
    struct target target;
    struct accumulator sums;
    uint32_t *mean;
    uint32_t sample;
    char why[EXACT_DRAWING_TEXT_MAX];
};

/* --- the thread --- */

static bool exact_step(void *user, double done) {
    struct exact_drawing_job *job = user;
    const double share = (job->sample + done) / job->scene.pixel_samples;
    SDL_AtomicSet(&job->progress, (int)(SCALE * share));
    return !SDL_AtomicGet(&job->stop);
}

static bool draw_step(void *user, const struct backend_report *report) {
    struct exact_drawing_job *job = user;
    (void)report;
    return !SDL_AtomicGet(&job->stop);
}

static bool prepare(struct exact_drawing_job *job) {
    const int width = job->scene.width_px, height = job->scene.height_px;
    const size_t pixels = (size_t)width * (size_t)height;
    trap_image_resolve(&job->scene.image);
    frame_req_init(&job->req, width, height);
    still_request(&job->scene, job->shortcuts, &job->req);
    job->backend = backend_open(backends_cpu, NULL, &job->options);
    if (!job->backend || !backend_decide(job->backend, &job->req, draw_step, job))
        return false;
    job->target.rgba = memory_alloc(4 * pixels, "an exact picture");
    job->target.at_once = true;
    job->mean = memory_alloc(4 * pixels, "an exact picture");
    job->exact = exact_samples_create(&job->req, job->scene.pixel_samples, job->options.engine,
                                      job->options.threads, !job->awaited);
    return job->target.rgba && job->mean && job->exact &&
           sample_planes_init(&job->target.planes, job->req.planes, pixels, "an exact picture") &&
           accumulator_init(&job->sums, width, height);
}

/* Hands the mean over, and waits until it has been taken. */
static void hand_over(struct exact_drawing_job *job) {
    const uint32_t samples = job->sample + 1;
    if (samples < job->scene.pixel_samples && (samples & (samples - 1)) != 0)
        return;
    accumulator_set_samples(&job->sums, samples);
    accumulator_mean(&job->sums, 0, job->req.height_px, job->mean);
    SDL_AtomicSet(&job->ready, (int)samples);
    SDL_SemWait(job->taken);
}

static bool draw(struct exact_drawing_job *job) {
    struct backend_report report;
    bool on = true;
    for (; on && job->sample < job->scene.pixel_samples; job->sample++) {
        accumulate_offset(job->sample, &job->req.offset_x, &job->req.offset_y);
        on = backend_draw(job->backend, &job->req, &job->target, draw_step, job, &report) &&
             exact_samples_correct(job->exact, &job->req, &job->target, exact_step, job);
        if (!on)
            break;
        accumulator_add(&job->sums, job->sample, 0, job->req.height_px, job->target.rgba, false,
                        false);
        hand_over(job);
    }
    return on;
}

static int run(void *user) {
    struct exact_drawing_job *job = user;
    if (!job->awaited)
        sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0});
    const struct log_listener listener = log_listen_instead_of_warnings(job->why, sizeof job->why);
    const bool ok = prepare(job) && draw(job);
    if (ok || !*job->why)
        snprintf(job->why, sizeof job->why, ok ? "" : "the exact picture was not drawn");
    exact_samples_destroy(job->exact);
    backend_close(job->backend);
    accumulator_finish(&job->sums);
    sample_planes_finish(&job->target.planes);
    free(job->target.rgba);
    frame_req_finish(&job->req);
    log_listen_restore(listener);
    mpfr_free_cache();
    SDL_AtomicSet(&job->done, 1);
    return 0;
}

/* --- the window's thread --- */

static void release(struct exact_drawing *drawing) {
    struct exact_drawing_job *job = drawing->job;
    if (!job)
        return;
    SDL_WaitThread(job->thread, NULL);
    SDL_DestroySemaphore(job->taken);
    scene_finish(&job->scene);
    free(job->mean);
    free(job);
    drawing->job = NULL;
}

static void stop(struct exact_drawing_job *job) {
    SDL_AtomicSet(&job->stop, 1);
    SDL_SemPost(job->taken);
}

static void create(struct exact_drawing *drawing, const struct backend_options *options,
                   const struct scene *scene, const struct frame_req *req) {
    struct exact_drawing_job *job = calloc(1, sizeof *job);
    if (!job)
        return;
    scene_init_copy(&job->scene, scene);
    job->scene.width_px = req->width_px;
    job->scene.height_px = req->height_px;
    job->scene.method = req->method;
    job->generation = req->generation;
    job->shortcuts = req->shortcuts;
    job->awaited = drawing->awaited;
    job->options = still_beside_window(options, cpu_threads());
    job->options.low_priority = !job->awaited;
    job->started_ms = clock_ms();
    job->taken = SDL_CreateSemaphore(0);
    drawing->job = job;
    job->thread = job->taken ? SDL_CreateThread(run, "exact drawing", job) : NULL;
    if (job->thread)
        return;
    snprintf(job->why, sizeof job->why, "cannot draw exactly: there is no thread for it");
    SDL_AtomicSet(&job->done, 1);
}

static void print_time(double ms, char *text, size_t size) {
    if (ms < 120e3)
        snprintf(text, size, "%.0f s", ms / 1000);
    else if (ms < 7200e3)
        snprintf(text, size, "%.0f min", ms / 60e3);
    else
        snprintf(text, size, "%.0f h", ms / 3600e3);
}

/* Sets the text. Returns true if it is another one. */
static bool tell(struct exact_drawing *drawing) {
    struct exact_drawing_job *job = drawing->job;
    char text[EXACT_DRAWING_TEXT_MAX] = "", left[20];
    if (job && SDL_AtomicGet(&job->done)) {
        snprintf(text, sizeof text, "%s", *job->why ? job->why : "drawn exactly");
    } else if (job && !SDL_AtomicGet(&job->stop)) {
        const double share = SDL_AtomicGet(&job->progress) / (double)SCALE;
        const double ms = clock_ms() - job->started_ms;
        print_time(ms * (1 - share) / share, left, sizeof left);
        if (share < LEFT_FROM)
            snprintf(text, sizeof text, "drawing exactly: %.1f %%", 100 * share);
        else
            snprintf(text, sizeof text, "drawing exactly: %.1f %%, %s left", 100 * share, left);
    }
    if (strcmp(text, drawing->text) == 0)
        return false;
    strcpy(drawing->text, text);
    return true;
}

bool exact_drawing_follow(struct exact_drawing *drawing, const struct backend_options *options,
                          const struct scene *scene, const struct frame_req *req) {
    struct exact_drawing_job *job = drawing->job;
    const bool done = job && SDL_AtomicGet(&job->done);
    const bool kept =
        job && (req ? job->generation == req->generation : done) && !SDL_AtomicGet(&job->stop);
    if (job && !kept && !SDL_AtomicGet(&job->stop))
        stop(job);
    if (job && !kept && done)
        release(drawing);
    if (!drawing->job && req)
        create(drawing, options, scene, req);
    return tell(drawing);
}

const uint32_t *exact_drawing_take(struct exact_drawing *drawing) {
    struct exact_drawing_job *job = drawing->job;
    const int samples = job && !SDL_AtomicGet(&job->stop) ? SDL_AtomicGet(&job->ready) : 0;
    if (samples == 0)
        return NULL;
    job->shown = (uint32_t)samples;
    return job->mean;
}

void exact_drawing_taken(struct exact_drawing *drawing) {
    SDL_AtomicSet(&drawing->job->ready, 0);
    SDL_SemPost(drawing->job->taken);
}

uint32_t exact_drawing_samples(const struct exact_drawing *drawing, uint64_t generation) {
    return drawing->job && drawing->job->generation == generation ? drawing->job->shown : 0;
}

bool exact_drawing_busy(const struct exact_drawing *drawing) {
    return drawing->job && !SDL_AtomicGet(&drawing->job->done);
}

void exact_drawing_finish(struct exact_drawing *drawing) {
    if (drawing->job)
        stop(drawing->job);
    release(drawing);
}
