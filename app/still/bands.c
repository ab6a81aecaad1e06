/* Bands: draws a picture of any size band by band, and a poster block by block. One of two targets
 * is drawn while the other is written, so that memory stays bounded. */
#include "app/still/bands.h"
#include "app/still/shared_blocks.h"
#include "render/accumulate.h"
#include "render/base/clock.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/base/progress.h"
#include "render/grid/exponential.h"
#include "render/light/light.h"
#include <math.h>
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
    int width_px, height_px;
    int block_columns, block_rows; /* size of the largest block */
    struct block *blocks;          /* all that are to be drawn; of shared ones, those claimed */
    bool samples;                  /* the files need samples */
    unsigned planes;               /* that are drawn */
    bool every;                    /* with each sample of a pixel; otherwise with the first */
    /* Blocks are drawn with a pixel of each neighbour, which anti-aliasing needs. */
    bool aprons;
    uint64_t parts; /* number of parts: one for each sample of each listed block */
    struct accumulator sums;
    uint64_t *row;   /* a row with 16 bits a channel; NULL: the files have 8 */
    uint16_t *curve; /* from light to 16 bits */
    struct target targets[TARGETS];
    double started_ms;
    bool progress_shown;

    bool alone; /* there is no thread for the writer */
    pthread_t writer;
    char why[600]; /* the writer's first error, which the drawing thread logs */
    pthread_mutex_t lock;
    pthread_cond_t moved;  /* signals a change of the members below, which `lock` protects */
    uint64_t drawn, taken; /* number of parts */
    bool stop, failed;     /* the writer must stop; it has failed */
};

/* A part: one sample of each pixel of a block. */
struct part {
    struct block block, drawn; /* with aprons, `drawn` is larger */
    uint32_t sample;
};

/* --- parts --- */

static struct block with_aprons(const struct drawing *drawing, const struct block *block) {
    const int right = block->x + block->columns, below = block->y + block->rows;
    const struct block drawn = {.x = block->x - (block->x > 0), .y = block->y - (block->y > 0)};
    return (struct block){.x = drawn.x,
                          .y = drawn.y,
                          .columns = right + (right < drawing->width_px) - drawn.x,
                          .rows = below + (below < drawing->height_px) - drawn.y};
}

static struct part part_of(const struct drawing *drawing, uint64_t number) {
    const uint32_t samples = drawing->bands->samples;
    const struct block *block = &drawing->blocks[number / samples];
    return (struct part){.block = *block,
                         .drawn = drawing->aprons ? with_aprons(drawing, block) : *block,
                         .sample = (uint32_t)(number % samples)};
}

static bool is_poster(const struct drawing *drawing) {
    const struct outputs *outputs = drawing->bands->outputs;
    return outputs->poster || outputs->shared;
}

/* Returns the position of a block's first pixel in its target. */
static size_t first_of(const struct part *part) {
    return (size_t)(part->block.y - part->drawn.y) * (size_t)part->drawn.columns +
           (size_t)(part->block.x - part->drawn.x);
}

/* Returns the largest part of `size` pixels, a multiple of `unit`, if it has at most `most` pixels
 * and all parts are about equal. */
static int divide_evenly(int size, uint64_t most, int unit) {
    if (most >= (uint64_t)size)
        return size;
    const int largest = most < (uint64_t)unit ? unit : (int)most / unit * unit;
    const int count = (size + largest - 1) / largest, even = (size + count - 1) / count;
    return (even + unit - 1) / unit * unit;
}

/* Chooses the size of blocks: as large as memory allows, as wide as the picture if files need whole
 * rows, and otherwise about square. Shared blocks may be smaller. */
static bool choose_size(struct drawing *drawing) {
    const struct frame_req *req = drawing->bands->req;
    const struct outputs *outputs = drawing->bands->outputs;
    uint64_t bytes = BACKEND_BYTES + TARGETS * 4;
    bytes += req->method == METHOD_DEEPEN ? DEEPEN_BYTES : 0;
    bytes += TARGETS * SAMPLE_PLANE_BYTES * (uint64_t)__builtin_popcount(drawing->planes);
    bytes += outputs->exr ? exr_pixel_bytes(req) : 0;
    bytes += drawing->bands->samples > 1 ? SUMS_BYTES : 0;
    bytes += drawing->bands->exact ? EXACT_BYTES : 0;
    const uint64_t most = drawing->bands->memory_bytes / bytes;
    const int unit = is_poster(drawing) ? POSTER_TILE : TILE_ROWS;
    uint64_t columns = (uint64_t)req->width_px;
    if (is_poster(drawing)) {
        const uint64_t side = (uint64_t)sqrt((double)most), height = (uint64_t)req->height_px;
        columns = most / (side < height ? side : height);
    }
    struct block block = {.columns = divide_evenly(req->width_px, columns, unit)};
    block.rows = divide_evenly(req->height_px, most / (uint64_t)block.columns, unit);
    const bool ok = !outputs->shared || shared_blocks_begin(outputs->shared, &block);
    drawing->block_columns = block.columns;
    drawing->block_rows = block.rows;
    return ok;
}

