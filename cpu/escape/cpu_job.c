/* Makes, claims and frees a job: its memory, the order of its tiles, the samples that it takes over
 * from the job before. */
#include "cpu/escape/draw.h"
#include "render/base/log.h"
#include <stdlib.h>

#define CLOSED 0x80000000u /* in claims: no worker may enter this tile any more */

/* METHOD_ROWS's tiles, as large as others. Much wider ones would have longer lists of orbits, which
 * every tile of another shape that takes over from them reads. */
#define ROWS_WIDTH_PX  1024
#define ROWS_HEIGHT_PX 4

#define DEEPEN_FIRST  64 /* steps of METHOD_DEEPEN's first pass, and how they grow */
#define DEEPEN_FACTOR 4

struct rect job_tile_rect(const struct job *job, uint32_t tile) {
    const int tw = job->tile_width_px, th = job->tile_height_px;
    const int x = (int)(tile % (uint32_t)job->tiles_x) * tw;
    const int y = (int)(tile / (uint32_t)job->tiles_x) * th;
    const int w = job->req.width_px, h = job->req.height_px;
    return (struct rect){x, y, x + tw < w ? x + tw : w, y + th < h ? y + th : h};
}

struct ordered_tile {
    float distance;
    uint32_t tile;
};

static int nearer(const void *a, const void *b) {
    const struct ordered_tile *p = a, *q = b;
    if (p->distance != q->distance)
        return p->distance < q->distance ? -1 : 1;
    return p->tile < q->tile ? -1 : p->tile > q->tile;
}

static bool order_tiles(struct job *job, uint32_t tiles) {
    for (uint32_t t = 0; t < tiles; t++)
        job->order[t] = t;
    if (job->req.method == METHOD_ROWS)
        return true;
    struct ordered_tile *ordered = malloc(tiles * sizeof *ordered);
    if (!ordered)
        return false;
    for (uint32_t t = 0; t < tiles; t++) {
        const struct rect r = job_tile_rect(job, t);
        const float dx = (float)(r.x0 + r.x1) / 2 - (float)job->req.focus_x_px;
        const float dy = (float)(r.y0 + r.y1) / 2 - (float)job->req.focus_y_px;
        ordered[t] = (struct ordered_tile){dx * dx + dy * dy, t};
    }
    qsort(ordered, tiles, sizeof *ordered, nearer);
    for (uint32_t t = 0; t < tiles; t++)
        job->order[t] = ordered[t].tile;
    free(ordered);
    return true;
}

/* --- the plan of work --- */

/* Coarse to fine, every pass to the end. */
static void plan_lattices(struct job *job) {
    for (int stride = job->req.first_stride; stride >= 1; stride /= 2)
        job->pass_list[job->passes++] = (struct job_pass){stride, job->req.limit};
}

/* Every pixel, deeper and deeper. */
static void plan_depths(struct job *job) {
    for (uint64_t limit = DEEPEN_FIRST; limit < job->req.limit; limit *= DEEPEN_FACTOR)
        job->pass_list[job->passes++] = (struct job_pass){1, (uint32_t)limit};
    job->pass_list[job->passes++] = (struct job_pass){1, job->req.limit};
}

static void plan_work(struct job *job) {
    const bool rows = job->req.method == METHOD_ROWS;
    job->tile_width_px = rows ? ROWS_WIDTH_PX : JOB_TILE_PX;
    job->tile_height_px = rows ? ROWS_HEIGHT_PX : JOB_TILE_PX;
    job->tiles_x = (job->req.width_px + job->tile_width_px - 1) / job->tile_width_px;
    job->tiles_y = (job->req.height_px + job->tile_height_px - 1) / job->tile_height_px;
    if (job->req.method == METHOD_DEEPEN)
        plan_depths(job);
    else if (method_exact(job->req.method) && job->req.limit > 0)
        plan_lattices(job);
    else
        job->pass_list[job->passes++] = (struct job_pass){1, job->req.limit};
}

/* --- memory --- */

static bool allocate(struct job *job) {
    const size_t pixels = (size_t)job->req.width_px * (size_t)job->req.height_px;
    const size_t tiles = (size_t)job->tiles_x * (size_t)job->tiles_y;
    job->order = malloc(tiles * sizeof *job->order);
    job->rgba = calloc(pixels, sizeof *job->rgba);
    job->claims = calloc(tiles, sizeof *job->claims);
    job->passes_done = calloc(tiles, sizeof *job->passes_done);
    job->unfinished = calloc(tiles, sizeof *job->unfinished);
    for (size_t t = 0; job->unfinished && t < tiles; t++)
        job->unfinished[t].state_size = tile_state_size(job->req.type);
    job->finished = calloc(tiles * (size_t)job->passes, sizeof *job->finished);
    return job->order && job->rgba && job->claims && job->passes_done && job->unfinished &&
           job->finished && order_tiles(job, (uint32_t)tiles) &&
           sample_planes_init(&job->planes, job->req.planes, pixels, "a picture");
}

