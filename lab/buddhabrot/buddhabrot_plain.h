/* Orbit density by a plain scalar loop, with a histogram of its own for every thread: what ours is
 * measured against, and what its counts must equal. It leaves out what the formulas of cardioid and
 * disc know to count nothing. */
#ifndef FATHOM_LAB_BUDDHABROT_BUDDHABROT_PLAIN_H
#define FATHOM_LAB_BUDDHABROT_BUDDHABROT_PLAIN_H

#include "render/density/density_cells.h"
#include "render/density/density_counts.h"

struct plain_job {
    const struct density_req *req; /* of escaping orbits; its samples and start are not looked at */
    uint64_t first, samples;       /* samples [first, samples), both multiples of 32 */
    int threads;
    uint32_t cpu_flags; /* whether it may use FMA (cpu/cpuid.h); without it takes ages */
};

/* Adds to counts, which are of the request's shape, their samples apart; fewer than 2^32 points in
 * all. False: no memory, logged. */
bool plain_run(const struct plain_job *job, struct density_counts *counts);

/* --- for the loop itself --- */

struct plain_work {
    struct density_place place;
    struct density_rule rule;
    struct sample_domain domain;
    const struct density_cells *cells;
    uint64_t random;
};

/* Clumps [begin, end) of a round; returns the points. */
typedef uint64_t plain_loop(const struct plain_work *work, const struct sample_round *round,
                            uint32_t begin, uint32_t end, uint32_t *histogram);
plain_loop plain_base_float, plain_base_double, plain_fma_float, plain_fma_double;

#endif
