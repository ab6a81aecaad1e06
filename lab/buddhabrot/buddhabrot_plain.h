/* Orbit density by a plain scalar loop, with a histogram of its own for every thread: what ours is
 * measured against, and what its counts must equal. It leaves out what the formulas of cardioid and
 * disc know to count nothing. */
#ifndef FATHOM_LAB_BUDDHABROT_BUDDHABROT_PLAIN_H
#define FATHOM_LAB_BUDDHABROT_BUDDHABROT_PLAIN_H

#include "render/density/density_cells.h"
#include "render/density/density_counts.h"

/* Takes the request's samples from the first on, on so many threads; orbits that escape, fewer than
 * 2^32 points in all. `cpu_flags`: whether it may use FMA, without which it takes ages. Adds to
 * counts, which are of the request's shape. Returns false if there is no memory, logged. */
bool plain_run(const struct density_req *req, int threads, uint32_t cpu_flags,
               struct density_counts *counts);

/* --- for the loop itself --- */

struct plain_work {
    struct density_place place;
    struct density_planes planes;
    uint32_t least;
    const struct density_cells *cells;
    uint64_t random;
};

/* Clumps [begin, end) of a round; returns the points. */
typedef uint64_t plain_loop(const struct plain_work *work, const struct sample_round *round,
                            uint32_t begin, uint32_t end, uint32_t *histogram);
plain_loop plain_base_float, plain_base_double, plain_fma_float, plain_fma_double;

#endif
