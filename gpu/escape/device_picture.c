/* Device picture: draws a picture on a device. Passes over lattices, coarse to fine, make every
 * pixel's first steps; rounds then continue the unfinished pixels. All launches are slices. */
#include "gpu/escape/device_picture.h"
#include "gpu/escape/device_walks.h"
#include "gpu/escape/reuse.h"
#include "gpu/launch/launch.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include "render/grid/coords.h"
#include "render/light/light.h"

#define SPIN_MS      8.0 /* [ms] time for which waiting for a picture justifies a spinning thread */
#define PAINT_MS     8.0 /* [ms] interval of colouring, if the iteration kernels do not colour */
#define FIRST_STEPS  256u /* steps of all pixels, before some pixels continue */
#define DEEPEN_STEPS 64u  /* as above, if outlines are wanted soon */
#define WAVES        2u   /* minimum threads of a launch, in multiples of the resident threads */
#define LAUNCHES_MAX 16.0 /* maximum number of launches of a picture without rounds */
#define RUN_STEPS    64u  /* warps draw RUN_TILES tiles each if the limit is not higher */
#define RUN_TILES    4u
#define ROWS_MAX     65535u /* maximum rows of tiles in a launch: a grid's height */
/* band heights are multiples of this: a row of tiles of the coarsest lattice */
#define BAND_ROWS   64u
#define TILE_SQUARE 3u /* 8x4 */
#define TILE_ROW    5u /* 32x1 */

/* --- between launches --- */

static uint64_t samples_done(const struct device_picture *d) {
    return d->slices->last.done;
}

static void publish(struct device_picture *d) {
    const struct tally *now = &d->slices->last;
    pthread_mutex_lock(&d->handoff->lock);
    d->progress->iterations = now->steps;
    d->progress->skipped = now->skipped;
    d->progress->samples = now->done;
    d->progress->device_ms = d->slices->device_ms;
    pthread_mutex_unlock(&d->handoff->lock);
}

static struct shades shades_of(const struct device_picture *d) {
    const struct colouring *colouring = &d->req->colouring;
    return (struct shades){
        .frequency = colouring->frequency,
        .offset = colouring->offset,
        .interior = colouring->interior,
        .smooth = colouring->smooth,
        .mapping = colouring->mapping,
        .by = colouring->by,
        .inside = colouring->inside,
        .image_scale = colouring->image_scale,
        .layers = colouring->layers,
    };
}

struct planes device_picture_planes(const struct device_picture *d) {
    struct planes planes = d->buffers->now;
    for (int p = 0; p < SAMPLE_PLANES; p++)
        if (!(d->req->planes >> p & 1))
            planes.plane[p].word = 0;
    return planes;
}

/* Returns true if a kernel of its own must colour the picture, because the iteration kernels do not
 * support its colouring. */
static bool needs_colour_kernel(const struct device_picture *d) {
    const struct colouring *colouring = &d->req->colouring;
    return colouring->mapping != MAPPING_LINEAR || colouring->by != BY_COUNT ||
           colouring->inside != INSIDE_ONE || colouring->layers.layer[0].kind != LAYER_NONE ||
           colouring->layers.layer[1].kind != LAYER_NONE;
}

/* Colours all samples into the pixel buffer. If `count` is true, also counts the final samples. */
static bool paint(struct device_picture *d, bool count) {
    const size_t pixels = (size_t)d->req->width_px * (size_t)d->req->height_px;
    struct colour_args args = {
        .task = {.shades = shades_of(d), .limit = d->req->limit},
        .planes = device_picture_planes(d),
        .rgba = d->pixel_buffer->rgba,
        .table = d->buffers->table,
        .tally = count ? d->slices->tally : (struct device_pointer){0},
    };
    while (pixels_next(pixels, &args.task.begin, &args.task.size))
        if (!SLICES_LAUNCH(d->slices, launch_colour(d->slices, &args)))
            return false;
    return true;
}

