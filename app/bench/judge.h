/* Compares kept frames with the exact pictures of what they should have shown. */
#ifndef FATHOM_APP_BENCH_JUDGE_H
#define FATHOM_APP_BENCH_JUDGE_H

#include "app/bench/recorder.h"
#include "render/backend.h"

#define JUDGE_PSNR_MAX 99.0 /* dB, of equal pictures */

struct verdict {
    double psnr, moved_psnr; /* dB */
    double sharpness;        /* beside the exact picture's */
};

struct judgement {
    size_t frames;
    struct verdict verdict[RECORDER_KEPT_MAX]; /* of each */
    double psnr_mean, psnr_worst;              /* dB */
    double psnr_moved; /* likewise, of the exact pictures with samples a quarter of a pixel away */
    /* Contrast between neighbours over that between blocks of 8, beside the exact picture's. */
    double sharp_median, sharp_worst;
};

/* Draws the exact pictures with the backend. False: logged why. */
bool judge_frames(struct judgement *judgement, const struct recorder *recorder,
                  struct backend *backend);

/* Of two pictures, red, green and blue alike. */
double judge_psnr(const uint32_t *a, const uint32_t *b, size_t pixels);
double judge_sharpness(const uint32_t *rgba, int width_px, int height_px);

#endif
