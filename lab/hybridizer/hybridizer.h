/* Between the files of seed 004's experiment. */
#ifndef FATHOM_LAB_HYBRIDIZER_HYBRIDIZER_H
#define FATHOM_LAB_HYBRIDIZER_HYBRIDIZER_H

#include "lab/lab.h"
#include "lab/report/grid.h"

#define HYBRIDIZER_LIMIT 32

/* The seed's picture, drawn by plain loops: what all programs are compared with. */
struct hybridizer_job {
    int side_px;
    struct grid grid; /* upright: columns are real parts */
    /* As the grid: counts; and by a test > 4 instead of >= 4 in the arithmetics of the seed's
     * programs, unfused and as nvcc fuses them. */
    uint32_t *counts[ARITHMETIC_COUNT], *above[ARITHMETIC_COUNT];
    int32_t *light; /* as the seed's program leaves it, on its side */
    int32_t *mine;  /* what a program draws goes there: as the grid, or as light */
};

/* What the seed's program gives for a point that has a count of ours. */
static inline int32_t hybridizer_light(uint32_t count) {
    return count == 0 || count + 1 > HYBRIDIZER_LIMIT ? HYBRIDIZER_LIMIT : (int32_t)count + 1;
}

/* Millions of pixels per second. */
static inline double hybridizer_rate(const struct hybridizer_job *job, double ms) {
    return (double)job->side_px * job->side_px / ms / 1e3;
}

/* These write tables; false as an experiment. */
bool hybridizer_on_gpu(struct lab *lab, struct hybridizer_job *job);
bool vector_add_on_cpu(struct lab *lab);
bool vector_add_on_gpu(struct lab *lab);

#endif