static bool upload_part(struct device_picture *d, size_t at, const uint32_t *from, size_t size) {
    const struct device_impl *impl = d->slices->impl;
    const struct device_pointer to = device_pointer_at(d->buffers->table, at * sizeof *from);
    return slices_ok(d->slices, impl->upload(d->slices->queue, to, from, size * sizeof *from));
}

static bool upload_table(struct device_picture *d) {
    const struct colouring *colouring = &d->req->colouring;
    return upload_part(d, 0, colouring->table, COLOUR_TABLE_SIZE) &&
           upload_part(d, COLOUR_TABLE_SIZE, light_table(), LAYER_TABLE_SIZE) &&
           upload_part(d, SHADES_KNOTS, colouring->ranks.knot, COLOUR_KNOTS) &&
           (colouring->by != BY_IMAGE ||
            upload_part(d, SHADES_IMAGE, colouring->image, COLOUR_IMAGE_SIZE));
}

/* Takes a change. Returns true if the colours change for all later launches. */
static bool take_change(struct device_picture *d) {
    struct change change;
    if (!handoff_take_change(d->handoff, &change))
        return false;
    d->req->colouring = change.look.colouring;
    return true;
}

/* Paints after all earlier launches and before all later ones. */
static bool repaint_between(struct device_picture *d, bool recolour) {
    const bool overlap = d->slices->overlap;
    return slices_overlap(d->slices, false) && (!recolour || upload_table(d)) && paint(d, false) &&
           slices_overlap(d->slices, overlap);
}

bool device_picture_tick(struct device_picture *d) {
    const double now = clock_ms();
    bool repaint;
    d->slices->spins = now - d->start_ms < SPIN_MS;
    publish(d);
    if (!pixel_buffer_tick(d->pixel_buffer, now, &repaint))
        return false;
    const bool recolour = take_change(d);
    if (recolour)
        pixel_buffer_update_next(d->pixel_buffer);
    if (needs_colour_kernel(d) && d->pixel_buffer->rgba.word && now - d->painted_ms > PAINT_MS)
        repaint = true;
    if (!repaint && !recolour)
        return true;
    d->painted_ms = now;
    return repaint_between(d, recolour);
}

/* --- before the first step --- */

static bool upload_coords_of(struct device_picture *d, const struct frame_req *req,
                             struct device_pointer to) {
    struct slices *slices = d->slices;
    struct coords coords;
    if (!coords_init(&coords, req))
        return slices_ok(slices, DEVICE_NO_MEMORY);
    const bool ok =
        slices_ok(slices, slices->impl->upload(slices->queue, to, coords.table, coords.bytes));
    coords_finish(&coords);
    return ok;
}

static bool upload_coords(struct device_picture *d) {
    struct frame_req doubles = *d->req; /* borrows all members */
    doubles.type = TYPE_DOUBLE;
    return upload_coords_of(d, d->req, d->buffers->coords) &&
           (d->req->doubles_limit == 0 || upload_coords_of(d, &doubles, d->buffers->double_coords));
}

static bool upload_traces(struct device_picture *d) {
    struct frame_req *req = d->req;
    struct perturbation *of = req->screen ? req->screen : req->perturbation;
    struct device_tables_store *store = req->screen ? &d->buffers->screen : &d->buffers->deep;
    return !of || !(req->planes & SAMPLE_TRACE) ||
           device_traces_upload(store, d->slices, req, of, &d->traces);
}

static bool upload_tables(struct device_picture *d) {
    struct frame_req *req = d->req;
    return (!req->perturbation || device_tables_upload(&d->buffers->deep, d->slices, req,
                                                       req->perturbation, &d->tables)) &&
           (!req->screen ||
            device_tables_upload(&d->buffers->screen, d->slices, req, req->screen, &d->screen)) &&
           upload_traces(d);
}

/* Returns the minimum number of threads of a launch: some waves, or a row of tiles 4 pixels
 * high. */