/* Lists the blocks that are to be drawn. Returns false without memory, which is logged. */
static bool list_blocks(struct drawing *drawing) {
    const struct poster *poster = drawing->bands->outputs->poster;
    const bool shared = drawing->bands->outputs->shared;
    const int width = drawing->width_px, height = drawing->height_px;
    const int across = (width - 1) / drawing->block_columns + 1;
    const int down = (height - 1) / drawing->block_rows + 1;
    const uint64_t bytes = (uint64_t)across * (uint64_t)down * sizeof *drawing->blocks;
    int count = 0;
    drawing->blocks = memory_alloc(bytes, "the list of a picture's blocks");
    for (int i = 0; drawing->blocks && !shared && i < across * down; i++) {
        struct block block = {.x = i % across * drawing->block_columns,
                              .y = i / across * drawing->block_rows};
        const int right = width - block.x, below = height - block.y;
        block.columns = right < drawing->block_columns ? right : drawing->block_columns;
        block.rows = below < drawing->block_rows ? below : drawing->block_rows;
        if (!poster || poster_lacks(poster, block.x, block.y, block.columns, block.rows))
            drawing->blocks[count++] = block;
    }
    drawing->bands->count = count;
    drawing->parts = (uint64_t)count * drawing->bands->samples;
    return drawing->blocks;
}

static bool divide(struct drawing *drawing) {
    struct bands *bands = drawing->bands;
    drawing->width_px = bands->req->width_px;
    drawing->height_px = bands->req->height_px;
    drawing->planes = outputs_planes(bands->outputs, bands->req);
    drawing->samples = drawing->planes != 0;
    drawing->every = bands->exact || exponential_has_lengths(bands->req);
    if (drawing->every)
        drawing->planes |= bands->req->planes;
    drawing->aprons = bands->samples > 1;
    return choose_size(drawing) && list_blocks(drawing);
}

/* --- memory --- */

static bool allocate_target(const struct drawing *drawing, struct target *target,
                            const char *what) {
    const uint64_t aprons = drawing->aprons ? 2 : 0;
    const uint64_t pixels =
        ((uint64_t)drawing->block_rows + aprons) * ((uint64_t)drawing->block_columns + aprons);
    target->rgba = memory_alloc(4 * pixels, what);
    target->at_once = true;
    return target->rgba &&
           sample_planes_init(&target->planes, drawing->planes, (size_t)pixels, what);
}

static bool allocate(struct drawing *drawing) {
    char what[80];
    snprintf(what, sizeof what, "a picture of %dx%d, drawn in blocks of %dx%d", drawing->width_px,
             drawing->height_px, drawing->block_columns, drawing->block_rows);
    const bool shared = drawing->bands->outputs->shared;
    for (uint64_t i = 0; i < TARGETS && (shared || i < drawing->parts); i++)
        if (!allocate_target(drawing, &drawing->targets[i], what))
            return false;
    const uint32_t samples = drawing->bands->samples;
    if (samples > 1 &&
        !accumulator_init(&drawing->sums, drawing->block_columns + 2, drawing->block_rows + 2))
        return false;
    if (samples > 1)
        accumulator_set_samples(&drawing->sums, samples);
    if (!drawing->bands->outputs->deep)
        return true;
    drawing->row = memory_alloc((uint64_t)drawing->width_px * sizeof *drawing->row, what);
    drawing->curve = memory_alloc((LIGHT_MAX + 1) * sizeof *drawing->curve, what);
    if (drawing->curve)
        light_fill_curve(drawing->curve, 65535);
    return drawing->row && drawing->curve;
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
    const struct sample_planes samples = sample_planes_from(&from->planes, first_of(part));
    return outputs_samples(drawing->bands->outputs, &samples, part->block.rows);
}

/* Writes rows with 16 bits a channel: the means from row `first` of the sums on, or else `rgba`. */
static bool write_deep(struct drawing *drawing, int first, int rows, const uint32_t *rgba) {
    const size_t width = (size_t)drawing->width_px;
    bool ok = true;
    for (int y = 0; ok && y < rows; y++, rgba += width) {
        if (drawing->bands->samples > 1)
            accumulator_mean_deep(&drawing->sums, first + y, drawing->curve, drawing->row);
        for (size_t x = 0; drawing->bands->samples == 1 && x < width; x++)
            drawing->row[x] = 257 * ((rgba[x] & 0xffull) | (rgba[x] & 0xff00ull) << 8 |
                                     (rgba[x] & 0xff0000ull) << 16 | 0xffull << 48);
        ok = outputs_pixels(drawing->bands->outputs, drawing->row, 1);
    }
    return ok;
}

