/* The pictures that kernels are measured on: one table, from all interior to all escaping, which
 * `fathom bench` measures and --help lists. */
#ifndef FATHOM_RENDER_FILES_BENCH_VIEWS_H
#define FATHOM_RENDER_FILES_BENCH_VIEWS_H

#include "render/frame.h"

#define BENCH_REPEATS_MAX 100 /* that may be asked for */

/* What draws a view, and in how many ways; a set of bits. */
enum bench_view_flag {
    BENCH_CPU = 1 << 0,
    BENCH_GPU = 1 << 1,
    BENCH_SCALAR = 1 << 2,    /* code of one lane too, which takes several times as long */
    BENCH_SHORTCUTS = 1 << 3, /* with shortcuts and without */
    BENCH_SCALING = 1 << 4,   /* on one thread too */
    BENCH_WIDE = 1 << 5,      /* in wide numbers too, which take ten times as long */
    BENCH_DEEP = 1 << 6,      /* around a reference, and so in doubles alone */
};

struct bench_view {
    const char *name;
    const char *re, *im; /* centre, decimal */
    double width;        /* of the picture, in the plane; pixels are square */
    int width_px, height_px;
    uint32_t limit;
    unsigned flags; /* enum bench_view_flag */
    const char *what;
};

/* Ends with an entry without a name. */
extern const struct bench_view bench_views[];

#endif