static uint32_t least_threads(const struct device_picture *d) {
    const uint32_t row = 4 * (uint32_t)d->req->width_px;
    return row > WAVES * d->threads ? row : WAVES * d->threads;
}

/* Returns true if doubles decide which pixels need wide numbers. */
static bool is_screened(const struct frame_req *req) {
    return req->screen || req->doubles_limit > 0;
}

/* Decides whether the picture needs no rounds, or even just one launch. */
static void choose_passes(struct device_picture *d) {
    const struct frame_req *req = d->req;
    const double pixels = (double)req->width_px * req->height_px;
    const double work = pixels * req->limit;
    d->single_round = req->method != METHOD_DEEPEN && !is_screened(req) &&
                      work <= LAUNCHES_MAX * d->budget->work &&
                      launch_budget_steps(d->budget, req->limit, least_threads(d)) == req->limit;
    d->single_launch = d->single_round && work <= d->budget->work &&
                       pixels <= (double)d->buffers->band && (uint32_t)req->height_px <= ROWS_MAX &&
                       (req->first_stride == 1 || req->method == METHOD_ROWS);
}

static bool prepare(struct device_picture *d) {
    bool kept = true;
    choose_passes(d);
    take_change(d);
    if (!d->repeats) /* The owner may still read what has arrived of a repeated picture. */
        readback_start(d->readback, d->req->width_px, d->req->height_px);
    if (!slices_restart(d->slices) ||
        !pixel_buffer_start(d->pixel_buffer, d->gl, d->buffers->rgba) || !upload_table(d) ||
        (!d->repeats && (!upload_coords(d) || !upload_tables(d) || !reuse_samples(d, &kept))))
        return false;
    d->fresh = !kept;
    if (d->fresh)
        return true;
    if (!paint(d, true) || !slices_drain(d->slices))
        return false;
    pthread_mutex_lock(&d->handoff->lock);
    d->progress->kept = samples_done(d);
    pthread_mutex_unlock(&d->handoff->lock);
    return true;
}

/* --- iterating --- */

/* Rounds `size` down to whole waves of threads, unless it is less than a wave. */
static uint32_t whole_waves(const struct device_picture *d, uint32_t size) {
    return size > d->threads ? size / d->threads * d->threads : size;
}

static uint32_t next_steps(const struct device_picture *d, uint32_t done, uint32_t threads) {
    const uint32_t left = d->req->limit - done;
    const uint32_t first = d->req->method == METHOD_DEEPEN ? DEEPEN_STEPS : FIRST_STEPS;
    const uint64_t wanted = done == 0 ? first : 3 * (uint64_t)done;
    if (d->single_round)
        return left;
    return launch_budget_steps(d->budget, left <= wanted + wanted / 2 ? left : (uint32_t)wanted,
                               threads);
}

/* Makes one launch over `size` entries, or over `size` rows of tiles with `points` points each. */
static bool run_slice(struct device_picture *d, struct iterate_args *args, uint32_t points) {
    struct iterate_task *const task = &args->task;
    if ((!d->single_launch && !device_picture_tick(d)) || !slices_begin(d->slices))
        return false;
    args->rgba = needs_colour_kernel(d) ? (struct device_pointer){0} : d->pixel_buffer->rgba;
    task->shades = shades_of(d);
    task->listed = args->from.word != 0;
    const double work = (double)task->size * points * task->steps;
    const enum device_error launch = SLICES_TRY(d->slices, launch_iterate(d->slices, d->req, args));
    if (!slices_end(d->slices, launch, work, d->budget))
        return false;
    if (d->single_launch)
        device_buffers_assign(d->buffers, d->req);
    return true;
}

/* Iterates all pixels of a list, or of `size` rows of the lattice from task.begin, by task.steps
 * steps. */
