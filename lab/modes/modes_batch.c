/* Lists of points for an mfunc. */
#include "lab/modes/modes_batch.h"
#include "render/base/log.h"
#include <stdlib.h>
#include <string.h>

bool modes_batch_init(struct modes_batch *batch, const struct modes_job *job, size_t capacity) {
    const size_t size = mfunc_number_size(job->number), count = capacity + MFUNC_PADDING;
    *batch = (struct modes_batch){.job = job,
                                  .re = job->picture.re[job->number],
                                  .im = job->picture.im[job->number],
                                  .number_size = size,
                                  .capacity = capacity,
                                  .at = calloc(count, sizeof *batch->at),
                                  .cr = calloc(count, size),
                                  .ci = calloc(count, size),
                                  .zr = calloc(count, size),
                                  .zi = calloc(count, size),
                                  .depth = calloc(count, sizeof *batch->depth)};
    if (batch->at && batch->cr && batch->ci && batch->zr && batch->zi && batch->depth)
        return true;
    log_error("no memory for a list of %zu points", capacity);
    modes_batch_finish(batch);
    return false;
}

void modes_batch_finish(struct modes_batch *batch) {
    free(batch->at);
    free(batch->cr);
    free(batch->ci);
    free(batch->zr);
    free(batch->zi);
    free(batch->depth);
    *batch = (struct modes_batch){0};
}

/* Numbers are only moved here, so their type does not matter; of all, 0 is bits of 0. */
static inline void put(void *to, size_t i, const void *from, size_t k, size_t size) {
    if (size == 8)
        memcpy((char *)to + 8 * i, (const char *)from + 8 * k, 8);
    else
        memcpy((char *)to + 4 * i, (const char *)from + 4 * k, 4);
}

void modes_batch_add(struct modes_batch *batch, int x, int y) {
    static const double zero = 0;
    const struct modes_picture *picture = &batch->job->picture;
    const size_t size = batch->number_size;
    if (batch->size == batch->capacity)
        modes_batch_draw(batch);
    const size_t i = batch->size++;
    batch->at[i] = (uint32_t)y * (uint32_t)picture->width_px + (uint32_t)x;
    put(batch->cr, i, batch->re, (size_t)x, size);
    put(batch->ci, i, batch->im, (size_t)y, size);
    put(batch->zr, i, &zero, 0, size);
    put(batch->zi, i, &zero, 0, size);
}

static void run(struct modes_batch *batch, mfunc_fn *mfunc, uint32_t steps) {
    mfunc(&(struct mfunc_points){.size = batch->size,
                                 .cr = batch->cr,
                                 .ci = batch->ci,
                                 .zr = batch->zr,
                                 .zi = batch->zi,
                                 .max = steps,
                                 .depth = batch->depth});
}

void modes_batch_draw(struct modes_batch *batch) {
    uint32_t *count = batch->job->count;
    run(batch, batch->job->mfunc->follow, batch->job->picture.limit + 1);
    for (size_t i = 0; i < batch->size; i++)
        count[batch->at[i]] = batch->depth[i] ? batch->depth[i] - 1 : 0;
    batch->size = 0;
}

void modes_batch_resume(struct modes_batch *batch, mfunc_fn *mfunc, uint32_t done, uint32_t next) {
    const size_t size = batch->number_size, before = batch->size;
    uint32_t *count = batch->job->count;
    run(batch, mfunc, next);
    batch->size = 0;
    for (size_t i = 0; i < before; i++) {
        const uint32_t depth = batch->depth[i];
        count[batch->at[i]] = depth ? done + depth - 1 : 0;
        if (depth)
            continue;
        const size_t to = batch->size++;
        if (to == i)
            continue;
        batch->at[to] = batch->at[i];
        put(batch->cr, to, batch->cr, i, size);
        put(batch->ci, to, batch->ci, i, size);
        put(batch->zr, to, batch->zr, i, size);
        put(batch->zi, to, batch->zi, i, size);
    }
}
