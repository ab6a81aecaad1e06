/* Drawing modes of seed 002: the order in which pixels go to an mfunc, and the threads. */
#include "lab/modes/modes_draw.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_PX 1024
#define WORKERS  64
#define STEPS    32   /* steps of a masked dispatch */
#define CHUNK_PX 4096 /* pixels that stay together while they are resumed */

/* --- lists of arbitrary pixels for an mfunc --- */

struct batch {
    const struct modes_job *job;
    size_t number, size, capacity; /* bytes of a number; pixels in it; room for pixels */
    char *memory;                  /* memory of all arrays below */
    char *cr, *ci, *zr, *zi;
    uint32_t *at, *depth; /* indices in the picture */
};

static bool batch_init(struct batch *b, const struct modes_job *job, size_t capacity) {
    const size_t number = mfunc_number_size(job->number), room = capacity + MFUNC_PADDING;
    char *memory = calloc(room, 4 * number + 2 * sizeof(uint32_t));
    *b = (struct batch){.job = job, .number = number, .capacity = capacity, .memory = memory};
    if (!memory) {
        log_error("no memory for a list of %zu points", capacity);
        return false;
    }
    b->cr = memory;
    b->ci = b->cr + room * number;
    b->zr = b->ci + room * number;
    b->zi = b->zr + room * number;
    b->at = (uint32_t *)(void *)(b->zi + room * number);
    b->depth = b->at + room;
    return true;
}

/* Copies a number as bytes, so its type does not matter. */
static inline void put(char *to, size_t i, const char *from, size_t k, size_t number) {
    if (number == 8)
        memcpy(to + 8 * i, from + 8 * k, 8);
    else
        memcpy(to + 4 * i, from + 4 * k, 4);
}

/* Does `next` steps after `done`. Pixels that are not finished stay, with count 0. */
static void batch_resume(struct batch *b, mfunc_fn *mfunc, uint32_t done, uint32_t next) {
    const size_t before = b->size;
    mfunc(&(struct mfunc_points){.size = before,
                                 .cr = b->cr,
                                 .ci = b->ci,
                                 .zr = b->zr,
                                 .zi = b->zi,
                                 .max = next,
                                 .depth = b->depth});
    b->size = 0;
    for (size_t i = 0; i < before; i++) {
        const uint32_t depth = b->depth[i];
        b->job->count[b->at[i]] = depth ? done + depth - 1 : 0;
        if (depth)
            continue;
        char *const members[] = {b->cr, b->ci, b->zr, b->zi};
        for (int k = 0; k < 4; k++)
            put(members[k], b->size, members[k], i, b->number);
        b->at[b->size++] = b->at[i];
    }
}

/* Iterates all pixels to the limit and empties the batch. */
static void batch_draw(struct batch *b) {
    batch_resume(b, b->job->mfunc->follow, 0, b->job->picture.limit + 1);
    b->size = 0;
}

static void batch_add(struct batch *b, int x, int y) {
    static const double zero; /* 0 has the same bits in every type */
    const struct modes_picture *picture = &b->job->picture;
    if (b->size == b->capacity)
        batch_draw(b);
    const size_t i = b->size++;
    b->at[i] = (uint32_t)y * (uint32_t)picture->width_px + (uint32_t)x;
    put(b->cr, i, picture->re[b->job->number], (size_t)x, b->number);
    put(b->ci, i, picture->im[b->job->number], (size_t)y, b->number);
    put(b->zr, i, (const char *)&zero, 0, b->number);
    put(b->zi, i, (const char *)&zero, 0, b->number);
}

static void batches_free(struct batch *batches, size_t count) {
    for (size_t i = 0; batches && i < count; i++)
        free(batches[i].memory);
    free(batches);
}

/* Returns batches, or NULL without memory, which is logged. */
static struct batch *batches_make(const struct modes_job *job, size_t count, size_t capacity) {
    struct batch *batches = calloc(count, sizeof *batches);
    bool ok = batches;
    for (size_t i = 0; ok && i < count; i++)
        ok = batch_init(&batches[i], job, capacity);
    if (ok)
        return batches;
    batches_free(batches, count);
    return NULL;
}

/* --- strides --- */

/* Draws every step-th pixel of rows y0 to y1, from pixel `first` on. Returns false if it was
 * stopped. */
static bool draw_every(struct batch *b, int y0, int y1, int first, int step) {
    const int width = b->job->picture.width_px;
    int x = first, since = 0;
    for (int y = y0; y < y1; y++, x -= width) {
        for (; x < width; x += step)
            batch_add(b, x, y);
        if ((since += width) >= step * BATCH_PX) {
            since = 0;
            if (b->job->stop())
                return false;
        }
    }
    batch_draw(b);
    return true;
}