static bool run_slices(struct device_picture *d, struct iterate_args *args, uint32_t size) {
    struct iterate_task *const task = &args->task;
    const uint32_t points = args->from.word ? 1 : lattice_row_points(&task->lattice);
    if (!d->single_launch && !slices_overlap(d->slices, true))
        return false;
    for (const uint32_t end = task->begin + size; task->begin < end; task->begin += task->size) {
        const uint32_t most = whole_waves(d, launch_budget_pixels(d->budget, task->steps)) / points;
        const uint32_t left = end - task->begin;
        task->size = left < most || d->single_launch ? left : most > 0 ? most : 1;
        if (!args->from.word && task->size > ROWS_MAX)
            task->size = ROWS_MAX;
        if (!run_slice(d, args, points))
            return false;
    }
    return true;
}

/* Sets *listed to the length of the finished list, and begins an empty list. */
static bool finish_list(struct device_picture *d, uint32_t *listed) {
    if (!slices_drain(d->slices) || !slices_overlap(d->slices, false))
        return false;
    *listed = (uint32_t)d->slices->last.listed;
    return slices_clear_list(d->slices);
}

/* Returns the number of threads for which a round's launches must have room. Perturbed orbits end
 * after a similar number of rounds, so that all remaining orbits continue together. */
static uint32_t round_threads(const struct device_picture *d, uint32_t listed) {
    const uint32_t least = d->threads / 32;
    if (d->req->route != ROUTE_PERTURBED)
        return least_threads(d);
    return listed > least ? listed : least;
}

/* Iterates the pixels that the first steps have listed, up to the limit. */
static bool run_rounds(struct device_picture *d, struct iterate_args args) {
    struct iterate_task *const task = &args.task;
    uint32_t done = task->steps, listed = 0;
    bool ok = !args.to.word || finish_list(d, &listed);
    for (int turn = 0; ok && listed > 0; turn ^= 1) {
        args.from = d->buffers->lists[turn];
        args.to = d->buffers->lists[turn ^ 1];
        task->steps = next_steps(d, done, round_threads(d, listed));
        task->begin = 0;
        done += task->steps;
        ok = run_slices(d, &args, listed) && finish_list(d, &listed);
    }
    return ok;
}

static int clamp(int x, int low, int high) {
    return x < low ? low : x > high ? high : x;
}

/* Makes the first steps of a band's pixels, coarse to fine, then runs the rounds. After a zoom in,
 * the kept samples form a lattice. That lattice comes first, so that all pixels of a warp have work
 * or none has. */
static bool run_passes(struct device_picture *d, struct iterate_args *args, uint32_t first,
                       uint32_t rows) {
    struct iterate_task *const task = &args->task;
    const int focus = clamp(d->req->focus_y_px - (int)first, 0, (int)rows - 1);
    const struct grid_map kept = d->fresh || d->map.scale_log2 < 0 ? (struct grid_map){0} : d->map;
    const int known = kept.scale_log2 < 4 ? 1 << kept.scale_log2 : FRAME_STRIDE_MAX;
    const int coarsest = known > d->req->first_stride ? known : d->req->first_stride;
    for (int stride = coarsest; stride > 0; stride /= 2)
        for (int part = 0; part < (stride == coarsest ? 1 : LATTICE_PARTS); part++) {
            task->lattice = lattice_of((uint32_t)stride, stride == coarsest, part, TILE_SQUARE);
            lattice_fit(&task->lattice, task->width, rows, (uint32_t)focus);
            if (kept.scale_log2 > 0)
                lattice_move(&task->lattice, -(uint32_t)kept.dx, -(uint32_t)kept.dy);
            task->lattice.first_y += first;
            task->begin = 0;
            if (!run_slices(d, args, task->lattice.tiles_y))
                return false;
        }
    return run_rounds(d, *args);
}

/* Draws a band from the top down: enough rows to keep the device busy, up to the limit, then the
 * next rows. */
