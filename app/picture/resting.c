/* Samples into sums, sums into the picture. */
#include "app/picture/resting.h"
#include "render/base/clock.h"
#include "render/base/memory.h"
#include <stdlib.h>

#define STEP_MS      2.0
#define SLICE_PIXELS (1 << 16) /* added or shown in one go */

static void release(struct resting *resting) {
    accumulator_finish(&resting->sums);
    for (int i = 0; i < 2; i++) {
        free(resting->targets[i]);
        resting->targets[i] = NULL;
    }
    free(resting->slice);
    resting->slice = NULL;
    resting->width_px = resting->height_px = 0;
}

void resting_finish(struct resting *resting) {
    resting_stop(resting);
    release(resting);
}

void resting_stop(struct resting *resting) {
    if (resting->generation > 0)
        frame_req_finish(&resting->req);
    resting->generation = 0;
    resting->shown = 1;
    resting->showing = 0;
}

bool resting_whole(const struct resting *resting) {
    return resting->showing == 0;
}

static int slice_rows(const struct resting *resting) {
    const int rows = SLICE_PIXELS / resting->width_px;
    return rows > 0 ? rows : 1;
}

static bool allocate(struct resting *resting, int width_px, int height_px) {
    static const char what[] = "anti-aliasing";
    const uint64_t pixels = (uint64_t)width_px * (uint64_t)height_px;
    if (resting->width_px == width_px && resting->height_px == height_px)
        return true;
    release(resting);
    resting->width_px = width_px;
    resting->height_px = height_px;
    resting->targets[0] = memory_alloc(4 * pixels, what);
    resting->targets[1] = memory_alloc(4 * pixels, what);
    resting->slice = memory_alloc(4 * (uint64_t)width_px * (uint64_t)slice_rows(resting), what);
    if (resting->targets[0] && resting->targets[1] && resting->slice &&
        accumulator_init(&resting->sums, width_px, height_px))
        return true;
    release(resting);
    return false;
}

static bool start(struct resting *resting, const struct frame_req *req, uint32_t samples) {
    resting_stop(resting);
    if (!allocate(resting, req->width_px, req->height_px))
        return false;
    accumulator_clear(&resting->sums);
    frame_req_init_copy(&resting->req, req);
    resting->req.first_stride = 1;
    resting->generation = req->generation;
    resting->wanted = samples;
    resting->submitted = resting->drawn = resting->added = 0;
    resting->rows = 0;
    return true;
}

/* The first one has been drawn already, and is taken over where the backend has kept it. */
static bool submit(struct resting *resting, struct backend *backend) {
    const uint32_t sample = resting->submitted;
    const struct target target = {.rgba = resting->targets[sample % 2]};
    accumulate_offset(sample, &resting->req.offset_x, &resting->req.offset_y);
    resting->req.reuse = sample == 0;
    resting->submitted += backend_submit(backend, &resting->req, &target);
    return resting->submitted > sample;
}

/* The backend draws one sample while the one before is added; and what is on its way to the screen is the sums
 * as they are. */
static void add_rows(struct resting *resting) {
    const int left = resting->height_px - resting->rows, most = slice_rows(resting);
    const int rows = left < most ? left : most, y = resting->rows;
    const uint32_t *rgba = resting->targets[resting->added % 2];
    accumulator_add(&resting->sums, resting->added, y, rows,
                    rgba + (size_t)y * (size_t)resting->width_px, y > 0, rows < left);
    resting->rows += rows;
    if (rows < left)
        return;
    resting->rows = 0;
    resting->added++;
    const bool round = (resting->added & (resting->added - 1)) == 0;
    if (resting->added > 1 && (round || resting->added == resting->wanted))
        resting->showing = resting->added;
}

static void show_rows(struct resting *resting, struct presenter *presenter, bool *news) {
    const int left = resting->height_px - resting->rows, most = slice_rows(resting);
    const int rows = left < most ? left : most;
    accumulator_set_samples(&resting->sums, resting->showing);
    accumulator_mean(&resting->sums, resting->rows, rows, resting->slice);
    presenter_replace(presenter, resting->rows, rows, resting->slice);
    resting->rows += rows;
    if (rows < left)
        return;
    resting->rows = 0;
    resting->shown = resting->showing;
    resting->showing = 0;
    *news = true;
}

static bool poll_backend(struct resting *resting, struct backend *backend) {
    if (resting->drawn == resting->submitted)
        return true;
    const enum backend_state state = backend_poll(backend, 0).state;
    resting->drawn += state == BACKEND_DONE;
    return state != BACKEND_LOST;
}

enum resting_state resting_step(struct resting *resting, struct backend *backend,
                                struct presenter *presenter, const struct frame_req *req,
                                uint32_t samples, bool *news) {
    const double begin = clock_ms();
    const bool other = resting->generation != req->generation || resting->wanted != samples;
    *news = false;
    if (!other && resting->shown == samples)
        return RESTING_DONE;
    if (other && !start(resting, req, samples))
        return RESTING_FAILED;
    if (!poll_backend(resting, backend))
        return RESTING_LOST;
    do {
        if (resting->submitted == resting->drawn && resting->submitted < resting->wanted &&
            resting->submitted < resting->added + 2 && !submit(resting, backend))
            return backend_poll(backend, 0).state == BACKEND_LOST ? RESTING_LOST : RESTING_FAILED;
        if (resting->showing > 0)
            show_rows(resting, presenter, news);
        else if (resting->added < resting->drawn)
            add_rows(resting);
        else
            break;
    } while (clock_ms() - begin < STEP_MS);
    return RESTING_WORKS;
}
