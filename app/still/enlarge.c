/* Enlarging: draws a picture larger than the window on a thread with a backend of its own. */
#define _GNU_SOURCE
#include "app/still/enlarge.h"
#include "app/still/bands.h"
#include "app/still/screenshot.h"
#include "app/still/still.h"
#include "cpu/cpu.h"
#include "render/backends.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/base/progress.h"
#include "render/base/user_data.h"
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SCALE     1000 /* resolution of progress */
#define NAMES_MAX 100
#define LEFT_FROM 0.02 /* share of the work before which the remaining time is unknown */

struct enlarge_job {
    SDL_Thread *thread;
    struct scene scene;
    unsigned shortcuts;
    enum image_format format;
    int quality;
    struct backend_options options;
    const char *folder;
    int factor;
    double started_ms;
    SDL_atomic_t progress, cancel, done;
    /* Written by the thread; the owner reads them after `done`: */
    char *path;
    bool saved;
    char why[MESSAGE_TEXT_MAX];
};

int enlarge_factor(int size) {
    return 2 << size;
}

int enlarge_sample_count(int samples) {
    return 1 << 2 * samples;
}

/* --- the thread --- */

static bool step(void *user, double done) {
    struct enlarge_job *job = user;
    SDL_AtomicSet(&job->progress, (int)(SCALE * done));
    return !SDL_AtomicGet(&job->cancel);
}

/* Returns the first free name. It contains the time, because a number might be taken before the
 * file is written. */
static char *choose_path(const struct enlarge_job *job) {
    char stamp[CLOCK_TEXT_MAX], *path = NULL;
    clock_local(CLOCK_SECOND, stamp);
    for (int i = 1; i < NAMES_MAX; i++) {
        const char *ending = image_format_names[job->format];
        free(path);
        if ((i == 1
                 ? asprintf(&path, "%s/fathom-%s-%dx.%s", job->folder, stamp, job->factor, ending)
                 : asprintf(&path, "%s/fathom-%s-%dx-%d.%s", job->folder, stamp, job->factor, i,
                            ending)) < 0)
            return NULL;
        if (access(path, F_OK) != 0)
            break;
    }
    return path;
}

static bool write_bands(struct enlarge_job *job, struct backend *backend,
                        const struct frame_req *req, struct outputs *outputs) {
    struct exact_samples *exact =
        job->scene.exact ? exact_samples_create(req, job->scene.pixel_samples, job->options.engine,
                                                job->options.threads, true)
                         : NULL;
    struct bands bands = {.backend = backend,
                          .req = req,
                          .exact = exact,
                          .outputs = outputs,
                          .memory_bytes = BANDS_MEMORY_BYTES,
                          .samples = job->scene.pixel_samples,
                          .step = step,
                          .user = job};
    const bool drawn = (exact || !job->scene.exact) && bands_draw(&bands);
    exact_samples_destroy(exact);
    if (drawn)
        return outputs_commit(outputs);
    outputs_abandon(outputs);
    return false;
}

static bool draw(struct enlarge_job *job, struct backend *backend, struct frame_req *req) {
    struct scene *scene = &job->scene;
    double decided_ms;
    trap_image_resolve(&scene->image);
    still_request(scene, job->shortcuts, req);
    if (!still_decide(backend, req, &decided_ms))
        return false;
    char *text = still_text(scene, req);
    struct outputs outputs = {0};
    job->path = text && user_folder_make_or_log(job->folder) ? choose_path(job) : NULL;
    if (job->path)
        outputs.image = image_writer_open(job->path, job->format, scene->width_px, scene->height_px,
                                          text, IMAGE_EXCLUSIVE);
    if (outputs.image)
        image_writer_set_quality(outputs.image, job->quality);
    free(text);
    return outputs.image && write_bands(job, backend, req, &outputs);
}

static int run(void *user) {
    struct enlarge_job *job = user;
    struct frame_req req;
    log_listen(job->why, sizeof job->why);
    frame_req_init(&req, job->scene.width_px, job->scene.height_px);
    struct backend *backend = backend_open(backends_cpu, NULL, &job->options);
    job->saved = backend && draw(job, backend, &req);
    backend_close(backend);
    frame_req_finish(&req);
    log_listen(NULL, 0);
    mpfr_free_cache();
    SDL_AtomicSet(&job->done, 1);
    return 0;
}