/* Writes some rows at a time, so that an interrupt need not wait for a slow disk. */
static bool write_rows(struct drawing *drawing, const struct part *part, uint32_t *rgba) {
    const bool mean = drawing->bands->samples > 1;
    const int above = part->block.y - part->drawn.y;
    int rows;
    for (int y = 0; y < part->block.rows; y += rows) {
        rows = part->block.rows - y < TILE_ROWS ? part->block.rows - y : TILE_ROWS;
        if (mean && !drawing->row)
            accumulator_mean(&drawing->sums, above + y, rows, rgba);
        if (!is_running(drawing) ||
            !(drawing->row ? write_deep(drawing, above + y, rows, rgba)
                           : outputs_pixels(drawing->bands->outputs, rgba, rows)))
            return false;
        rgba += mean ? 0 : (size_t)rows * (size_t)drawing->width_px;
    }
    return true;
}

static bool write_block(struct drawing *drawing, const struct part *part, uint32_t *rgba) {
    const struct block *block = &part->block;
    const struct outputs *outputs = drawing->bands->outputs;
    const size_t stride = (size_t)part->drawn.columns;
    if (drawing->bands->samples > 1)
        accumulator_mean(&drawing->sums, 0, part->drawn.rows, rgba);
    if (!is_running(drawing))
        return false;
    rgba += first_of(part);
    return outputs->shared ? shared_blocks_write(outputs->shared, block, rgba, stride)
                           : poster_write(outputs->poster, block->x, block->y, block->columns,
                                          block->rows, rgba, stride);
}

/* Adds the sums of a part. Those of its aprons, which lack neighbours, are not written. */
static void add_part(struct drawing *drawing, const struct part *part, const uint32_t *rgba) {
    if (part->sample == 0)
        accumulator_restart(&drawing->sums, part->drawn.columns, part->drawn.rows);
    accumulator_add(&drawing->sums, part->sample, 0, part->drawn.rows, rgba, false, false);
}

static bool take_part(struct drawing *drawing, uint64_t number) {
    const struct part part = part_of(drawing, number);
    const struct target *target = &drawing->targets[number % TARGETS];
    const uint32_t samples = drawing->bands->samples;
    const double start = clock_ms();
    if (samples > 1)
        add_part(drawing, &part, target->rgba);
    bool ok = part.sample > 0 || !drawing->samples || write_samples(drawing, &part, target);
    if (ok && part.sample + 1 == samples)
        ok = is_poster(drawing) ? write_block(drawing, &part, target->rgba)
                                : write_rows(drawing, &part, target->rgba);
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
    log_listen_instead(drawing->why, sizeof drawing->why);
    for (uint64_t number = 0;; number++) {
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
    const struct shared_blocks *shared = drawing->bands->outputs->shared;
    const uint32_t samples = drawing->bands->samples;
    const double done =
        shared
            ? shared_blocks_done(shared, ((double)(drawing->drawn % samples) + part_done) / samples)
            : ((double)drawing->drawn + part_done) / (double)drawing->parts;
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
    req->part_x_px = part.drawn.x;
    req->part_y_px = part.drawn.y;
    req->width_px = part.drawn.columns;
    req->height_px = part.drawn.rows;
    req->focus_x_px = req->width_px / 2;
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

static bool go_on(void *user) {
    return is_running(user);
}

/* Returns true if there is a part of this number; claims a further block for it if blocks are
 * shared. *ok becomes false on failure. */
static bool has_part(struct drawing *drawing, uint64_t number, bool *ok) {
    struct bands *bands = drawing->bands;
    struct shared_blocks *shared = bands->outputs->shared;
    if (number < drawing->parts || !shared)
        return number < drawing->parts;
    const enum shared_state state =
        shared_blocks_next(shared, &drawing->blocks[bands->count], go_on, drawing);
    *ok = state != SHARED_FAILED;
    bands->count += state == SHARED_BLOCK;
    drawing->parts = (uint64_t)bands->count * bands->samples;
    return state == SHARED_BLOCK;
}

static bool draw_parts(struct drawing *drawing) {
    struct frame_req req;
    bool ok = true;
    frame_req_init_copy(&req, drawing->bands->req);
    req.whole_width_px = drawing->width_px;
    req.whole_height_px = drawing->height_px;
    for (uint64_t number = 0;
         ok && (ok = wait_for_writer(drawing, TARGETS - 1)) && has_part(drawing, number, &ok);
         number++) {
        ok = draw_part(drawing, &req, number);
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
    if (*drawing->why)
        log_error("%s", drawing->why);
    pthread_cond_destroy(&drawing->moved);
    pthread_mutex_destroy(&drawing->lock);
    return ok;
}

bool bands_draw(struct bands *bands) {
    struct drawing drawing = {.bands = bands, .started_ms = clock_ms()};
    bands->iterations = bands->skipped = bands->kept = 0;
    bands->reference_ms = bands->render_ms = bands->write_ms = 0;
    const bool ok = divide(&drawing) && allocate(&drawing) && run(&drawing);
    free(drawing.blocks);
    free(drawing.row);
    free(drawing.curve);
    accumulator_finish(&drawing.sums);
    for (int i = 0; i < TARGETS; i++) {
        free(drawing.targets[i].rgba);
        sample_planes_finish(&drawing.targets[i].planes);
    }
    return ok;
}
