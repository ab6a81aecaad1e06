/* Anti-aliasing: draws offset samples of a resting picture, adds them up, and shows the mean at
 * each power of two. */
#include "app/picture/antialias.h"
#include "render/base/clock.h"
#include "render/base/memory.h"
#include <stdlib.h>

#define STEP_MS      2.0
#define SLICE_PIXELS (1 << 16) /* pixels added or shown at a time */

static void release(struct antialias *antialias) {
    accumulator_finish(&antialias->sums);
    for (int i = 0; i < 2; i++) {
        free(antialias->targets[i]);
        antialias->targets[i] = NULL;
    }
    free(antialias->slice);
    antialias->slice = NULL;
    antialias->width_px = antialias->height_px = 0;
}

void antialias_finish(struct antialias *antialias) {
    antialias_stop(antialias);
    release(antialias);
}

void antialias_stop(struct antialias *antialias) {
    if (antialias->generation > 0)
        frame_req_finish(&antialias->req);
    antialias->generation = 0;
    antialias->shown = 1;
    antialias->showing = 0;
}

bool antialias_whole(const struct antialias *antialias) {
    return antialias->showing == 0;
}

static int slice_rows(const struct antialias *antialias) {
    const int rows = SLICE_PIXELS / antialias->width_px;
    return rows > 0 ? rows : 1;
}

static bool allocate(struct antialias *antialias, int width_px, int height_px) {
    static const char what[] = "anti-aliasing";
    const uint64_t pixels = (uint64_t)width_px * (uint64_t)height_px;
    if (antialias->width_px == width_px && antialias->height_px == height_px)
        return true;
    release(antialias);
    antialias->width_px = width_px;
    antialias->height_px = height_px;
    antialias->targets[0] = memory_alloc(4 * pixels, what);
    antialias->targets[1] = memory_alloc(4 * pixels, what);
    antialias->slice = memory_alloc(4 * (uint64_t)width_px * (uint64_t)slice_rows(antialias), what);
    if (antialias->targets[0] && antialias->targets[1] && antialias->slice &&
        accumulator_init(&antialias->sums, width_px, height_px))
        return true;
    release(antialias);
    return false;
}

static bool start(struct antialias *antialias, const struct presenter *presenter,
                  const struct frame_req *req, uint32_t samples) {
    antialias_stop(antialias);
    if (!allocate(antialias, req->width_px, req->height_px))
        return false;
    accumulator_clear(&antialias->sums);
    frame_req_init_copy(&antialias->req, req);
    antialias->req.first_stride = 1;
    antialias->req.reuse = false;
    antialias->req.generation = 0; /* must not be mistaken for the picture itself */
    antialias->generation = req->generation;
    antialias->wanted = samples;
    presenter_copy(presenter, antialias->targets[0]);
    antialias->submitted = antialias->drawn = 1;
    antialias->added = 0;
    antialias->rows = 0;
    return true;
}

static bool submit(struct antialias *antialias, struct backend *backend) {
    const uint32_t sample = antialias->submitted;
    const struct target target = {.rgba = antialias->targets[sample % 2]};
    accumulate_offset(sample, &antialias->req.offset_x, &antialias->req.offset_y);
    antialias->submitted += backend_submit(backend, &antialias->req, &target);
    return antialias->submitted > sample;
}

/* Adds some rows of the oldest drawn sample to the sums, while the backend draws the next
 * sample. While a mean is being shown, the sums must not change, so nothing is added. */
static void add_rows(struct antialias *antialias) {
    const int left = antialias->height_px - antialias->rows, most = slice_rows(antialias);
    const int rows = left < most ? left : most, y = antialias->rows;
    const uint32_t *rgba = antialias->targets[antialias->added % 2];
    accumulator_add(&antialias->sums, antialias->added, y, rows,
                    rgba + (size_t)y * (size_t)antialias->width_px, y > 0, rows < left);
    antialias->rows += rows;
    if (rows < left)
        return;
    antialias->rows = 0;
    antialias->added++;
    const bool round = (antialias->added & (antialias->added - 1)) == 0;
    if (antialias->added > 1 && (round || antialias->added == antialias->wanted))
        antialias->showing = antialias->added;
}

static void show_rows(struct antialias *antialias, struct presenter *presenter, bool *news) {
    const int left = antialias->height_px - antialias->rows, most = slice_rows(antialias);
    const int rows = left < most ? left : most;
    accumulator_set_samples(&antialias->sums, antialias->showing);
    accumulator_mean(&antialias->sums, antialias->rows, rows, antialias->slice);
    presenter_replace(presenter, antialias->rows, rows, antialias->slice);
    antialias->rows += rows;
    if (rows < left)
        return;
    antialias->rows = 0;
    antialias->shown = antialias->showing;
    antialias->showing = 0;
    *news = true;
}

void antialias_finish_copy(struct antialias *antialias, struct presenter *presenter) {
    bool news;
    while (antialias->showing > 0)
        show_rows(antialias, presenter, &news);
}

static bool poll_backend(struct antialias *antialias, struct backend *backend) {
    const enum backend_state state = backend_poll(backend, 0).state;
    antialias->drawn += state == BACKEND_DONE;
    return state != BACKEND_LOST;
}

enum antialias_state antialias_step(struct antialias *antialias, struct backend *backend,
                                    struct presenter *presenter, const struct frame_req *req,
                                    uint32_t samples, bool *news) {
    const double begin = clock_ms();
    const bool other = antialias->generation != req->generation || antialias->wanted != samples;
    *news = false;
    if (!other && antialias->shown == samples)
        return ANTIALIAS_DONE;
    if (other && !start(antialias, presenter, req, samples))
        return ANTIALIAS_FAILED;
    if (antialias->drawn < antialias->submitted && !poll_backend(antialias, backend))
        return ANTIALIAS_LOST;
    do {
        if (antialias->submitted == antialias->drawn && antialias->submitted < antialias->wanted &&
            antialias->submitted < antialias->added + 2 && !submit(antialias, backend))
            return backend_poll(backend, 0).state == BACKEND_LOST ? ANTIALIAS_LOST
                                                                  : ANTIALIAS_FAILED;
        if (antialias->showing > 0)
            show_rows(antialias, presenter, news);
        else if (antialias->added < antialias->drawn)
            add_rows(antialias);
        else
            break;
    } while (!*news && clock_ms() - begin < STEP_MS); /* presents a new mean first */
    return ANTIALIAS_WORKS;
}
