/* Draws a picture of any size band after band, with two targets, one being drawn while the other is
 * written, so that memory stays bounded. */
#include "app/still/bands.h"
#include "render/accumulate.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/progress.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TARGETS   2
#define TILE_ROWS 64 /* bands begin where tiles do */
#define LOOK_MS   50 /* how often to look for an interruption */

/* A backend keeps a count, a fraction and a pixel of its own for every pixel, and METHOD_DEEPEN
 * orbits that go on. */
#define BACKEND_BYTES 12
#define DEEPEN_BYTES  24
#define PLANES_BYTES  8
#define SUMS_BYTES    12

struct easel {
    struct bands *bands;
    int width_px, height_px, band_rows;
    bool planes; /* there are arrays */
    bool
        /* bands are drawn with a row of their neighbours on each side, which samples share */
        aprons;
    uint64_t parts; /* one for each sample of each band */
    struct accumulator sums;
    struct target targets[TARGETS];
    double started_ms;
    bool progress_shown;

    pthread_t writer;
    pthread_mutex_t lock;
    pthread_cond_t moved;  /* something below has changed; all of it is under the lock */
    uint64_t drawn, taken; /* parts */
    bool stop, failed;     /* the writer is to end; it has failed */
};

/* One sample of a band. */
struct part {
    int y, rows;      /* of the band */
    int above, below; /* rows more that are drawn */
    uint32_t sample;
};

/* --- the plan --- */

static struct part part_of(const struct easel *easel, uint64_t number) {
    const uint32_t samples = easel->bands->samples;
    const int y = (int)(number / samples) * easel->band_rows, left = easel->height_px - y;
    const int rows = left < easel->band_rows ? left : easel->band_rows;
    return (struct part){.y = y,
                         .rows = rows,
                         .above = easel->aprons && y > 0,
                         .below = easel->aprons && rows < left,
                         .sample = (uint32_t)(number % samples)};
}

/* As many rows as memory allows, divided evenly. */
static int choose_rows(const struct easel *easel) {
    const struct frame_req *req = easel->bands->req;
    uint64_t bytes = BACKEND_BYTES + TARGETS * 4;
    bytes += req->method == METHOD_DEEPEN ? DEEPEN_BYTES : 0;
    bytes += easel->planes ? TARGETS * PLANES_BYTES : 0;
    bytes += easel->bands->samples > 1 ? SUMS_BYTES : 0;
    const uint64_t most = easel->bands->memory_bytes / (bytes * (uint64_t)req->width_px);
    if (most >= (uint64_t)req->height_px)
        return req->height_px;
    const int rows = most < TILE_ROWS ? TILE_ROWS : (int)most / TILE_ROWS * TILE_ROWS;
    const int bands = (req->height_px + rows - 1) / rows;
    const int even = (req->height_px + bands - 1) / bands;
    return (even + TILE_ROWS - 1) / TILE_ROWS * TILE_ROWS;
}

static void plan(struct easel *easel) {
    struct bands *bands = easel->bands;
    easel->width_px = bands->req->width_px;
    easel->height_px = bands->req->height_px;
    easel->planes = bands->outputs->data || bands->outputs->smooth;
    easel->aprons = bands->samples > 1;
    easel->band_rows = choose_rows(easel);
    bands->count = (easel->height_px + easel->band_rows - 1) / easel->band_rows;
    easel->parts = (uint64_t)bands->count * bands->samples;
}

/* --- memory --- */

static bool allocate_target(const struct easel *easel, struct target *target, const char *what) {
    const uint64_t rows = (uint64_t)easel->band_rows + (easel->aprons ? 2 : 0);
    const uint64_t pixels = rows * (uint64_t)easel->width_px;
    target->rgba = memory_alloc(4 * pixels, what);
    target->at_once = true;
    return target->rgba && sample_planes_init(&target->planes, easel->planes ? SAMPLE_BASIC : 0,
                                              (size_t)pixels, what);
}

static bool allocate(struct easel *easel) {
    char what[80];
    snprintf(what, sizeof what, "a picture of %dx%d, drawn in %d parts", easel->width_px,
             easel->height_px, easel->bands->count);
    for (uint64_t i = 0; i < TARGETS && i < easel->parts; i++)
        if (!allocate_target(easel, &easel->targets[i], what))
            return false;
    const uint32_t samples = easel->bands->samples;
    if (samples > 1 && !accumulator_init(&easel->sums, easel->width_px, easel->band_rows))
        return false;
    if (samples > 1)
        accumulator_set_samples(&easel->sums, samples);
    return true;
}

static void release(struct easel *easel) {
    accumulator_finish(&easel->sums);
    for (int i = 0; i < TARGETS; i++) {
        free(easel->targets[i].rgba);
        sample_planes_finish(&easel->targets[i].planes);
    }
}

/* --- handing over --- */

static void init_locks(struct easel *easel) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&easel->lock, NULL);
    pthread_cond_init(&easel->moved, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

static void finish_locks(struct easel *easel) {
    pthread_cond_destroy(&easel->moved);
    pthread_mutex_destroy(&easel->lock);
}

static void raise_flag(struct easel *easel, bool *flag) {
    pthread_mutex_lock(&easel->lock);
    *flag = true;
    pthread_cond_broadcast(&easel->moved);
    pthread_mutex_unlock(&easel->lock);
}

static void advance(struct easel *easel, uint64_t *parts) {
    pthread_mutex_lock(&easel->lock);
    ++*parts;
    pthread_cond_broadcast(&easel->moved);
    pthread_mutex_unlock(&easel->lock);
}

static bool going_on(struct easel *easel) {
    pthread_mutex_lock(&easel->lock);
    const bool on = !easel->stop && !easel->failed;
    pthread_mutex_unlock(&easel->lock);
    return on && !interrupt_came();
}

/* Waits until at most this many parts are drawn and not written. False: interrupted, or
 * failed. */
static bool wait_for_writer(struct easel *easel, uint64_t parts) {
    pthread_mutex_lock(&easel->lock);
    while (easel->drawn - easel->taken > parts && !easel->failed && !interrupt_came()) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += LOOK_MS * 1000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&easel->moved, &easel->lock, &until);
    }
    pthread_mutex_unlock(&easel->lock);
    return going_on(easel);
}

