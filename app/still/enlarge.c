/* Enlarging: draws a picture larger than the window on a thread with a backend of its own. */
#define _GNU_SOURCE
#include "app/still/enlarge.h"
#include "app/still/bands.h"
#include "app/still/posters.h"
#include "app/still/screenshot.h"
#include "app/still/still.h"
#include "cpu/cpu.h"
#include "render/backends.h"
#include "render/base/atomic_file.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/base/progress.h"
#include "render/base/user_data.h"
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCALE     1000 /* resolution of progress */
#define NAMES_MAX 100
#define LEFT_FROM 0.02 /* share of the work before which the remaining time is unknown */
#define ZOOM_FROM 0.8  /* share of the work at which the tiles of Deep Zoom begin */

struct enlarge_job {
    SDL_Thread *thread;
    struct scene scene;
    unsigned shortcuts;
    int format, quality;
    struct backend_options options;
    struct enlarge_idle idle;
    const char *folder;
    char name[20]; /* of the size */
    double started_ms;
    double from, to; /* range of the progress of the step at hand */
    SDL_atomic_t progress, cancel, done;
    /* Written by the thread; the owner reads them after `done`: */
    char *path, *view; /* view: file from which `fathom render` continues a poster; may be NULL */
    bool saved;
    char why[MESSAGE_TEXT_MAX];
};

/* --- the thread --- */

static bool step(void *user, double done) {
    struct enlarge_job *job = user;
    SDL_AtomicSet(&job->progress, (int)(SCALE * (job->from + (job->to - job->from) * done)));
    return !SDL_AtomicGet(&job->cancel);
}

static const char *ending_of(int format) {
    return format < IMAGE_FORMATS   ? image_format_names[format]
           : format == ENLARGE_TIFF ? "tif"
                                    : "dzi";
}

/* Returns the first free name without its ending. It contains the time, because a number might be
 * taken before the file is written. */
static char *choose_name(const struct enlarge_job *job) {
    char stamp[CLOCK_TEXT_MAX], *name = NULL, *path = NULL;
    bool taken = true;
    clock_local(CLOCK_SECOND, stamp);
    for (int i = 1; taken && i < NAMES_MAX; i++) {
        char number[12] = "";
        if (i > 1)
            snprintf(number, sizeof number, "-%d", i);
        free(name);
        if (asprintf(&name, "%s/fathom-%s-%s%s", job->folder, stamp, job->name, number) < 0)
            return NULL;
        if (asprintf(&path, "%s.%s", name, ending_of(job->format)) < 0)
            path = NULL;
        taken = path && access(path, F_OK) == 0;
        free(path);
    }
    return name;
}

/* Writes the view of a poster, from which `fathom render` makes the same picture. */
static bool write_view(const char *path, const char *text) {
    struct atomic_file *file = atomic_file_open(path, true);
    bool existed = false;
    if (file)
        fputs(text, atomic_file_stream(file));
    const bool ok = file && atomic_file_commit(file, &existed);
    if (existed)
        log_error("'%s' exists", path);
    return ok;
}

static bool open_poster(struct enlarge_job *job, const char *name, const struct frame_req *req,
                        const char *text, struct outputs *outputs) {
    const struct options options = {.command = COMMAND_RENDER,
                                    .output = job->path,
                                    .format = -1,
                                    .quality = job->quality,
                                    .inexact = job->options.inexact};
    char *view = NULL;
    if (!posters_check(&options) || asprintf(&view, "%s.fathom", name) < 0)
        return false;
    const bool written = write_view(view, text);
    if (written && posters_open(outputs, &options, req, text)) {
        job->view = view;
        return true;
    }
    if (written)
        unlink(view);
    free(view);
    return false;
}

static bool open_outputs(struct enlarge_job *job, const struct frame_req *req,
                         struct outputs *outputs) {
    char *text = still_text(&job->scene, req), *name = NULL;
    bool ok = text && user_folder_make_or_log(job->folder) && (name = choose_name(job));
    if (ok && asprintf(&job->path, "%s.%s", name, ending_of(job->format)) < 0)
        job->path = NULL;
    ok = ok && job->path;
    if (ok && job->format >= IMAGE_FORMATS) {
        ok = open_poster(job, name, req, text, outputs);
    } else if (ok) {
        outputs->image =
            image_writer_open(job->path, (enum image_format)job->format, job->scene.width_px,
                              job->scene.height_px, text, IMAGE_EXCLUSIVE);
        ok = outputs->image;
        if (ok)
            image_writer_set_quality(outputs->image, job->quality);
    }
    free(name);
    free(text);
    return ok;
}

static bool complete(struct enlarge_job *job, struct outputs *outputs) {
    job->from = job->to;
    job->to = 1;
    return outputs->poster ? posters_commit(outputs, step, job) : outputs_commit(outputs);
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
    job->to = job->format == ENLARGE_DEEP_ZOOM ? ZOOM_FROM : 1;
    const bool drawn = (exact || !job->scene.exact) && bands_draw(&bands);
    exact_samples_destroy(exact);
    if (drawn)
        return complete(job, outputs);
    outputs_abandon(outputs);
    return false;
}

