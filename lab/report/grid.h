/* Where a program's points are, and counts that programs of the laboratory give.
 *
 * A count here is the number of steps done when |z|^2 >= 4 first held, 0 for points that did not
 * get there within the limit. */
#ifndef FATHOM_LAB_REPORT_GRID_H
#define FATHOM_LAB_REPORT_GRID_H

#include "render/frame.h"
#include <stddef.h>
#include <stdint.h>

#define GRID_PADDING 16 /* numbers past the last column that may be read */

/* Column x has the real part first_re + x * step, row y the imaginary part first_im + y * step, in
 * the grid's type; row 0 is the first in memory. */
struct grid {
    enum number_type type;
    int width_px, height_px;
    void *re; /* width_px + GRID_PADDING numbers of the type; the padding repeats the last one */
    void *im; /* height_px */
};

/* The members of a job that say where a grid's points are. */
#define GRID_POINTS(grid)                                                                          \
    .width_px = (grid)->width_px, .height_px = (grid)->height_px, .re = (grid)->re, .im = (grid)->im

/* `fused`: with one rounding, else product and sum are rounded each. False: no memory, logged. */
bool grid_init(struct grid *grid, enum number_type type, int width_px, int height_px,
               double first_re, double first_im, double step, bool fused);
void grid_finish(struct grid *grid); /* also after a failed init */

static inline size_t grid_points(const struct grid *grid) {
    return (size_t)grid->width_px * (size_t)grid->height_px;
}

/* Planes of counts for a grid, zeroed; free with free(). NULL: no memory, logged. */
uint32_t *grid_counts(const struct grid *grid);
uint64_t grid_differing(const struct grid *grid, const uint32_t *a, const uint32_t *b);
/* Steps that the counts stand for: 0 is `limit`. */
uint64_t grid_steps(const struct grid *grid, const uint32_t *counts, uint32_t limit);

#endif
