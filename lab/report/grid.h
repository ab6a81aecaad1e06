/* Grid: the points of a picture, and the counts that programs of the laboratory return.
 *
 * A count here is the number of steps done when |z|^2 >= 4 first held, or 0 for points for which it
 * did not hold within the limit. */
#ifndef FATHOM_LAB_REPORT_GRID_H
#define FATHOM_LAB_REPORT_GRID_H

#include "render/frame.h"
#include <stddef.h>
#include <stdint.h>

#define GRID_PADDING 16 /* numbers past the last column that may be read */

/* Points of a picture. Column x has the real part first_re + x * step, row y the imaginary part
 * first_im + y * step, in the grid's type. Row 0 is the first in memory. */
struct grid {
    enum number_type type;
    int width_px, height_px;
    void *re; /* width_px + GRID_PADDING numbers of the type; the padding repeats the last one */
    void *im; /* height_px */
};

/* Members of a job that describe a grid's points. */
#define GRID_POINTS(grid)                                                                          \
    .width_px = (grid)->width_px, .height_px = (grid)->height_px, .re = (grid)->re, .im = (grid)->im

/* Creates a grid. `fused`: coordinates are rounded once, else product and sum are each rounded.
 * Returns false without memory, which is logged. */
bool grid_init(struct grid *grid, enum number_type type, int width_px, int height_px,
               double first_re, double first_im, double step, bool fused);
void grid_finish(struct grid *grid); /* also after a failed init */

static inline size_t grid_points(const struct grid *grid) {
    return (size_t)grid->width_px * (size_t)grid->height_px;
}

/* Returns a plane of zero counts for a grid; the caller frees it with free(). Returns NULL without
 * memory, which is logged. */
uint32_t *grid_counts(const struct grid *grid);
uint64_t grid_differing(const struct grid *grid, const uint32_t *a, const uint32_t *b);
/* Returns the steps that the counts represent; a count of 0 stands for `limit`. */
uint64_t grid_steps(const struct grid *grid, const uint32_t *counts, uint32_t limit);

#endif
