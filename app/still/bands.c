/* Bands: draws a picture of any size band by band. One of two targets is drawn while the other
 * is written, so that memory stays bounded. */
#include "app/still/bands.h"
#include "render/accumulate.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/progress.h"
#include "render/grid/exponential.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define TARGETS   2
#define TILE_ROWS 64 /* bands begin where tiles begin */
#define LOOK_MS   50 /* [ms] interval for checking interrupts */

/* Bytes per pixel. A backend stores a count, a fraction and a colour; METHOD_DEEPEN also stores
 * orbits to continue. */
#define BACKEND_BYTES 12
#define DEEPEN_BYTES  24
#define SUMS_BYTES    12
#define EXACT_BYTES   80 /* points, and planes of slopes */

struct drawing {
    struct bands *bands;
    int width_px, height_px, band_rows;
    bool samples;    /* the files need samples */
    unsigned planes; /* that are drawn */
    bool every;      /* with each sample of a pixel; otherwise with the first */
    /* Bands include a row of each neighbour, which anti-aliasing needs. */
    bool aprons;
    uint64_t parts; /* number of parts: one for each sample of each band */
    struct accumulator sums;
    struct target targets[TARGETS];
    double started_ms;
    bool progress_shown;

    bool alone; /* there is no thread for the writer */
    pthread_t writer;
    pthread_mutex_t lock;
    pthread_cond_t moved;  /* signals a change of the members below, which `lock` protects */
    uint64_t drawn, taken; /* number of parts */
    bool stop, failed;     /* the writer must stop; it has failed */
};

/* A part: one sample of each pixel of a band. */
struct part {
    int y, rows;      /* rows of the band */
    int above, below; /* additional rows that are drawn */
    uint32_t sample;
};

/* --- parts --- */

static struct part part_of(const struct drawing *drawing, uint64_t number) {
    const uint32_t samples = drawing->bands->samples;
    const int y = (int)(number / samples) * drawing->band_rows, left = drawing->height_px - y;
    const int rows = left < drawing->band_rows ? left : drawing->band_rows;
    return (struct part){.y = y,
                         .rows = rows,
                         .above = drawing->aprons && y > 0,
                         .below = drawing->aprons && rows < left,
                         .sample = (uint32_t)(number % samples)};
}

/* Returns as many rows as memory allows, divided evenly. */
static int choose_rows(const struct drawing *drawing) {
    const struct frame_req *req = drawing->bands->req;
    uint64_t bytes = BACKEND_BYTES + TARGETS * 4;
    bytes += req->method == METHOD_DEEPEN ? DEEPEN_BYTES : 0;
    bytes += TARGETS * SAMPLE_PLANE_BYTES * (uint64_t)__builtin_popcount(drawing->planes);
    bytes += drawing->bands->outputs->exr ? exr_pixel_bytes(req) : 0;
    bytes += drawing->bands->samples > 1 ? SUMS_BYTES : 0;
    bytes += drawing->bands->exact ? EXACT_BYTES : 0;
    const uint64_t most = drawing->bands->memory_bytes / (bytes * (uint64_t)req->width_px);
    if (most >= (uint64_t)req->height_px)
        return req->height_px;
    const int rows = most < TILE_ROWS ? TILE_ROWS : (int)most / TILE_ROWS * TILE_ROWS;
    const int bands = (req->height_px + rows - 1) / rows;
    const int even = (req->height_px + bands - 1) / bands;
    return (even + TILE_ROWS - 1) / TILE_ROWS * TILE_ROWS;
}

static void divide(struct drawing *drawing) {
    struct bands *bands = drawing->bands;
    drawing->width_px = bands->req->width_px;
    drawing->height_px = bands->req->height_px;
    drawing->planes = outputs_planes(bands->outputs, bands->req);
    drawing->samples = drawing->planes != 0;
    drawing->every = bands->exact || exponential_has_lengths(bands->req);
    if (drawing->every)
        drawing->planes |= bands->req->planes;
    drawing->aprons = bands->samples > 1;
    drawing->band_rows = choose_rows(drawing);
    bands->count = (drawing->height_px + drawing->band_rows - 1) / drawing->band_rows;
    drawing->parts = (uint64_t)bands->count * bands->samples;
}

/* --- memory --- */

static bool allocate_target(const struct drawing *drawing, struct target *target,
                            const char *what) {
    const uint64_t rows = (uint64_t)drawing->band_rows + (drawing->aprons ? 2 : 0);
    const uint64_t pixels = rows * (uint64_t)drawing->width_px;
    target->rgba = memory_alloc(4 * pixels, what);
    target->at_once = true;
    return target->rgba &&
           sample_planes_init(&target->planes, drawing->planes, (size_t)pixels, what);
}

