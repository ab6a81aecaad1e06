/* Plain orbit density: a scalar loop with a histogram for every thread. It is the baseline for
 * fathom's speed and the reference for its counts. The loop skips points in the cardioid and the
 * disc, because their orbits do not count. */
#ifndef FATHOM_LAB_BUDDHABROT_BUDDHABROT_PLAIN_H
#define FATHOM_LAB_BUDDHABROT_BUDDHABROT_PLAIN_H

#include "render/density/density_cells.h"
#include "render/density/density_counts.h"

/* Counts the request's samples, from the first, on `threads` threads. Supports only escaping
 * orbits, and fewer than 2^32 points in all. `cpu_flags`: allows FMA; without FMA the loop is very
 * slow. Adds to `counts`, which have the request's shape. Returns false if there is no memory; the
 * error is logged. */
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
