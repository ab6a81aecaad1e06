/* Plain orbit density: a scalar loop with a histogram for every thread. It is the baseline for
 * fathom's speed and the reference for its counts. It skips points that lie in cardioid or disc,
 * which count nothing. */
#ifndef FATHOM_LAB_BUDDHABROT_BUDDHABROT_PLAIN_H
#define FATHOM_LAB_BUDDHABROT_BUDDHABROT_PLAIN_H

#include "render/density/density_cells.h"
#include "render/density/density_counts.h"

/* Counts the request's samples from the first on, on `threads` threads; for orbits that escape, and
 * fewer than 2^32 points in all. `cpu_flags`: allows FMA, without which it is very slow. Adds to
 * `counts`, which have the request's shape. Returns false without memory, which is logged. */
bool plain_run(const struct density_req *req, int threads, uint32_t cpu_flags,
               struct density_counts *counts);

/* --- interface of the loop --- */

struct plain_work {
    struct density_place place;
    struct density_planes planes;
    uint32_t least;
    const struct density_cells *cells;
    uint64_t random;
};

/* Counts clumps [begin, end) of a round; returns the points. */
typedef uint64_t plain_loop(const struct plain_work *work, const struct sample_round *round,
                            uint32_t begin, uint32_t end, uint32_t *histogram);
plain_loop plain_base_float, plain_base_double, plain_fma_float, plain_fma_double;

#endif