static bool allocate(struct drawing *drawing) {
    char what[80];
    snprintf(what, sizeof what, "a picture of %dx%d, drawn in %d parts", drawing->width_px,
             drawing->height_px, drawing->bands->count);
    for (uint64_t i = 0; i < TARGETS && i < drawing->parts; i++)
        if (!allocate_target(drawing, &drawing->targets[i], what))
            return false;
    const uint32_t samples = drawing->bands->samples;
    if (samples > 1 && !accumulator_init(&drawing->sums, drawing->width_px, drawing->band_rows))
        return false;
    if (samples > 1)
        accumulator_set_samples(&drawing->sums, samples);
    return true;
}

/* --- synchronisation --- */

static void set_flag(struct drawing *drawing, bool *flag) {
    pthread_mutex_lock(&drawing->lock);
    *flag = true;
    pthread_cond_broadcast(&drawing->moved);
    pthread_mutex_unlock(&drawing->lock);
}

static void advance(struct drawing *drawing, uint64_t *parts) {
    pthread_mutex_lock(&drawing->lock);
    ++*parts;
    pthread_cond_broadcast(&drawing->moved);
    pthread_mutex_unlock(&drawing->lock);
}

static bool is_running(struct drawing *drawing) {
    pthread_mutex_lock(&drawing->lock);
    const bool on = !drawing->stop && !drawing->failed;
    pthread_mutex_unlock(&drawing->lock);
    return on && !interrupt_requested();
}

/* Waits until at most `parts` parts are drawn but not written. Returns false after an interrupt
 * or a failure. */
static bool wait_for_writer(struct drawing *drawing, uint64_t parts) {
    pthread_mutex_lock(&drawing->lock);
    while (drawing->drawn - drawing->taken > parts && !drawing->failed && !interrupt_requested()) {
        const struct timespec until = clock_after(CLOCK_MONOTONIC, LOOK_MS);
        pthread_cond_timedwait(&drawing->moved, &drawing->lock, &until);
    }
    pthread_mutex_unlock(&drawing->lock);
    return is_running(drawing);
}

/* --- the writer's thread --- */

static bool write_samples(struct drawing *drawing, const struct part *part,
                          const struct target *from) {
    const size_t first = (size_t)part->above * (size_t)drawing->width_px;
    const struct sample_planes samples = sample_planes_from(&from->planes, first);
    return outputs_samples(drawing->bands->outputs, &samples, part->rows);
}

/* Writes some rows at a time, so that an interrupt need not wait for a slow disk. */
static bool write_pixels(struct drawing *drawing, const struct part *part, uint32_t *rgba) {
    const bool mean = drawing->bands->samples > 1;
    int rows;
    for (int y = 0; y < part->rows; y += rows) {
        rows = part->rows - y < TILE_ROWS ? part->rows - y : TILE_ROWS;
        if (mean)
            accumulator_mean(&drawing->sums, y, rows, rgba);
        if (!is_running(drawing) || !outputs_pixels(drawing->bands->outputs, rgba, rows))
            return false;
        rgba += mean ? 0 : (size_t)rows * (size_t)drawing->width_px;
    }
    return true;
}

static bool take_part(struct drawing *drawing, uint64_t number) {
    const struct part part = part_of(drawing, number);
    const struct target *target = &drawing->targets[number % TARGETS];
    const uint32_t samples = drawing->bands->samples;
    const double start = clock_ms();
    if (samples > 1) {
        if (part.sample == 0)
            accumulator_clear(&drawing->sums);
        accumulator_add(&drawing->sums, part.sample, 0, part.rows,
                        target->rgba + (size_t)part.above * (size_t)drawing->width_px, part.above,
                        part.below);
    }
    const bool ok =
        (part.sample > 0 || !drawing->samples || write_samples(drawing, &part, target)) &&
        (part.sample + 1 < samples || write_pixels(drawing, &part, target->rgba));
    drawing->bands->write_ms += clock_ms() - start;
    return ok;
}

/* Writes a part. On failure raises `failed` and returns false. */
static bool write_part(struct drawing *drawing, uint64_t number) {
    const bool ok = take_part(drawing, number);
    if (ok)
        advance(drawing, &drawing->taken);
    else
        set_flag(drawing, &drawing->failed);
    return ok;
}

