/* Grid: tables of coordinates, and sums over counts. */
#include "lab/report/grid.h"
#include "render/base/log.h"
#include <math.h>
#include <stdlib.h>

/* Computes a coordinate; every operation is rounded to the type. */
static void place(void *table, int i, enum number_type type, double k, double first, double step,
                  bool fused) {
    if (type == TYPE_FLOAT) {
        const float scaled = (float)k * (float)step;
        ((float *)table)[i] =
            fused ? fmaf((float)k, (float)step, (float)first) : scaled + (float)first;
    } else {
        const double scaled = k * step;
        ((double *)table)[i] = fused ? fma(k, step, first) : scaled + first;
    }
}

static void *make_table(enum number_type type, int count, int padding, double first, double step,
                        bool fused) {
    const size_t number = type == TYPE_FLOAT ? sizeof(float) : sizeof(double);
    void *table = calloc((size_t)count + (size_t)padding, number);
    for (int i = 0; table && i < count + padding; i++)
        place(table, i, type, i < count ? i : count - 1, first, step, fused);
    return table;
}

bool grid_init(struct grid *grid, enum number_type type, int width_px, int height_px,
               double first_re, double first_im, double step, bool fused) {
    *grid = (struct grid){.type = type, .width_px = width_px, .height_px = height_px};
    grid->re = make_table(type, width_px, GRID_PADDING, first_re, step, fused);
    grid->im = make_table(type, height_px, 0, first_im, step, fused);
    if (!grid->re || !grid->im)
        log_error("no memory for the coordinates of %dx%d points", width_px, height_px);
    return grid->re && grid->im;
}

void grid_finish(struct grid *grid) {
    free(grid->re);
    free(grid->im);
    *grid = (struct grid){0};
}

uint32_t *grid_counts(const struct grid *grid) {
    uint32_t *counts = calloc(grid_points(grid), sizeof *counts);
    if (!counts)
        log_error("no memory for the counts of %dx%d points", grid->width_px, grid->height_px);
    return counts;
}

uint64_t grid_differing(const struct grid *grid, const uint32_t *a, const uint32_t *b) {
    uint64_t differing = 0;
    for (size_t i = 0; i < grid_points(grid); i++)
        differing += a[i] != b[i];
    return differing;
}

uint64_t grid_steps(const struct grid *grid, const uint32_t *counts, uint32_t limit) {
    uint64_t sum = 0;
    for (size_t i = 0; i < grid_points(grid); i++)
        sum += counts[i] ? counts[i] : limit;
    return sum;
}
