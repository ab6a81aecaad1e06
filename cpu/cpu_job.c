/* Drawing one tile after another: which pixels are missing, their coordinates, their samples. */
#include "cpu/cpu_job.h"
#include "render/log.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CLOSED 0x80000000u /* in claims: nobody may work on this tile any more */

_Static_assert(JOB_BATCH % TILE_PADDING == 0, "a batch holds whole groups");

struct rect job_tile_rect(const struct job *job, uint32_t tile) {
    const int x = (int)(tile % (uint32_t)job->tiles_x) * JOB_TILE_PX;
    const int y = (int)(tile / (uint32_t)job->tiles_x) * JOB_TILE_PX;
    const int w = job->req.width_px, h = job->req.height_px;
    return (struct rect){x, y, x + JOB_TILE_PX < w ? x + JOB_TILE_PX : w,
                         y + JOB_TILE_PX < h ? y + JOB_TILE_PX : h};
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

static int passes_for(int stride) {
    int passes = 1;
    for (; stride > 1; stride /= 2)
        passes++;
    return passes;
}

static bool allocate(struct job *job) {
    const size_t pixels = (size_t)job->req.width_px * (size_t)job->req.height_px;
    const size_t tiles = (size_t)job->tiles_x * (size_t)job->tiles_y;
    job->order = malloc(tiles * sizeof *job->order);
    job->count = malloc(pixels * sizeof *job->count);
    job->fraction = malloc(pixels * sizeof *job->fraction);
    job->rgba = calloc(pixels, sizeof *job->rgba);
    job->claims = calloc(tiles, sizeof *job->claims);
    job->passes_done = calloc(tiles, sizeof *job->passes_done);
    job->finished = calloc(tiles * (size_t)job->passes, sizeof *job->finished);
    return job->order && job->count && job->fraction && job->rgba && job->claims &&
           job->passes_done && job->finished && order_tiles(job, (uint32_t)tiles);
}

struct job *job_create(const struct frame_req *req, tile_fn *tile, struct job *previous) {
    struct job *job = calloc(1, sizeof *job);
    if (!job) {
        log_error("not enough memory for a picture");
        return NULL;
    }
    atomic_init(&job->references, 1);
    frame_req_init_copy(&job->req, req);
    job->tile = tile;
    job->tiles_x = (req->width_px + JOB_TILE_PX - 1) / JOB_TILE_PX;
    job->tiles_y = (req->height_px + JOB_TILE_PX - 1) / JOB_TILE_PX;
    job->passes = passes_for(req->first_stride);
    if (!allocate(job) || !coords_init(&job->coords, req)) {
        log_error("not enough memory for a picture of %dx%d; try a smaller --size", req->width_px,
                  req->height_px);
        job_unref(job);
        return NULL;
    }
    if (previous && req->reuse && previous->req.limit == req->limit &&
        frame_req_shares_samples(&previous->req, req, &job->shift_x, &job->shift_y))
        job->previous = job_ref(previous);
    return job;
}

struct job *job_ref(struct job *job) {
    atomic_fetch_add_explicit(&job->references, 1, memory_order_relaxed);
    return job;
}

void job_unref(struct job *job) {
    if (!job || atomic_fetch_sub_explicit(&job->references, 1, memory_order_acq_rel) != 1)
        return;
    job_unref(job->previous);
    frame_req_finish(&job->req);
    coords_finish(&job->coords);
    free(job->order);
    free(job->count);
    free(job->fraction);
    free(job->rgba);
    free(job->claims);
    free(job->passes_done);
    free(job->finished);
    free(job);
}

/* Closes a tile of a stopped or complete job for good, so that its samples may be read. False while
 * a worker is still inside, or when nothing was drawn there. */
static bool close_tile(struct job *job, uint32_t tile) {
    unsigned expected = 0;
    if (!atomic_compare_exchange_strong(&job->claims[tile], &expected, CLOSED) &&
        !(expected & CLOSED))
        return false;
    return job->passes_done[tile] > 0;
}

static void put_pixel(struct job *job, size_t at, uint32_t count, float fraction) {
    const struct colouring *colouring = &job->req.colouring;
    job->count[at] = count;
    job->fraction[at] = fraction;
    atomic_store_explicit(&job->rgba[at], colour_of(colouring, colouring->table, count, fraction),
                          memory_order_relaxed);
}

static int clamp(int x, int low, int high) {
    return x < low ? low : x > high ? high : x;
}

/* Takes over what one tile of the previous job has of the rectangle `r` of this one. */
static size_t keep_tile(struct job *job, struct job *previous, struct rect r, uint32_t tile) {
    struct rect from = job_tile_rect(previous, tile);
    if (!close_tile(previous, tile))
        return 0;
    const int x0 = clamp(from.x0 - job->shift_x, r.x0, r.x1);
    const int x1 = clamp(from.x1 - job->shift_x, r.x0, r.x1);
    const int y0 = clamp(from.y0 - job->shift_y, r.y0, r.y1);
    const int y1 = clamp(from.y1 - job->shift_y, r.y0, r.y1);
    const size_t width = (size_t)job->req.width_px;
    size_t kept = 0;
    for (int y = y0; y < y1; y++) {
        const size_t to = (size_t)y * width, source = (size_t)(y + job->shift_y) * width;
        for (int x = x0; x < x1; x++) {
            const size_t s = source + (size_t)(x + job->shift_x);
            if (isnan(previous->fraction[s]))
                continue;
            put_pixel(job, to + (size_t)x, previous->count[s], previous->fraction[s]);
            kept++;
        }
    }
    return kept;
}

/* The first thing that happens to a tile: every sample is marked missing or taken over. */
static void open_tile(struct job *job, struct job *previous, struct rect r) {
    const size_t width = (size_t)job->req.width_px;
    for (int y = r.y0; y < r.y1; y++)
        memset(job->fraction + (size_t)y * width + r.x0, 0xff,
               (size_t)(r.x1 - r.x0) * sizeof *job->fraction);
    if (!previous)
        return;
    const int last_x = job->tiles_x - 1, last_y = job->tiles_y - 1;
    const int tx0 = clamp((r.x0 + job->shift_x) / JOB_TILE_PX, 0, last_x);
    const int tx1 = clamp((r.x1 - 1 + job->shift_x) / JOB_TILE_PX, 0, last_x);
    const int ty0 = clamp((r.y0 + job->shift_y) / JOB_TILE_PX, 0, last_y);
    const int ty1 = clamp((r.y1 - 1 + job->shift_y) / JOB_TILE_PX, 0, last_y);
    size_t kept = 0;
    for (int ty = ty0; ty <= ty1; ty++)
        for (int tx = tx0; tx <= tx1; tx++)
            kept += keep_tile(job, previous, r, (uint32_t)(ty * job->tiles_x + tx));
    atomic_fetch_add_explicit(&job->kept, kept, memory_order_relaxed);
    atomic_fetch_add_explicit(&job->samples, kept, memory_order_relaxed);
}

/* Draws the points gathered in `s`. False: stopped. */
static bool draw_batch(struct job *job, struct job_scratch *s) {
    const struct tile_points points = {
        .cr = &s->cr,
        .ci = &s->ci,
        .size = s->size,
        .formula = job->req.formula,
        .arithmetic = job->req.arithmetic,
        .limit = job->req.limit,
        .count = s->count,
        .fraction = s->fraction,
        .stop = &job->stop,
    };
    if (s->size > 0 && !job->tile(&points))
        return false;
    unsigned long long iterations = 0;
    for (size_t i = 0; i < s->size; i++) {
        put_pixel(job, s->at[i], s->count[i], s->fraction[i]);
        iterations += s->count[i] & SAMPLE_COUNT_MASK;
    }
    atomic_fetch_add_explicit(&job->iterations, iterations, memory_order_relaxed);
    atomic_fetch_add_explicit(&job->samples, s->size, memory_order_relaxed);
    s->size = 0;
    return !atomic_load_explicit(&job->stop, memory_order_relaxed);
}

static void gather(const struct job *job, struct job_scratch *s, int x, int y) {
    const size_t i = s->size++;
    const int row = job->req.width_px + y;
    s->at[i] = (uint32_t)((size_t)y * (size_t)job->req.width_px + (size_t)x);
    if (job->req.type == TYPE_FLOAT) {
        const struct coords_float *a = &job->coords.f32[x], *b = &job->coords.f32[row];
        s->cr.f32[i] = coords_sum_float(a->re, a->re_low, b->re, b->re_low);
        s->ci.f32[i] = coords_sum_float(a->im, a->im_low, b->im, b->im_low);
    } else {
        const struct coords_double *a = &job->coords.f64[x], *b = &job->coords.f64[row];
        s->cr.f64[i] = coords_sum_double(a->re, a->re_low, b->re, b->re_low);
        s->ci.f64[i] = coords_sum_double(a->im, a->im_low, b->im, b->im_low);
    }
}

static int round_up(int x, int stride) {
    return (x + stride - 1) / stride * stride;
}

/* Draws what is missing of the tile on the lattice of `stride`. False: stopped. */
static bool draw_lattice(struct job *job, struct job_scratch *s, struct rect r, int stride) {
    const size_t width = (size_t)job->req.width_px;
    s->size = 0;
    for (int y = round_up(r.y0, stride); y < r.y1; y += stride)
        for (int x = round_up(r.x0, stride); x < r.x1; x += stride) {
            if (!isnan(job->fraction[(size_t)y * width + (size_t)x]))
                continue;
            gather(job, s, x, y);
            if (s->size == JOB_BATCH && !draw_batch(job, s))
                return false;
        }
    return draw_batch(job, s);
}

/* One pass over a claimed tile. False: stopped; what was drawn stays. */
static bool draw_pass(struct job *job, struct job *previous, struct job_scratch *s, uint32_t tile) {
    const struct rect r = job_tile_rect(job, tile);
    const int pass = job->passes_done[tile];
    if (pass == 0)
        open_tile(job, previous, r);
    job->passes_done[tile]++;
    if (!draw_lattice(job, s, r, 1 << (job->passes - 1 - pass)))
        return false;
    const size_t slot = atomic_fetch_add_explicit(&job->finished_count, 1, memory_order_relaxed);
    atomic_store(&job->finished[slot], tile + 1);
    return true;
}

bool job_work(struct job *job, struct job *previous, struct job_scratch *scratch) {
    const size_t tiles = (size_t)job->tiles_x * (size_t)job->tiles_y;
    const size_t turn = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
    if (turn >= tiles * (size_t)job->passes ||
        atomic_load_explicit(&job->stop, memory_order_relaxed))
        return false;
    const uint32_t tile = job->order[turn % tiles];
    if (atomic_fetch_add_explicit(&job->claims[tile], 1, memory_order_acquire) != 0)
        return true;
    bool running = true;
    do {
        running = running && draw_pass(job, previous, scratch, tile);
    } while (atomic_fetch_sub_explicit(&job->claims[tile], 1, memory_order_acq_rel) != 1);
    return running;
}

uint32_t job_finished(struct job *job, size_t i) {
    return i < job_slots(job) ? atomic_load(&job->finished[i]) : 0;
}

size_t job_slots(const struct job *job) {
    return (size_t)job->tiles_x * (size_t)job->tiles_y * (size_t)job->passes;
}