static void *write_parts(void *user) {
    struct drawing *drawing = user;
    for (uint64_t number = 0; number < drawing->parts; number++) {
        pthread_mutex_lock(&drawing->lock);
        while (drawing->drawn <= number && !drawing->stop)
            pthread_cond_wait(&drawing->moved, &drawing->lock);
        const bool stop = drawing->stop;
        pthread_mutex_unlock(&drawing->lock);
        if (stop)
            break;
        if (!write_part(drawing, number))
            break;
    }
    return NULL;
}

/* --- drawing --- */

/* Reports the finished share of the part at hand. Returns false to stop. */
static bool report_done(struct drawing *drawing, const char *what, double part_done) {
    const double done = ((double)drawing->drawn + part_done) / (double)drawing->parts;
    if (drawing->bands->step)
        return drawing->bands->step(drawing->bands->user, done) && is_running(drawing);
    if (progress_show(what, done, clock_ms() - drawing->started_ms))
        drawing->progress_shown = true;
    return is_running(drawing);
}

static bool step(void *user, const struct backend_report *report) {
    struct drawing *drawing = user;
    const struct reference_facts *reference = &report->reference;
    if (drawing->bands->step || !reference->making)
        return report_done(drawing, NULL, report->progress);
    if (progress_show("reference", reference->progress, reference->made_ms))
        drawing->progress_shown = true;
    return is_running(drawing);
}

static bool exact_step(void *user, double part_done) {
    return report_done(user, "exact", part_done);
}

static bool draw_part(struct drawing *drawing, struct frame_req *req, uint64_t number) {
    struct bands *bands = drawing->bands;
    const struct part part = part_of(drawing, number);
    struct target target = drawing->targets[number % TARGETS];
    struct backend_report report;
    req->part_y_px = part.y - part.above;
    req->height_px = part.above + part.rows + part.below;
    req->focus_y_px = req->height_px / 2;
    accumulate_offset(part.sample, &req->offset_x, &req->offset_y);
    if (part.sample > 0 && !drawing->every)
        target.planes = (struct sample_planes){0};
    if (!backend_draw(bands->backend, req, &target, step, drawing, &report) ||
        (bands->exact && !exact_samples_correct(bands->exact, req, &target, exact_step, drawing)))
        return false;
    if (exponential_has_lengths(req))
        exponential_convert(req, &target.planes, target.rgba);
    bands->iterations += report.iterations;
    bands->skipped += report.skipped;
    bands->kept += report.kept;
    bands->render_ms += report.elapsed_ms;
    bands->reference_ms += report.reference.made_ms;
    bands->reference_length = report.reference.length;
    bands->reference_period = report.reference.period;
    return true;
}

static bool draw_parts(struct drawing *drawing) {
    struct frame_req req;
    bool ok = true;
    frame_req_init_copy(&req, drawing->bands->req);
    req.whole_width_px = drawing->width_px;
    req.whole_height_px = drawing->height_px;
    for (uint64_t number = 0; ok && number < drawing->parts; number++) {
        ok = wait_for_writer(drawing, TARGETS - 1) && draw_part(drawing, &req, number);
        if (ok)
            advance(drawing, &drawing->drawn);
        if (ok && drawing->alone)
            write_part(drawing, number);
    }
    frame_req_finish(&req);
    return ok && wait_for_writer(drawing, 0);
}

static bool run(struct drawing *drawing) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&drawing->lock, NULL);
    pthread_cond_init(&drawing->moved, &monotonic);
    pthread_condattr_destroy(&monotonic);
    drawing->alone = pthread_create(&drawing->writer, NULL, write_parts, drawing) != 0;
    const bool ok = draw_parts(drawing);
    set_flag(drawing, &drawing->stop);
    if (!drawing->alone)
        pthread_join(drawing->writer, NULL);
    if (drawing->progress_shown)
        progress_hide();
    pthread_cond_destroy(&drawing->moved);
    pthread_mutex_destroy(&drawing->lock);
    return ok;
}

bool bands_draw(struct bands *bands) {
    struct drawing drawing = {.bands = bands, .started_ms = clock_ms()};
    bands->iterations = bands->skipped = bands->kept = 0;
    bands->reference_ms = bands->render_ms = bands->write_ms = 0;
    divide(&drawing);
    const bool ok = allocate(&drawing) && run(&drawing);
    accumulator_finish(&drawing.sums);
    for (int i = 0; i < TARGETS; i++) {
        free(drawing.targets[i].rgba);
        sample_planes_finish(&drawing.targets[i].planes);
    }
    return ok;
}