/* --- the window's thread --- */

static void release(struct enlarge_job *job) {
    scene_finish(&job->scene);
    free(job->path);
    free(job);
}

static struct enlarge_job *create(const struct enlarge *enlarge, const struct explorer *explorer) {
    struct enlarge_job *job = calloc(1, sizeof *job);
    if (!job)
        return NULL;
    scene_init_copy(&job->scene, &explorer->scene);
    job->factor = enlarge_factor(enlarge->size);
    job->scene.width_px = explorer->width_px * job->factor;
    job->scene.height_px = explorer->height_px * job->factor;
    job->scene.pixel_samples = (uint32_t)enlarge_sample_count(enlarge->samples);
    job->scene.samples = 0;
    job->shortcuts = explorer->shortcuts;
    job->format = enlarge->format;
    job->quality = enlarge->quality;
    job->folder = enlarge->folder;
    const int threads = enlarge->options.threads;
    job->options = still_beside_window(&enlarge->options, threads > 0 ? threads : cpu_threads());
    job->started_ms = clock_ms();
    return job;
}

static bool too_large(const struct enlarge_job *job) {
    return job->scene.width_px > FRAME_SIZE_MAX || job->scene.height_px > FRAME_SIZE_MAX;
}

void enlarge_start(struct enlarge *enlarge, const struct explorer *explorer) {
    struct enlarge_job *job = create(enlarge, explorer);
    if (!job) {
        messages_post(enlarge->messages, "the picture cannot be drawn: not enough memory");
        return;
    }
    if (too_large(job)) {
        messages_post(enlarge->messages,
                      "%d x %d is too large: pictures have at most %d pixels per side",
                      job->scene.width_px, job->scene.height_px, FRAME_SIZE_MAX);
        release(job);
        return;
    }
    job->thread = SDL_CreateThread(run, "enlarge", job);
    if (!job->thread) {
        messages_post(enlarge->messages, "the picture cannot be drawn: %s", SDL_GetError());
        release(job);
        return;
    }
    enlarge->job = job;
    enlarge->shown = 0;
    messages_post(enlarge->messages,
                  "drawing %d x %d pixels in the background; see the panel for progress",
                  job->scene.width_px, job->scene.height_px);
}

void enlarge_cancel(struct enlarge *enlarge) {
    if (enlarge->job)
        SDL_AtomicSet(&enlarge->job->cancel, 1);
}

bool enlarge_busy(const struct enlarge *enlarge) {
    return enlarge->job != NULL;
}

static void post_result(const struct enlarge *enlarge) {
    struct enlarge_job *job = enlarge->job;
    if (job->saved)
        messages_post(enlarge->messages, "saved %s", job->path);
    else if (SDL_AtomicGet(&job->cancel))
        messages_post(enlarge->messages, "the larger picture was cancelled; no file was written");
    else
        messages_post(enlarge->messages, "the larger picture was not saved: %s", job->why);
}

static bool end(struct enlarge *enlarge) {
    SDL_WaitThread(enlarge->job->thread, NULL);
    post_result(enlarge);
    const bool saved = enlarge->job->saved;
    release(enlarge->job);
    enlarge->job = NULL;
    return saved;
}

bool enlarge_update(struct enlarge *enlarge, bool *saved) {
    *saved = false;
    if (!enlarge->job)
        return false;
    if (SDL_AtomicGet(&enlarge->job->done)) {
        *saved = end(enlarge);
        return true;
    }
    const int progress = SDL_AtomicGet(&enlarge->job->progress);
    const bool news = progress != enlarge->shown;
    enlarge->shown = progress;
    return news;
}

double enlarge_progress(const struct enlarge *enlarge, char *text, size_t size) {
    const double done = enlarge->job ? (double)enlarge->shown / SCALE : 0;
    const int count = snprintf(text, size, "%.0f %%", 100 * done);
    if (enlarge->job && done >= LEFT_FROM)
        progress_left((clock_ms() - enlarge->job->started_ms) * (1 - done) / done, text + count,
                      size - (size_t)count);
    return done;
}

void enlarge_finish(struct enlarge *enlarge) {
    if (!enlarge->job)
        return;
    enlarge_cancel(enlarge);
    if (!end(enlarge))
        log_warn("the larger picture was not finished, because the window was closed");
}
