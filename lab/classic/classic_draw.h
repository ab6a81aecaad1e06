/* Seed 000's picture: the coordinates and colours of a coursework renderer and its CUDA port, drawn
 * byte for byte on processors or a GPU, band by band.
 *
 * Centre -0.6 + 0i and 4 / width a pixel, neither of which the text gives; integer halves of width
 * and height; arithmetic unfused, in double. A count is the number of steps done when |z|^2 >= 4
 * first held; from 255 on the unsigned char that holds it is at its limit or wraps to 0, and both
 * are black. Rows are reversed in the file: the first one has the largest imaginary part. The text
 * tests the cardioid and means to test the period-2 disc (its 1 / 16 is an integer 0): points whose
 * orbits would not escape within 255 steps anyway, so that no byte depends on it. */
#ifndef FATHOM_LAB_CLASSIC_CLASSIC_DRAW_H
#define FATHOM_LAB_CLASSIC_CLASSIC_DRAW_H

#include "lab/count/count.h"
#include "render/backend.h"

#define CLASSIC_LIMIT 255u

struct classic_picture {
    int width_px, height_px;
    double *re;                          /* of the columns */
    double *im;                          /* of the rows, in the order of the file */
    int middle_row;                      /* rows f and 2 * middle_row - f are conjugate */
    uint32_t colours[CLASSIC_LIMIT + 1]; /* by count, black included: r + 256 g + 65536 b */
};
/* Sizes from 1 to FRAME_SIZE_MAX. False: no memory, logged. */
bool classic_picture_init(struct classic_picture *classic, int width_px, int height_px);
void classic_picture_finish(struct classic_picture *classic); /* also after a failed init */

struct classic_job {
    const struct classic_picture *classic;
    unsigned shortcuts; /* enum shortcuts; no byte changes */
    bool mirror;        /* conjugate rows are drawn once; no byte changes */
    bool (*stop)(void);
    /* Takes finished rows, `rows` from row `first` on, 3 * width_px bytes each, which are lent.
     * Every row comes once; with `mirror` not in order. False ends the drawing. NULL: they are not
     * wanted. */
    bool (*take)(void *user, int first, int rows, const uint8_t *rgb);
    void *user;
};

/* Milliseconds. */
struct classic_times {
    double draw;   /* everything but `take` */
    double kernel; /* on a GPU: of the kernels alone; else NaN */
};

struct classic_device;
/* For pictures of `classic`'s size, on the backend of that name among `impls`, NULL: the best.
 * `options`: threads, cpumask, device. One thread. NULL: logged why. */
struct classic_device *classic_device_create(const struct backend_impl *const *impls,
                                             const char *backend,
                                             const struct backend_options *options,
                                             const struct classic_picture *classic);
void classic_device_destroy(struct classic_device *device);              /* NULL is allowed */
const char *classic_device_backend(const struct classic_device *device); /* "cuda", "avx2", ... */
const char *classic_device_name(const struct classic_device *device);    /* of the processor */

/* False: stopped, `take` said so, or logged why. */
bool classic_draw(struct classic_device *device, const struct classic_job *job,
                  struct classic_times *times);

#endif
