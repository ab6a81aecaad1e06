/* Benchmark views: the pictures that `fathom bench` measures kernels on, from all interior to all
 * escaping. --help lists them. */
#ifndef FATHOM_RENDER_FILES_BENCH_VIEWS_H
#define FATHOM_RENDER_FILES_BENCH_VIEWS_H

#include "render/frame.h"

#define BENCH_REPEATS_MAX 100 /* most repeats that may be requested */

/* Bits: the backends that draw a view, and the variants that are measured. */
enum bench_view_flag {
    BENCH_CPU = 1 << 0,
    BENCH_GPU = 1 << 1,
    BENCH_SCALAR = 1 << 2, /* kernels of one lane, in addition; they take several times as long */
    BENCH_SHORTCUTS = 1 << 3, /* interior tests on and off */
    BENCH_SCALING = 1 << 4,   /* one thread, in addition */
    BENCH_WIDE = 1 << 5,      /* wide numbers, in addition; they take ten times as long */
    BENCH_DEEP = 1 << 6,      /* around a reference orbit, and therefore in doubles only */
};

struct bench_view {
    const char *name;
    const char *re, *im; /* centre, decimal */
    double width;        /* width of the picture in the plane; pixels are square */
    int width_px, height_px;
    uint32_t limit;
    unsigned flags; /* enum bench_view_flag */
    const char *what;
};

/* Table of views, which ends with an entry without a name. */
extern const struct bench_view bench_views[];

#endif
