/* Judge: compares kept frames with the exact pictures that they should have shown. */
#ifndef FATHOM_APP_BENCH_JUDGE_H
#define FATHOM_APP_BENCH_JUDGE_H

#include "app/bench/recorder.h"
#include "render/backend.h"

#define JUDGE_PSNR_MAX 99.0 /* [dB] value for equal pictures */

struct verdict {
    double psnr, moved_psnr; /* [dB] PSNR of the frame; of the exact picture with moved samples */
    double sharpness;        /* multiple of the exact picture's sharpness */
};

struct judgement {
    size_t frames;
    struct verdict verdict[RECORDER_KEPT_MAX]; /* verdict of each frame */
    double psnr_mean, psnr_worst;              /* [dB] */
    double psnr_moved; /* [dB] mean for exact pictures with samples a quarter of a pixel away */
    /* Contrast between neighbouring pixels divided by that between blocks of 8, as a multiple of
     * the exact picture's. */
    double sharp_median, sharp_worst;
};

/* Draws the exact pictures with the backend and judges the kept frames. Returns false on
 * failure, which is logged. */
bool judge_frames(struct judgement *judgement, const struct recorder *recorder,
                  struct backend *backend);

/* Return the PSNR of two pictures with equal weights for red, green and blue [dB], and the
 * sharpness of a picture. */
double judge_psnr(const uint32_t *a, const uint32_t *b, size_t pixels);
double judge_sharpness(const uint32_t *rgba, int width_px, int height_px);

#endif