static bool run_rows(struct device_picture *d, struct iterate_args *args, uint32_t first,
                     uint32_t rows) {
    struct iterate_task *const task = &args->task;
    const uint32_t busy = d->single_round ? rows : WAVES * d->threads / task->width + 1;
    task->lattice = lattice_of(1, true, 0, TILE_ROW);
    lattice_fit(&task->lattice, task->width, rows, 0);
    task->lattice.first_y = first;
    for (uint32_t row = 0; row < rows; row += busy) {
        task->begin = row;
        if (!run_slices(d, args, rows - row < busy ? rows - row : busy) || !run_rounds(d, *args))
            return false;
    }
    return true;
}

static struct iterate_args iterate_args_of(const struct device_picture *d) {
    const struct frame_req *req = d->req;
    struct iterate_args args = {
        .task =
            {
                .run = req->limit <= RUN_STEPS ? RUN_TILES : 1,
                .layout = coords_layout(req),
                .fresh = d->fresh,
                .uncleared = d->single_launch,
                .width = (uint32_t)req->width_px,
                .height = (uint32_t)req->height_px,
                .steps = next_steps(d, 0, least_threads(d)),
                .limit = req->limit,
                .cardioid = (req->shortcuts & SHORTCUTS_CARDIOID) != 0,
                .cycle = (req->shortcuts & SHORTCUTS_CYCLE) != 0,
                .serial = d->serial,
            },
        .coords = d->buffers->coords,
        .planes = device_picture_planes(d),
        .states = d->buffers->states,
        .table = d->buffers->table,
        .tally = d->slices->tally,
        .abort = d->abort,
        .tables = d->tables,
    };
    fractal_recipe(&req->fractal, req->type, &args.task.recipe);
    return args;
}

static bool run_band(struct device_picture *d, struct iterate_args *args, uint32_t first,
                     uint32_t rows) {
    args->to =
        args->task.steps < args->task.limit ? d->buffers->lists[0] : (struct device_pointer){0};
    return d->req->method == METHOD_ROWS ? run_rows(d, args, first, rows)
                                         : run_passes(d, args, first, rows);
}

/* Iterates all points in doubles. */
static bool screen_band(struct device_picture *d, struct iterate_args args, uint32_t first,
                        uint32_t rows) {
    args.screened = true;
    args.tables = d->screen;
    if (d->req->doubles_limit > 0) {
        args.coords = d->buffers->double_coords;
        args.task.limit = d->req->doubles_limit;
        args.task.cycle = false; /* whether a cycle is found depends on the passes */
        args.task.screened = true;
        fractal_recipe(&d->req->fractal, TYPE_DOUBLE, &args.task.recipe);
    }
    return run_band(d, &args, first, rows) && slices_drain(d->slices) &&
           slices_overlap(d->slices, false);
}

/* Iterates doubtful pixels in wide numbers. The first launch makes a single step, so that the
 * pixels form a list and fill whole warps. */
static bool run_doubtful(struct device_picture *d, struct iterate_args args, uint32_t first,
                         uint32_t rows) {
    struct iterate_task *const task = &args.task;
    task->fresh = false;
    task->steps = 1;
    args.to = d->buffers->lists[0];
    task->begin = 0;
    task->lattice = lattice_of(1, true, 0, TILE_SQUARE);
    lattice_fit(&task->lattice, task->width, rows, 0);
    task->lattice.first_y = first;
    return run_slices(d, &args, task->lattice.tiles_y) && run_rounds(d, args);
}

static bool run_bands(struct device_picture *d) {
    struct iterate_args args = iterate_args_of(d);
    struct iterate_task *const task = &args.task;
    const size_t most = d->buffers->band / task->width;
    const uint32_t band =
        most < task->height ? (uint32_t)most / BAND_ROWS * BAND_ROWS : task->height;
    for (uint32_t first = 0; first < task->height; first += band) {
        const uint32_t left = task->height - first, rows = left < band ? left : band;
        task->first = first * task->width;
        if (is_screened(d->req)
                ? !screen_band(d, args, first, rows) || !run_doubtful(d, args, first, rows)
                : !run_band(d, &args, first, rows))
            return false;
    }
    return true;
}

/* --- after the last step --- */