/* Opens the idle GPU if it draws this request, or else a backend of the processor. */
static struct backend *open_backend(const struct enlarge_job *job, const struct frame_req *req) {
    struct backend_options options = job->options;
    options.device = job->idle.device;
    options.device_needed = true;
    struct backend *backend =
        job->idle.other ? backend_open_started(backends_drawing, job->idle.gpu->name, &options)
                        : NULL;
    if (backend && backend_info(backend).types[req->route] >> req->type & 1)
        return backend;
    backend_close(backend);
    return backend_open(backends_cpu, NULL, &job->options);
}

static bool draw(struct enlarge_job *job, struct frame_req *req) {
    struct outputs outputs = {0};
    double decided_ms;
    trap_image_resolve(&job->scene.image);
    still_request(&job->scene, job->shortcuts, req);
    struct backend *backend = open_backend(job, req);
    bool ok = backend && still_decide(backend, req, &decided_ms);
    if (ok && !(ok = open_outputs(job, req, &outputs)))
        outputs_abandon(&outputs);
    ok = ok && write_bands(job, backend, req, &outputs);
    backend_close(backend);
    return ok;
}

static int run(void *user) {
    struct enlarge_job *job = user;
    struct frame_req req;
    log_listen(job->why, sizeof job->why);
    frame_req_init(&req, job->scene.width_px, job->scene.height_px);
    job->saved = draw(job, &req);
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
    free(job->view);
    free(job);
}

static struct enlarge_job *create(const struct enlarge *enlarge, const struct explorer *explorer) {
    const struct enlarge_size size = enlarge_size(enlarge, enlarge->size, explorer);
    const int threads = enlarge->options.threads;
    struct enlarge_job *job = calloc(1, sizeof *job);
    if (!job)
        return NULL;
    scene_init_copy(&job->scene, &explorer->scene);
    job->scene.width_px = size.width_px;
    job->scene.height_px = size.height_px;
    job->scene.pixel_samples = (uint32_t)enlarge_sample_count(enlarge->samples);
    job->scene.samples = 0;
    if (size.zoom < 1)
        view_zoom_at(&job->scene.view, size.zoom, size.width_px / 2.0, size.height_px / 2.0,
                     size.width_px, size.height_px);
    snprintf(job->name, sizeof job->name, size.paper ? "%s-%ddpi" : "%s", size.name,
             enlarge_dpi(enlarge->resolution));
    job->shortcuts = explorer->shortcuts;
    job->format = enlarge->format;
    job->quality = enlarge->quality;
    job->folder = enlarge->folder;
    job->options = still_beside_window(&enlarge->options, threads > 0 ? threads : cpu_threads());
    job->idle = enlarge->idle;
    job->started_ms = clock_ms();
    return job;
}

void enlarge_start(struct enlarge *enlarge, const struct explorer *explorer) {
    struct enlarge_job *job = create(enlarge, explorer);
    if (!job) {
        messages_post(enlarge->messages, "the picture cannot be drawn: not enough memory");
        return;
    }
    const int most = job->format < IMAGE_FORMATS ? FRAME_SIZE_MAX : POSTER_SIDE_MAX;
    if (job->scene.width_px > most || job->scene.height_px > most) {
        messages_post(enlarge->messages,
                      "%d x %d is too large: pictures have at most %d pixels per side",
                      job->scene.width_px, job->scene.height_px, most);
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

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Reports the result, and how an unfinished poster is continued. */
static void post_result(const struct enlarge *enlarge, bool closing) {
    const struct enlarge_job *job = enlarge->job;
    char rest[MESSAGE_TEXT_MAX] = "no file was written";
    if (job->view && !job->saved)
        snprintf(rest, sizeof rest,
                 "in %s, 'fathom render %s -o %s --quality %d%s' goes on with it", job->folder,
                 name_of(job->view), name_of(job->path), job->quality,
                 job->options.inexact ? " --inexact" : "");
    if (job->saved)
        messages_post(enlarge->messages, "saved %s", job->path);
    else if (closing)
        log_warn("the larger picture was not finished, because the window was closed; %s", rest);
    else if (SDL_AtomicGet(&enlarge->job->cancel))
        messages_post(enlarge->messages, "the larger picture was cancelled; %s", rest);
    else
        messages_post(enlarge->messages, "the larger picture was not saved: %s", job->why);
    if (job->view && !job->saved && !closing && !SDL_AtomicGet(&enlarge->job->cancel))
        messages_post(enlarge->messages, "%s", rest);
}

static bool end(struct enlarge *enlarge, bool closing) {
    SDL_WaitThread(enlarge->job->thread, NULL);
    post_result(enlarge, closing);
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
        *saved = end(enlarge, false);
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
    end(enlarge, true);
}
