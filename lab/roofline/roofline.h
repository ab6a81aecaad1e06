/* Rooflines: what programs reach, under what a machine's arithmetic and memory allow. */
#ifndef FATHOM_LAB_ROOFLINE_ROOFLINE_H
#define FATHOM_LAB_ROOFLINE_ROOFLINE_H

#include "lab/lab.h"
#include "lab/report/grid.h"

/* A step of an orbit, however it is made: three fused multiply-adds of two operations each, and one
 * addition. Tests for escape do not count. */
#define ROOFLINE_STEP_OPERATIONS 7
#define ROOFLINE_PAPER_LIMIT     1000
#define ROOFLINE_SMALL_LIMIT     32

/* Racers of a roofline start with its ceilings; all take turns. */
enum roof { ROOF_FLOAT, ROOF_DOUBLE, ROOF_MEMORY, ROOF_COUNT };

/* Of one run of a racer. */
struct roofline_work {
    double operations, bytes; /* NaN: what it is no measure of */
    enum roof roof;           /* of a program: its number type's */
    /* Operations that a step's instructions let a machine do in the time of one that the roof
     * counts; NaN: it makes no steps. */
    double mix;
};

/* The pictures: seed 003's region, and seed 004's. */
struct roofline_grids {
    struct grid paper[TYPE_NATIVE_COUNT], small; /* small: of floats */
    uint32_t *counts;                            /* as large as the largest; programs draw there */
};

/* Writes two tables. racers[i] has done work[i]; `id` is "cpu" or "gpu",
 * `device` its name in texts. */
void roofline_report(struct lab *lab, const char *id, const char *device,
                     const struct racer *racers, const struct roofline_work *work, int count);

/* What a count's picture costs: coordinates read once, counts written once. */
double roofline_bytes(const struct grid *grid);

bool roofline_on_gpu(struct lab *lab, const struct roofline_grids *grids);

#endif
