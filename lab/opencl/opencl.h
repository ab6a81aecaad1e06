/* Program of seed 002 in OpenCL, its own language: 64 threads, each takes every 64th pixel. One
 * thread may call these functions. An error is logged and fails the call. */
#ifndef FATHOM_LAB_OPENCL_OPENCL_H
#define FATHOM_LAB_OPENCL_OPENCL_H

#include "lab/hybridizer/mfunc.h"
#include <stdbool.h>

#define LAB_OPENCL_LIMIT_MAX 65534 /* the listing's counts have 16 bits */

struct opencl_job {
    enum mfunc_number number;
    int width_px, height_px;
    const void *re, *im; /* columns, rows; host memory */
    uint32_t limit;
    int rows_per_launch; /* 0: all */
    uint32_t *count;     /* output, width_px * height_px, as in count.h */
};

struct opencl_times {
    double kernel_ms; /* sum over launches */
    double total_ms;  /* including transfers */
    int launches;
};

struct lab_opencl;

/* Opens a device. `wanted` as in struct backend_options; devices that are not GPUs must be named.
 * Returns NULL on failure, with the reason in *why, a static sentence fragment. */
struct lab_opencl *lab_opencl_create(const char *wanted, const char **why);
void lab_opencl_destroy(struct lab_opencl *opencl);           /* NULL is allowed */
const char *lab_opencl_name(const struct lab_opencl *opencl); /* name of the device */

bool lab_opencl_count(struct lab_opencl *opencl, const struct opencl_job *job,
                      struct opencl_times *times);

#endif
