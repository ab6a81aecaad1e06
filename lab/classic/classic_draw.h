/* Drawing seed 000's picture (lab/classic/classic_picture.h) on the CPU or a GPU, band by band. */
#ifndef FATHOM_LAB_CLASSIC_CLASSIC_DRAW_H
#define FATHOM_LAB_CLASSIC_CLASSIC_DRAW_H

#include "lab/classic/classic_picture.h"
#include "render/backend.h"

struct classic_job {
    const struct classic_picture *classic;
    enum arithmetic arithmetic; /* unfused is the seed's */
    unsigned shortcuts;         /* enum shortcuts; no byte changes */
    bool mirror;                /* conjugate rows are drawn once; no byte changes */
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