/* --- taking over --- */

/* Closes a tile of a stopped or complete job for good, so that its samples may be read. False while
 * a worker is still inside, or when nothing was drawn there. */
static bool close_tile(struct job *job, uint32_t tile) {
    unsigned expected = 0;
    if (!atomic_compare_exchange_strong(&job->claims[tile], &expected, CLOSED) &&
        !(expected & CLOSED))
        return false;
    return job->passes_done[tile] > 0;
}

static int clamp(int x, int low, int high) {
    return x < low ? low : x > high ? high : x;
}

/* Takes over the samples of one row that are final. */
static size_t keep_row(struct job *job, const struct job *previous, size_t to, size_t from,
                       size_t size) {
    size_t kept = 0;
    for (size_t i = 0; i < size; i++) {
        const uint32_t count = previous->planes.count[from + i];
        if (count == SAMPLE_MISSING || !SAMPLE_FINAL(count, job->req.limit))
            continue;
        draw_take(job, to + i, &previous->planes, from + i);
        kept++;
    }
    return kept;
}

/* Takes over orbits that may go on, of pixels in `to`. */
static void keep_unfinished(struct job *job, const struct unfinished *source, struct rect to,
                            struct unfinished *unfinished) {
    const uint32_t width = (uint32_t)job->req.width_px;
    for (size_t i = 0; i < source->size; i++) {
        const void *state;
        struct unfinished_orbit orbit = unfinished_get(source, i, &state);
        const int x = (int)(orbit.at % width) - job->shift_x;
        const int y = (int)(orbit.at / width) - job->shift_y;
        if (x < to.x0 || x >= to.x1 || y < to.y0 || y >= to.y1)
            continue;
        orbit.at = (uint32_t)y * width + (uint32_t)x;
        if (unfinished_add(unfinished, orbit, state))
            job->planes.count[orbit.at] = SAMPLE_INTERIOR | orbit.done;
    }
}

/* Takes over what one tile of the previous job has of the rectangle `r` of this one. */
static size_t keep_tile(struct job *job, struct job *previous, struct rect r, uint32_t tile,
                        struct unfinished *unfinished) {
    const struct rect from = job_tile_rect(previous, tile);
    if (!close_tile(previous, tile))
        return 0;
    const struct rect to = {
        clamp(from.x0 - job->shift_x, r.x0, r.x1), clamp(from.y0 - job->shift_y, r.y0, r.y1),
        clamp(from.x1 - job->shift_x, r.x0, r.x1), clamp(from.y1 - job->shift_y, r.y0, r.y1)};
    const struct unfinished *source = &previous->unfinished[tile];
    const size_t width = (size_t)job->req.width_px;
    size_t kept = 0;
    if (to.x0 >= to.x1)
        return 0;
    for (int y = to.y0; y < to.y1; y++)
        kept += keep_row(job, previous, (size_t)y * width + (size_t)to.x0,
                         (size_t)(y + job->shift_y) * width + (size_t)(to.x0 + job->shift_x),
                         (size_t)(to.x1 - to.x0));
    keep_unfinished(job, source, to, unfinished);
    return kept;
}

/* The first thing that happens to a tile: every sample is marked missing or taken over. */
static void open_tile(struct job *job, struct job *previous, uint32_t tile) {
    const struct rect r = job_tile_rect(job, tile);
    for (int y = r.y0; y < r.y1; y++) {
        uint32_t *row = job->planes.count + (size_t)y * (size_t)job->req.width_px;
        for (int x = r.x0; x < r.x1; x++)
            row[x] = SAMPLE_MISSING;
    }
    if (!previous)
        return;
    const int last_x = previous->tiles_x - 1, last_y = previous->tiles_y - 1;
    const int tw = previous->tile_width_px, th = previous->tile_height_px;
    const int tx0 = clamp((r.x0 + job->shift_x) / tw, 0, last_x);
    const int tx1 = clamp((r.x1 - 1 + job->shift_x) / tw, 0, last_x);
    const int ty0 = clamp((r.y0 + job->shift_y) / th, 0, last_y);
    const int ty1 = clamp((r.y1 - 1 + job->shift_y) / th, 0, last_y);
    size_t kept = 0;
    for (int ty = ty0; ty <= ty1; ty++)
        for (int tx = tx0; tx <= tx1; tx++)
            kept += keep_tile(job, previous, r, (uint32_t)(ty * previous->tiles_x + tx),
                              &job->unfinished[tile]);
    atomic_fetch_add_explicit(&job->kept, kept, memory_order_relaxed);
    atomic_fetch_add_explicit(&job->samples, kept, memory_order_relaxed);
}

