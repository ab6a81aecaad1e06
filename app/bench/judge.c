/* Judge: draws the exact pictures of kept frames, and measures the error and the sharpness of
 * the frames. */
#include "app/bench/judge.h"
#include "app/still/still.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include <math.h>
#include <stdlib.h>

#define BLOCK_PX 8

static int channel(uint32_t pixel, int i) {
    return (int)(pixel >> (8 * i) & 255);
}

double judge_psnr(const uint32_t *a, const uint32_t *b, size_t pixels) {
    double sum = 0;
    for (size_t i = 0; i < pixels; i++)
        for (int c = 0; c < 3; c++) {
            const int difference = channel(a[i], c) - channel(b[i], c);
            sum += difference * difference;
        }
    const double mean = sum / (3 * (double)pixels);
    return mean > 0 ? fmin(10 * log10(255.0 * 255.0 / mean), JUDGE_PSNR_MAX) : JUDGE_PSNR_MAX;
}

static double grey(uint32_t pixel) {
    return (channel(pixel, 0) + channel(pixel, 1) + channel(pixel, 2)) / 3.0;
}

/* Returns the mean grey of the block that begins at `first`. */
static double block_grey(const uint32_t *first, int width_px) {
    double sum = 0;
    for (int y = 0; y < BLOCK_PX; y++)
        for (int x = 0; x < BLOCK_PX; x++)
            sum += grey(first[(size_t)y * (size_t)width_px + (size_t)x]);
    return sum / (BLOCK_PX * BLOCK_PX);
}

double judge_sharpness(const uint32_t *rgba, int width_px, int height_px) {
    const int columns = width_px / BLOCK_PX, rows = height_px / BLOCK_PX;
    double fine = 0, coarse = 0;
    for (int y = 0; y < height_px; y++)
        for (int x = 1; x < width_px; x++) {
            const uint32_t *at = rgba + (size_t)y * (size_t)width_px + x;
            fine += fabs(grey(at[0]) - grey(at[-1]));
        }
    for (int y = 0; y < rows; y++) {
        const uint32_t *row = rgba + (size_t)(y * BLOCK_PX) * (size_t)width_px;
        for (int x = 1; x < columns; x++)
            coarse += fabs(block_grey(row + x * BLOCK_PX, width_px) -
                           block_grey(row + (x - 1) * BLOCK_PX, width_px));
    }
    fine /= fmax((double)height_px * (width_px - 1), 1);
    coarse /= fmax((double)rows * (columns - 1), 1);
    return fine / (coarse + 1e-9);
}

static bool not_interrupted(void *user, const struct backend_report *report) {
    (void)user, (void)report;
    return !interrupt_requested();
}

/* Draws the exact picture with samples `offset` to the right and below. */
static bool draw_exact(struct backend *backend, const struct scene *scene, int offset,
                       uint32_t *rgba) {
    struct frame_req req;
    struct backend_report report;
    frame_req_init(&req, scene->width_px, scene->height_px);
    still_request(scene, SHORTCUTS_ALL, &req);
    req.offset_x = req.offset_y = offset;
    const struct target target = {.rgba = rgba, .at_once = true};
    const bool ok = backend_draw(backend, &req, &target, not_interrupted, NULL, &report);
    frame_req_finish(&req);
    if (!ok)
        log_error("the exact pictures could not be drawn, so frames were not judged");
    return ok;
}

static bool judge_frame(struct verdict *verdict, const struct kept_frame *frame,
                        struct backend *backend) {
    const int width = frame->scene.width_px, height = frame->scene.height_px;
    const size_t pixels = (size_t)width * (size_t)height;
    uint32_t *exact = memory_alloc(pixels * sizeof *exact, "an exact picture");
    uint32_t *moved = memory_alloc(pixels * sizeof *moved, "an exact picture");
    const bool ok = exact && moved && draw_exact(backend, &frame->scene, 0, exact) &&
                    draw_exact(backend, &frame->scene, FRAME_OFFSETS / 4, moved);
    if (ok)
        *verdict = (struct verdict){judge_psnr(frame->rgba, exact, pixels),
                                    judge_psnr(moved, exact, pixels),
                                    judge_sharpness(frame->rgba, width, height) /
                                        fmax(judge_sharpness(exact, width, height), 1e-9)};
    free(exact);
    free(moved);
    return ok;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bool judge_frames(struct judgement *judgement, const struct recorder *recorder,
                  struct backend *backend) {
    *judgement = (struct judgement){.frames = recorder->kept_count, .psnr_worst = JUDGE_PSNR_MAX};
    double sharp[RECORDER_KEPT_MAX];
    bool ok = true;
    for (size_t i = 0; ok && i < recorder->kept_count; i++) {
        struct verdict *verdict = &judgement->verdict[i];
        ok = judge_frame(verdict, &recorder->kept[i], backend);
        if (!ok)
            break;
        judgement->psnr_mean += verdict->psnr; /* the sums, until all frames are judged */
        judgement->psnr_moved += verdict->moved_psnr;
        judgement->psnr_worst = fmin(judgement->psnr_worst, verdict->psnr);
        sharp[i] = verdict->sharpness;
    }
    if (!ok || recorder->kept_count == 0)
        return ok;
    judgement->psnr_mean /= (double)recorder->kept_count;
    judgement->psnr_moved /= (double)recorder->kept_count;
    qsort(sharp, recorder->kept_count, sizeof *sharp, ascending);
    judgement->sharp_worst = sharp[0];
    judgement->sharp_median = sharp[recorder->kept_count / 2];
    return true;
}
