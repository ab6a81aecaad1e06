/* In which order pixels go to an mfunc, and on how many threads. */
#include "lab/modes/modes_draw.h"
#include "lab/modes/modes_batch.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define TILE_PX     64
#define LATTICE_PX  32
#define FIRST_STEPS 32   /* of iterative drawing */
#define CHUNK_PX    4096 /* pixels that stay together while they are resumed */

bool modes_draw_simple(const struct modes_job *job) {
    struct modes_batch batch;
    bool ok = modes_batch_init(&batch, job, MODES_BATCH);
    for (int y = 0; ok && y < job->picture.height_px; y++) {
        for (int x = 0; x < job->picture.width_px; x++)
            modes_batch_add(&batch, x, y);
        modes_batch_draw(&batch);
        ok = !job->stop();
    }
    modes_batch_finish(&batch);
    return ok;
}

/* Every step-th pixel of rows y0 to y1, from the first-th. False: stopped. */
static bool draw_every(struct modes_batch *batch, int y0, int y1, int first, int step) {
    const struct modes_job *job = batch->job;
    const int width = job->picture.width_px;
    int x = first, since = 0;
    for (int y = y0; y < y1; y++, x -= width) {
        for (; x < width; x += step)
            modes_batch_add(batch, x, y);
        if ((since += width) >= step * MODES_BATCH) {
            since = 0;
            if (job->stop())
                return false;
        }
    }
    modes_batch_draw(batch);
    return true;
}

/* --- batches for threads --- */

static struct modes_batch *make_batches(const struct modes_job *job) {
    struct modes_batch *batches = calloc((size_t)job->threads, sizeof *batches);
    bool ok = batches;
    if (!batches)
        log_error("no memory for what threads draw");
    for (int t = 0; ok && t < job->threads; t++)
        ok = modes_batch_init(&batches[t], job, MODES_BATCH);
    if (ok)
        return batches;
    for (int t = 0; batches && t < job->threads; t++)
        modes_batch_finish(&batches[t]);
    free(batches);
    return NULL;
}

static void free_batches(struct modes_batch *batches, int threads) {
    for (int t = 0; batches && t < threads; t++)
        modes_batch_finish(&batches[t]);
    free(batches);
}

bool modes_draw_parallel(const struct modes_job *job) {
    struct modes_batch *batches = make_batches(job);
    atomic_bool stopped = !batches;
    if (!batches)
        return false;
#pragma omp parallel for schedule(static, 1) num_threads(job->threads)
    for (int t = 0; t < job->threads; t++)
        if (!draw_every(&batches[t], 0, job->picture.height_px, t, job->threads))
            atomic_store(&stopped, true);
    free_batches(batches, job->threads);
    return !atomic_load(&stopped);
}

/* False: stopped. */
static bool dispatch_rows(const struct modes_job *job, struct modes_batch *batches, int y0,
                          int y1) {
    atomic_bool stopped = false;
#pragma omp parallel for schedule(dynamic) num_threads(job->threads)
    for (int i = 0; i < MODES_WORKERS; i++)
        if (!draw_every(&batches[omp_get_thread_num()], y0, y1, i, MODES_WORKERS))
            atomic_store(&stopped, true);
    return !atomic_load(&stopped) && !job->stop();
}

bool modes_draw_strided(const struct modes_job *job, int rows, double *dispatch_ms) {
    const int height = job->picture.height_px;
    struct modes_batch *batches = make_batches(job);
    bool ok = batches;
    for (int y = 0; ok && y < height; y += rows) {
        const double start = clock_ms();
        ok = dispatch_rows(job, batches, y, y + rows < height ? y + rows : height);
        if (dispatch_ms)
            dispatch_ms[y / rows] = clock_ms() - start;
    }
    free_batches(batches, job->threads);
    return ok;
}

bool modes_draw_empty(const struct modes_job *job, int dispatches) {
    struct modes_batch *batches = make_batches(job);
    bool ok = batches;
    for (int i = 0; ok && i < dispatches; i++)
        ok = dispatch_rows(job, batches, 0, 0);
    free_batches(batches, job->threads);
    return ok;
}

static void draw_tile(struct modes_batch *batch, int x0, int y0) {
    const struct modes_picture *picture = &batch->job->picture;
    for (int y = y0; y < y0 + TILE_PX && y < picture->height_px; y++)
        for (int x = x0; x < x0 + TILE_PX && x < picture->width_px; x++)
            modes_batch_add(batch, x, y);
    modes_batch_draw(batch);
}

bool modes_draw_tiles(const struct modes_job *job) {
    const int columns = (job->picture.width_px + TILE_PX - 1) / TILE_PX;
    const int tiles = columns * ((job->picture.height_px + TILE_PX - 1) / TILE_PX);
    struct modes_batch *batches = make_batches(job);
    if (!batches)
        return false;
#pragma omp parallel for schedule(dynamic) num_threads(job->threads)
    for (int i = 0; i < tiles; i++)
        if (!job->stop())
            draw_tile(&batches[omp_get_thread_num()], i % columns * TILE_PX, i / columns * TILE_PX);
    free_batches(batches, job->threads);
    return !job->stop();
}

/* --- resuming --- */

/* How many steps in a round: `first`, and either as many again or, with `doubling`, as many as have
 * been done. */
struct rounds {
    mfunc_fn *mfunc;
    uint32_t first;
    bool doubling;
    int threads;
};