/* Writes the exported counts into scratch memory, or in place for a picture of several bands. */
static bool export_counts(struct device_picture *d, struct device_pointer *counts) {
    const size_t pixels = (size_t)d->req->width_px * (size_t)d->req->height_px;
    struct export_args args = {
        .from = d->buffers->now.count,
        .to = pixels <= d->buffers->band ? d->buffers->lists[0] : d->buffers->now.count,
        .task = {.limit = d->req->limit},
    };
    *counts = args.to;
    while (pixels_next(pixels, &args.task.begin, &args.task.size))
        if (!SLICES_LAUNCH(d->slices, launch_export(d->slices, &args)))
            return false;
    return slices_drain(d->slices);
}

static enum device_error gather_part(struct device_picture *d, uint32_t begin, uint32_t size,
                                     size_t pixels) {
    const struct device_impl *impl = d->slices->impl;
    struct device_queue *queue = d->slices->queue;
    struct statistics *host = d->statistics->host;
    const struct device_pointer sum = d->statistics->sum;
    const struct gather_args args = {
        .task = {.begin = begin, .size = size}, .count = d->buffers->now.count, .sum = sum};
    enum device_error error = begin == 0 ? impl->fill(queue, sum, 0, sizeof *host) : DEVICE_OK;
    if (error == DEVICE_OK && begin == 0)
        error = impl->fill(queue, device_pointer_at(sum, offsetof(struct statistics, least)), 0xff,
                           sizeof host->least);
    if (error == DEVICE_OK)
        error = launch_gather(d->slices, &args);
    if (error == DEVICE_OK && begin + size == pixels)
        error = impl->download(queue, host, sum, sizeof *host);
    return error;
}

static bool gather_statistics(struct device_picture *d) {
    const size_t pixels = (size_t)d->req->width_px * (size_t)d->req->height_px;
    uint32_t begin = 0, size = 0;
    const bool gathers = d->req->reuse && !lines_in_motion(d->req->lines);
    while (gathers && !d->repeats && pixels_next(pixels, &begin, &size))
        if (!SLICES_LAUNCH(d->slices, gather_part(d, begin, size, pixels)))
            return false;
    return true;
}

static bool send_planes(struct device_picture *d) {
    struct device_pointer counts = {0};
    if (d->wanted & SAMPLE_PLANE_BIT(count) && !export_counts(d, &counts))
        return false;
    if (!d->gl)
        readback_send(d->readback, READBACK_RGBA, d->pixel_buffer->rgba);
    for (int p = 0; p < SAMPLE_PLANES; p++)
        if (d->wanted >> p & 1)
            readback_send(d->readback, READBACK_SAMPLES(p),
                          p == SAMPLE_PLANE_count ? counts : d->buffers->now.plane[p]);
    return true;
}

static bool finish_picture(struct device_picture *d) {
    const atomic_bool *stop = d->slices->stop;
    bool repaint;
    if (!slices_overlap(d->slices, false) || !device_walks_slopes(d) || !device_walks_insides(d) ||
        !gather_statistics(d) || !pixel_buffer_await(d->pixel_buffer, stop, &repaint) ||
        ((repaint || needs_colour_kernel(d)) && !paint(d, false)) || !slices_drain(d->slices))
        return false;
    publish(d);
    d->buffers->complete = true;
    if (!send_planes(d))
        return false;
    turn_end(&d->slices->launching);
    return slices_ok(d->slices, readback_flush(d->readback, stop)) && !atomic_load(stop);
}

static bool complete(const struct device_picture *d) {
    return samples_done(d) == (uint64_t)d->req->width_px * (uint64_t)d->req->height_px;
}

bool device_picture_run(struct device_picture *d) {
    d->start_ms = d->painted_ms = clock_ms();
    d->slices->spins = true;
    const bool drawn = prepare(d) && (complete(d) || run_bands(d)) && finish_picture(d);
    if (!drawn) {
        slices_drain_queues(d->slices);
        slices_ok(d->slices, readback_drop(d->readback));
    }
    return drawn;
}
