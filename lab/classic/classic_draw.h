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
    double *re;                          /* real parts of the columns */
    double *im;                          /* imaginary parts of the rows, in the file's order */
    int middle_row;                      /* rows f and 2 * middle_row - f are conjugate */
    uint32_t colours[CLASSIC_LIMIT + 1]; /* by count, black included: r + 256 g + 65536 b */
};
/* Creates a picture; sizes from 1 to FRAME_SIZE_MAX. Returns false without memory, which is
 * logged. */
bool classic_picture_init(struct classic_picture *classic, int width_px, int height_px);
void classic_picture_finish(struct classic_picture *classic); /* also after a failed init */

struct classic_job {
    const struct classic_picture *classic;
    unsigned shortcuts; /* set of enum shortcuts; changes no byte */
    bool mirror;        /* draws conjugate rows once; changes no byte */
    bool (*stop)(void);
    /* Receives `rows` finished rows from row `first` on, 3 * width_px bytes each, valid during the
     * call. Every row comes once; with `mirror` not in order. Returns false to end the drawing.
     * NULL: rows are not needed. */
    bool (*take)(void *user, int first, int rows, const uint8_t *rgb);
    void *user;
};

/* Times [ms]. */
struct classic_times {
    double draw;   /* all except `take` */
    double kernel; /* kernels alone on a GPU, else NaN */
};

struct classic_device;
/* Opens a device for pictures of `classic`'s size: the backend named `backend` among `impls`, or
 * the best if `backend` is NULL. `options`: threads, cpumask, device. A device belongs to one
 * thread. Returns NULL on failure, which is logged. */
struct classic_device *classic_device_create(const struct backend_impl *const *impls,
                                             const char *backend,
                                             const struct backend_options *options,
                                             const struct classic_picture *classic);
void classic_device_destroy(struct classic_device *device);              /* NULL is allowed */
const char *classic_device_backend(const struct classic_device *device); /* "cuda", "avx2", ... */
const char *classic_device_name(const struct classic_device *device);    /* name of the processor */

/* Draws a picture. Returns false if it was stopped, if `take` returned false, or on failure
 * (logged). */
bool classic_draw(struct classic_device *device, const struct classic_job *job,
                  struct classic_times *times);

#endif
