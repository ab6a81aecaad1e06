/* Verification at rest: a thread draws random pixels of a picture and compares them. */
#include "app/still/verification.h"
#include "app/still/still.h"
#include "cpu/cpu.h"
#include "render/backends.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/verify/verify.h"
#include <SDL.h>
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REST_MS 1000.0  /* rest before the work begins */
#define MOST_MS 60000.0 /* of the work */

struct verification_job {
    struct frame_req req; /* as the window has submitted it */
    struct backend_options options;
    SDL_Thread *thread; /* NULL: not begun, or joined */
    double started_ms;
    SDL_atomic_t points, stop, done;
    bool over; /* the text is final */
    /* The thread uses these members; the owner reads the result after `done`. */
    struct backend *backend;
    struct frame_req pixel; /* the same picture with its final type, of which one pixel is drawn */
    struct verify_result result;
};

/* --- the thread --- */

static bool goes_on(struct verification_job *job) {
    return !SDL_AtomicGet(&job->stop) && clock_ms() < job->started_ms + MOST_MS;
}

static bool draw_step(void *user, const struct backend_report *report) {
    (void)report;
    return goes_on(user);
}

static bool verify_step(void *user, const struct verify_result *so_far, size_t done) {
    struct verification_job *job = user;
    (void)so_far;
    SDL_AtomicSet(&job->points, (int)done);
    return goes_on(job);
}

/* Draws pixels one by one. */
static bool fetch(void *user, const struct exact_point *points, size_t count, uint32_t *drawn) {
    struct verification_job *job = user;
    struct backend_report report;
    uint32_t rgba;
    float fraction;
    struct target target = {.rgba = &rgba, .at_once = true};
    target.planes.fraction = &fraction;
    for (size_t i = 0; i < count; i++) {
        target.planes.count = &drawn[i];
        job->pixel.part_x_px = points[i].x_px;
        job->pixel.part_y_px = points[i].y_px;
        if (!backend_draw(job->backend, &job->pixel, &target, draw_step, job, &report))
            return false;
    }
    return true;
}

static void make_pixel(struct verification_job *job) {
    job->pixel.whole_width_px = job->req.width_px;
    job->pixel.whole_height_px = job->req.height_px;
    job->pixel.width_px = job->pixel.height_px = 1;
    job->pixel.focus_x_px = job->pixel.focus_y_px = 0;
    job->pixel.first_stride = 1;
    job->pixel.planes = SAMPLE_BASIC;
    job->pixel.reuse = false;
}

static int run(void *user) {
    struct verification_job *job = user;
    char why[200]; /* failures are no news here */
    const struct log_listener listener = log_listen_instead_of_warnings(why, sizeof why);
    frame_req_init_copy(&job->pixel, &job->req);
    job->backend = backend_open(backends_cpu, NULL, &job->options);
    struct verify *verify = NULL;
    if (job->backend && backend_decide(job->backend, &job->pixel, draw_step, job) &&
        (verify = verify_create(&job->pixel, 0, 0))) {
        make_pixel(job);
        verify_set_source(verify, fetch, job);
        if (verify_run(verify, job->options.threads, true, verify_step, job))
            job->result = *verify_result(verify);
    }
    verify_destroy(verify);
    backend_close(job->backend);
    frame_req_finish(&job->pixel);
    log_listen_restore(listener);
    mpfr_free_cache();
    SDL_AtomicSet(&job->done, 1);
    return 0;
}

/* --- the window's thread --- */

static void release(struct verification *verification) {
    struct verification_job *job = verification->job;
    if (!job)
        return;
    SDL_WaitThread(job->thread, NULL);
    frame_req_finish(&job->req);
    free(job);
    verification->job = NULL;
}

/* Returns true if two requests have the same counts. */
static bool is_same(const struct frame_req *a, const struct frame_req *b) {
    return view_equal(&a->view, &b->view) && fractal_equal(&a->fractal, &b->fractal) &&
           a->limit == b->limit && a->width_px == b->width_px && a->height_px == b->height_px &&
           a->route == b->route && a->type == b->type;
}

static void create(struct verification *verification, const struct frame_req *req) {
    struct verification_job *job = calloc(1, sizeof *job);
    if (!job)
        return;
    frame_req_init_copy(&job->req, req);
    job->options = still_beside_window(&verification->options, cpu_threads());
    verification->job = job;
    verification->since_ms = clock_ms();
}

/* Prints the result of a job that is over. */
static void print_result(const struct verify_result *result, char text[VERIFICATION_TEXT_MAX]) {
    const double share = 100 * (double)result->wrong / fmax((double)result->points, 1);
    if (result->verdict == VERIFY_RIGHT)
        snprintf(text, VERIFICATION_TEXT_MAX, "verified %zu of %zu", result->points - result->wrong,
                 result->points);
    else if (result->verdict == VERIFY_IS_WRONG && result->bits > 0)
        snprintf(text, VERIFICATION_TEXT_MAX,
                 "%.1f %% uncertain: needs %d bits; Shift+P draws it exactly", share, result->bits);
    else if (result->verdict == VERIFY_IS_WRONG)
        snprintf(text, VERIFICATION_TEXT_MAX, "%.1f %% uncertain", share);
}

/* Sets the text. Returns true if it is another one. */
static bool tell(struct verification *verification) {
    struct verification_job *job = verification->job;
    char text[VERIFICATION_TEXT_MAX] = "";
    if (job->over)
        print_result(&job->result, text);
    else if (job->thread)
        snprintf(text, sizeof text, "verifying, %d of %d", SDL_AtomicGet(&job->points),
                 VERIFY_POINTS);
    if (strcmp(text, verification->text) == 0)
        return false;
    strcpy(verification->text, text);
    return true;
}

static bool forget(struct verification *verification) {
    struct verification_job *job = verification->job;
    const bool told = *verification->text;
    *verification->text = '\0';
    verification->since_ms = 0;
    if (!job)
        return told;
    SDL_AtomicSet(&job->stop, 1);
    if (!job->thread || SDL_AtomicGet(&job->done)) /* otherwise it ends soon */
        release(verification);
    return told;
}

bool verification_follow(struct verification *verification, const struct frame_req *req) {
    struct verification_job *job = verification->job;
    if (!req || (job && (SDL_AtomicGet(&job->stop) || !is_same(&job->req, req))))
        return forget(verification);
    if (!job) {
        create(verification, req);
        return false;
    }
    if (!job->over && !job->thread && clock_ms() >= verification->since_ms + REST_MS) {
        job->started_ms = clock_ms();
        job->thread = SDL_CreateThread(run, "verification", job);
        job->over = !job->thread;
    }
    if (SDL_AtomicGet(&job->done) && job->thread) {
        SDL_WaitThread(job->thread, NULL);
        job->thread = NULL;
        job->over = true;
    }
    return tell(verification);
}

bool verification_busy(const struct verification *verification) {
    return (verification->job && !verification->job->over) ||
           exact_drawing_busy(&verification->exact);
}

void verification_finish(struct verification *verification) {
    if (verification->job)
        SDL_AtomicSet(&verification->job->stop, 1);
    exact_drawing_finish(&verification->exact);
    release(verification);
}