static struct modes_batch *make_chunks(const struct modes_job *job, size_t count) {
    const size_t pixels = modes_picture_pixels(&job->picture);
    const size_t width = (size_t)job->picture.width_px;
    struct modes_batch *chunks = calloc(count, sizeof *chunks);
    if (!chunks)
        log_error("no memory for the pixels that are resumed");
    for (size_t i = 0; chunks && i < count; i++) {
        const size_t end = (i + 1) * CHUNK_PX < pixels ? (i + 1) * CHUNK_PX : pixels;
        if (!modes_batch_init(&chunks[i], job, CHUNK_PX)) {
            while (i-- > 0)
                modes_batch_finish(&chunks[i]);
            free(chunks);
            return NULL;
        }
        for (size_t at = i * CHUNK_PX; at < end; at++)
            modes_batch_add(&chunks[i], (int)(at % width), (int)(at / width));
    }
    return chunks;
}

static bool draw_rounds(const struct modes_job *job, const struct rounds *rounds) {
    const size_t count = (modes_picture_pixels(&job->picture) + CHUNK_PX - 1) / CHUNK_PX;
    const uint32_t all = job->picture.limit + 1;
    struct modes_batch *chunks = make_chunks(job, count);
    uint32_t next = rounds->first;
    bool ok = chunks;
    for (uint32_t done = 0; ok && done < all; done += next) {
        next = rounds->doubling && done > 0 ? done : rounds->first;
        next = next < all - done ? next : all - done;
#pragma omp parallel for schedule(dynamic) num_threads(rounds->threads)
        for (size_t i = 0; i < count; i++)
            if (!job->stop())
                modes_batch_resume(&chunks[i], rounds->mfunc, done, next);
        ok = !job->stop();
    }
    for (size_t i = 0; chunks && i < count; i++)
        modes_batch_finish(&chunks[i]);
    free(chunks);
    return ok;
}

bool modes_draw_iterative(const struct modes_job *job) {
    return draw_rounds(job, &(struct rounds){job->mfunc->follow, FIRST_STEPS, true, 1});
}

bool modes_draw_masked(const struct modes_job *job) {
    return draw_rounds(
        job, &(struct rounds){job->mfunc->masked, MODES_MASKED_STEPS, false, job->threads});
}

bool modes_draw_follow(const struct modes_job *job) {
    return draw_rounds(
        job, &(struct rounds){job->mfunc->follow, job->picture.limit + 1, false, job->threads});
}

/* --- tracing --- */

enum { QUEUED = 1, DRAWN = 2 };

struct trace {
    struct modes_batch batch;
    const struct modes_job *job;
    uint8_t *state;  /* of the pixels */
    uint32_t *queue; /* each pixel once */
    size_t size;
};

static void enqueue(struct trace *t, int x, int y) {
    const struct modes_picture *picture = &t->job->picture;
    if (x < 0 || x >= picture->width_px || y < 0 || y >= picture->height_px)
        return;
    const size_t at = (size_t)y * (size_t)picture->width_px + (size_t)x;
    if (t->state[at])
        return;
    t->state[at] = QUEUED;
    t->queue[t->size++] = (uint32_t)at;
}

static void enqueue_lattice(struct trace *t) {
    const int width = t->job->picture.width_px, height = t->job->picture.height_px;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (x % LATTICE_PX == 0 || y % LATTICE_PX == 0 || x == width - 1 || y == height - 1)
                enqueue(t, x, y);
}

static bool unlike(const struct trace *t, size_t at, int x, int y) {
    const struct modes_picture *picture = &t->job->picture;
    if (x < 0 || x >= picture->width_px || y < 0 || y >= picture->height_px)
        return false;
    const size_t other = (size_t)y * (size_t)picture->width_px + (size_t)x;
    return t->state[other] == DRAWN && t->job->count[other] != t->job->count[at];
}

static void enqueue_around(struct trace *t, size_t at) {
    const int x = (int)(at % (size_t)t->job->picture.width_px);
    const int y = (int)(at / (size_t)t->job->picture.width_px);
    if (!unlike(t, at, x - 1, y) && !unlike(t, at, x + 1, y) && !unlike(t, at, x, y - 1) &&
        !unlike(t, at, x, y + 1))
        return;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            enqueue(t, x + dx, y + dy);
}

/* Wave after wave: a wave is what the last one has found next to borders. */
static bool follow_borders(struct trace *t) {
    const size_t width = (size_t)t->job->picture.width_px;
    for (size_t from = 0; from < t->size;) {
        const size_t to = t->size;
        for (size_t i = from; i < to; i++)
            modes_batch_add(&t->batch, (int)(t->queue[i] % width), (int)(t->queue[i] / width));
        modes_batch_draw(&t->batch);
        for (size_t i = from; i < to; i++)
            t->state[t->queue[i]] = DRAWN;
        for (size_t i = from; i < to; i++)
            enqueue_around(t, t->queue[i]);
        if (t->job->stop())
            return false;
        from = to;
    }
    return true;
}

/* The first column is drawn. */
static void fill(struct trace *t) {
    uint32_t *count = t->job->count;
    for (size_t at = 1; at < modes_picture_pixels(&t->job->picture); at++)
        if (!t->state[at])
            count[at] = count[at - 1];
}

bool modes_draw_trace(const struct modes_job *job) {
    const size_t pixels = modes_picture_pixels(&job->picture);
    struct trace t = {
        .job = job, .state = calloc(pixels, 1), .queue = malloc(pixels * sizeof *t.queue)};
    bool ok = modes_batch_init(&t.batch, job, MODES_BATCH);
    if (ok && (!t.state || !t.queue)) {
        log_error("no memory for the borders of a picture");
        ok = false;
    }
    if (ok) {
        enqueue_lattice(&t);
        ok = follow_borders(&t);
    }
    if (ok)
        fill(&t);
    modes_batch_finish(&t.batch);
    free(t.state);
    free(t.queue);
    return ok;
}