/* --- working --- */

/* What a complete tile's counts say. */
static void add_statistics(struct job *job, uint32_t tile) {
    const struct rect r = job_tile_rect(job, tile);
    const size_t width = (size_t)job->req.width_px;
    struct statistics part;
    statistics_init(&part);
    statistics_add(&part, job->planes.count + (size_t)r.y0 * width + (size_t)r.x0,
                   (size_t)(r.x1 - r.x0), (size_t)(r.y1 - r.y0), width);
    shared_statistics_add(&job->statistics, &part);
}

/* One pass over a claimed tile. False: stopped; what was drawn stays. */
static bool work_pass(struct job *job, struct job *previous, struct job_scratch *s, uint32_t tile) {
    const int pass = job->passes_done[tile];
    if (pass == 0) {
        open_tile(job, previous, tile);
        atomic_fetch_add_explicit(&job->opened, 1, memory_order_relaxed);
    }
    job->passes_done[tile]++;
    s->size = 0;
    const bool guess = !method_exact(job->req.method) && job->req.limit > 0;
    if (!(guess ? draw_guessing(job, s, tile) : draw_pass(job, s, tile, &job->pass_list[pass])))
        return false;
    if (job->passes_done[tile] == job->passes && job->req.reuse)
        add_statistics(job, tile);
    const size_t slot = atomic_fetch_add_explicit(&job->finished_count, 1, memory_order_relaxed);
    atomic_store(&job->finished[slot], tile + 1);
    return true;
}

/* Works on the next claimable tile. */
static enum task_step step(struct task *base, struct task *source, int worker, void *scratch) {
    struct job *job = (struct job *)base, *previous = (struct job *)source;
    (void)worker;
    const size_t tiles = (size_t)job->tiles_x * (size_t)job->tiles_y;
    const size_t turn = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
    if (turn >= tiles * (size_t)job->passes ||
        atomic_load_explicit(&base->stop, memory_order_relaxed))
        return TASK_NONE;
    const uint32_t tile = job->order[turn % tiles];
    if (atomic_fetch_add_explicit(&job->claims[tile], 1, memory_order_acquire) != 0)
        return TASK_SOME;
    bool running = true;
    do {
        running = running && work_pass(job, previous, scratch, tile);
    } while (atomic_fetch_sub_explicit(&job->claims[tile], 1, memory_order_acq_rel) != 1);
    return running ? TASK_SOME : TASK_NONE;
}

/* --- life --- */

static void destroy(struct task *base) {
    struct job *job = (struct job *)base;
    frame_req_finish(&job->req);
    coords_finish(&job->coords);
    free(job->order);
    sample_planes_finish(&job->planes);
    free(job->rgba);
    free(job->claims);
    free(job->passes_done);
    for (int t = 0; job->unfinished && t < job->tiles_x * job->tiles_y; t++)
        unfinished_finish(&job->unfinished[t]);
    free(job->unfinished);
    free(job->finished);
    free(job);
}

static const struct task_kind kind = {step, destroy};

struct job *job_create(const struct frame_req *req, tile_fn *tile, struct job *previous) {
    struct job *job = calloc(1, sizeof *job);
    if (!job) {
        log_error("not enough memory for a picture");
        return NULL;
    }
    task_init(&job->base, &kind);
    shared_statistics_init(&job->statistics);
    frame_req_init_copy(&job->req, req);
    job->tile = tile;
    plan_work(job);
    if (!allocate(job) || !coords_init(&job->coords, req)) {
        log_error("not enough memory for a picture of %dx%d; try a smaller --size", req->width_px,
                  req->height_px);
        task_unref(&job->base);
        return NULL;
    }
    if (previous && req->reuse &&
        frame_req_shares_samples(&previous->req, req, &job->shift_x, &job->shift_y))
        job->base.source = task_ref(&previous->base);
    return job;
}

uint32_t job_finished(struct job *job, size_t i) {
    return i < job_slots(job) ? atomic_load(&job->finished[i]) : 0;
}

size_t job_slots(const struct job *job) {
    return (size_t)job->tiles_x * (size_t)job->tiles_y * (size_t)job->passes;
}