/* Draws rows y0 to y1: worker i takes every workers-th pixel from pixel i on. */
static bool dispatch(const struct modes_job *job, struct batch *batches, int y0, int y1,
                     int workers) {
    atomic_bool stopped = false;
#pragma omp parallel for schedule(dynamic) num_threads(job->threads)
    for (int i = 0; i < workers; i++)
        if (!draw_every(&batches[omp_get_thread_num()], y0, y1, i, workers))
            atomic_store(&stopped, true);
    return !atomic_load(&stopped) && !job->stop();
}

/* Draws the picture in dispatches of `rows` rows. */
static bool draw_dispatches(const struct modes_job *job, int rows, int workers) {
    const int height = job->picture.height_px;
    struct batch *batches = batches_make(job, (size_t)job->threads, BATCH_PX);
    bool ok = batches;
    for (int y = 0; ok && y < height; y += rows) {
        const double start = clock_ms();
        ok = dispatch(job, batches, y, y + rows < height ? y + rows : height, workers);
        if (job->dispatch_ms)
            job->dispatch_ms[y / rows] = clock_ms() - start;
    }
    batches_free(batches, (size_t)job->threads);
    return ok;
}

bool modes_draw_parallel(const struct modes_job *job) {
    return draw_dispatches(job, job->picture.height_px, job->threads);
}

bool modes_draw_strided(const struct modes_job *job) {
    return draw_dispatches(job, job->rows ? job->rows : job->picture.height_px, WORKERS);
}

/* --- resuming --- */

/* Does `steps` steps of all pixels, then as many of the unfinished ones, and so on. */
static bool draw_rounds(const struct modes_job *job, mfunc_fn *mfunc, uint32_t steps) {
    const size_t width = (size_t)job->picture.width_px;
    const size_t pixels = width * (size_t)job->picture.height_px;
    const size_t count = (pixels + CHUNK_PX - 1) / CHUNK_PX;
    const uint32_t all = job->picture.limit + 1;
    struct batch *chunks = batches_make(job, count, CHUNK_PX);
    bool ok = chunks;
    for (size_t at = 0; ok && at < pixels; at++)
        batch_add(&chunks[at / CHUNK_PX], (int)(at % width), (int)(at / width));
    for (uint32_t done = 0, next; ok && done < all; done += next) {
        next = steps < all - done ? steps : all - done;
#pragma omp parallel for schedule(dynamic) num_threads(job->threads)
        for (size_t i = 0; i < count; i++)
            if (!job->stop())
                batch_resume(&chunks[i], mfunc, done, next);
        ok = !job->stop();
    }
    batches_free(chunks, count);
    return ok;
}

bool modes_draw_masked(const struct modes_job *job) {
    return draw_rounds(job, job->mfunc->masked, STEPS);
}

bool modes_draw_follow(const struct modes_job *job) {
    return draw_rounds(job, job->mfunc->follow, job->picture.limit + 1);
}

/* --- plain loops --- */

#define PLAIN_COUNT(type, fma_)                                                                    \
    static uint32_t plain_##type(bool fused, type cr, type ci, uint32_t limit) {                   \
        type zr = cr, zi = ci;                                                                     \
        for (uint32_t n = 1; n <= limit; n++) {                                                    \
            const type rr = zr * zr, ii = zi * zi, p = zr * zi;                                    \
            if (!((fused ? fma_(zr, zr, ii) : rr + ii) < 4))                                       \
                return n;                                                                          \
            const type next = fused ? fma_(-zi, zi, fma_(zr, zr, cr)) : rr - ii + cr;              \
            zi = fused ? fma_(zr + zr, zi, ci) : p + p + ci;                                       \
            zr = next;                                                                             \
        }                                                                                          \
        return 0;                                                                                  \
    }
PLAIN_COUNT(float, fmaf)
PLAIN_COUNT(double, fma)

static uint32_t plain_fixed(int32_t cr, int32_t ci, uint32_t limit) {
    int64_t zr = cr, zi = ci;
    for (uint32_t n = 1; n <= limit; n++) {
        if (zr * zr + zi * zi >= (int64_t)4 << (2 * MFUNC_FIXED_BITS))
            return n;
        const int64_t next = ((zr * zr - zi * zi) >> MFUNC_FIXED_BITS) + cr;
        zi = ((zr * zi) >> (MFUNC_FIXED_BITS - 1)) + ci;
        zr = next;
    }
    return 0;
}

void modes_count_plainly(const struct modes_picture *p, enum mfunc_number number, bool fused,
                         int threads, bool (*stop)(void), uint32_t *count) {
    const void *re = p->re[number], *im = p->im[number];
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int y = 0; y < p->height_px; y++)
        for (int x = 0; x < p->width_px && !stop(); x++)
            count[(size_t)y * (size_t)p->width_px + (size_t)x] =
                number == MFUNC_FIXED
                    ? plain_fixed(((const int32_t *)re)[x], ((const int32_t *)im)[y], p->limit)
                : number == MFUNC_FLOAT
                    ? plain_float(fused, ((const float *)re)[x], ((const float *)im)[y], p->limit)
                    : plain_double(fused, ((const double *)re)[x], ((const double *)im)[y],
                                   p->limit);
}