/* --- the writer's thread --- */

static bool write_samples(struct easel *easel, const struct part *part, const struct target *from) {
    const size_t first = (size_t)part->above * (size_t)easel->width_px;
    const struct sample_planes samples = sample_planes_from(&from->planes, first);
    return outputs_samples(easel->bands->outputs, &samples, part->rows);
}

/* Some rows at a time, so that an interruption need not wait for a slow disk. */
static bool write_pixels(struct easel *easel, const struct part *part, uint32_t *rgba) {
    const bool mean = easel->bands->samples > 1;
    int rows;
    for (int y = 0; y < part->rows; y += rows) {
        rows = part->rows - y < TILE_ROWS ? part->rows - y : TILE_ROWS;
        if (mean)
            accumulator_mean(&easel->sums, y, rows, rgba);
        if (!going_on(easel) || !outputs_pixels(easel->bands->outputs, rgba, rows))
            return false;
        rgba += mean ? 0 : (size_t)rows * (size_t)easel->width_px;
    }
    return true;
}

static void add_sample(struct easel *easel, const struct part *part, const uint32_t *rgba) {
    if (part->sample == 0)
        accumulator_clear(&easel->sums);
    accumulator_add(&easel->sums, part->sample, 0, part->rows,
                    rgba + (size_t)part->above * (size_t)easel->width_px, part->above, part->below);
}

static bool take_part(struct easel *easel, uint64_t number) {
    const struct part part = part_of(easel, number);
    const struct target *target = &easel->targets[number % TARGETS];
    const uint32_t samples = easel->bands->samples;
    const double start = clock_ms();
    if (samples > 1)
        add_sample(easel, &part, target->rgba);
    const bool ok = (part.sample > 0 || !easel->planes || write_samples(easel, &part, target)) &&
                    (part.sample + 1 < samples || write_pixels(easel, &part, target->rgba));
    easel->bands->write_ms += clock_ms() - start;
    return ok;
}

static void *write_parts(void *user) {
    struct easel *easel = user;
    for (uint64_t number = 0; number < easel->parts; number++) {
        pthread_mutex_lock(&easel->lock);
        while (easel->drawn <= number && !easel->stop)
            pthread_cond_wait(&easel->moved, &easel->lock);
        const bool stop = easel->stop;
        pthread_mutex_unlock(&easel->lock);
        if (stop)
            break;
        if (!take_part(easel, number)) {
            raise_flag(easel, &easel->failed);
            break;
        }
        advance(easel, &easel->taken);
    }
    return NULL;
}

/* --- drawing --- */

static bool step(void *user, const struct backend_report *report) {
    struct easel *easel = user;
    const double done = ((double)easel->drawn + report->progress) / (double)easel->parts;
    if (easel->bands->step)
        return easel->bands->step(easel->bands->user, done) && going_on(easel);
    if (progress_show(done, clock_ms() - easel->started_ms))
        easel->progress_shown = true;
    return going_on(easel);
}

static bool draw_part(struct easel *easel, struct frame_req *req, uint64_t number) {
    struct bands *bands = easel->bands;
    const struct part part = part_of(easel, number);
    struct target target = easel->targets[number % TARGETS];
    struct backend_report report;
    req->part_y_px = part.y - part.above;
    req->height_px = part.above + part.rows + part.below;
    req->focus_y_px = req->height_px / 2;
    accumulate_offset(part.sample, &req->offset_x, &req->offset_y);
    if (part.sample > 0)
        target.planes = (struct sample_planes){0};
    if (!backend_draw(bands->backend, req, &target, step, easel, &report))
        return false;
    bands->iterations += report.iterations;
    bands->skipped += report.skipped;
    bands->kept += report.kept;
    bands->render_ms += report.elapsed_ms;
    return true;
}

static bool draw_parts(struct easel *easel) {
    struct frame_req req;
    bool ok = true;
    frame_req_init_copy(&req, easel->bands->req);
    req.whole_width_px = easel->width_px;
    req.whole_height_px = easel->height_px;
    for (uint64_t number = 0; ok && number < easel->parts; number++) {
        ok = wait_for_writer(easel, TARGETS - 1) && draw_part(easel, &req, number);
        if (ok)
            advance(easel, &easel->drawn);
    }
    frame_req_finish(&req);
    return ok && wait_for_writer(easel, 0);
}

static bool run(struct easel *easel) {
    init_locks(easel);
    bool ok = pthread_create(&easel->writer, NULL, write_parts, easel) == 0;
    if (ok) {
        ok = draw_parts(easel);
        raise_flag(easel, &easel->stop);
        pthread_join(easel->writer, NULL);
    } else {
        log_error("cannot start the thread that writes the picture");
    }
    if (easel->progress_shown)
        progress_hide();
    finish_locks(easel);
    return ok;
}

bool bands_draw(struct bands *bands) {
    struct easel easel = {.bands = bands, .started_ms = clock_ms()};
    bands->iterations = bands->skipped = bands->kept = 0;
    bands->render_ms = bands->write_ms = 0;
    plan(&easel);
    const bool ok = allocate(&easel) && run(&easel);
    release(&easel);
    return ok;
}
