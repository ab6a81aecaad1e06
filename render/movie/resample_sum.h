/* Sums of pixels: the places, weights and coverages of cells in a frame, and the mean of a pixel,
 * as one text for host and kernels. */
#ifndef FATHOM_RENDER_MOVIE_RESAMPLE_SUM_H
#define FATHOM_RENDER_MOVIE_RESAMPLE_SUM_H

#include "render/inline.h"

#define SPLAT_ONE 16384 /* sum of the weights of a pixel in one direction */
#define COVER_ONE 256   /* coverage of a whole cell in one direction */

/* Cells x0 <= x < x1, y0 <= y < y1; column 0 begins at the pivot, and rows go down. */
struct cells {
    int32_t x0, y0, x1, y1;
};

/* Pixel of one direction: the first cell with a weight, and the sums of the weights times the
 * coverage by the ring, and by its hole, in COVER_ONE. */
struct resample_tap {
    int32_t first;
    uint32_t cover, hole;
};

/* Sums of a pixel: of products of two weights and light (R, G, B), and of the weights and
 * coverages. */
struct resample_sum {
    uint64_t light[3], weight;
};

/* Place of a ring that is not parallel to the frame. */
struct resample_turn {
    host_double c, s;       /* step of one cell in the frame [pixels] */
    host_double x_px, y_px; /* position of the pivot */
    host_double spacing;    /* cells in a pixel, in each direction */
    host_double tent;       /* half the width of the tent [pixels] */
};

/* Returns an offset: x plus the offset is the number of cell (x, y) among the stored cells, which
 * are row by row `outer` without `hole`. All cells of a row on one side of the hole have the same
 * offset. */
INLINE int64_t cells_offset(const struct cells *outer, const struct cells *hole, int x, int y) {
    const int64_t gap = hole->x1 - hole->x0;
    int64_t missing = 0;
    if (y >= hole->y1)
        missing = hole->y1 - hole->y0;
    else if (y >= hole->y0)
        missing = y - hole->y0 + (x >= hole->x1);
    return (int64_t)(y - outer->y0) * (outer->x1 - outer->x0) - outer->x0 - missing * gap;
}

/* --- weights --- */

/* Returns the integral of a tent of height 1 / tent from its beginning to t. */
INLINE double tent_integral(double t, double tent) {
    if (t <= -tent)
        return 0;
    if (t >= tent)
        return 1;
    t /= tent;
    return t < 0 ? (1 + t) * (1 + t) / 2 : 1 - (1 - t) * (1 - t) / 2;
}

/* Returns the weight of a cell whose centre lies `distance` pixels from a pixel's, in one
 * direction. */
INLINE uint32_t splat_weight(double distance, double tent, double spacing) {
    const double share = tent_integral(0.5 - distance, tent) - tent_integral(-0.5 - distance, tent);
    return (uint32_t)(share * (SPLAT_ONE / spacing) + 0.5);
}

/* --- rotated rings --- */

/* Sets the position of the centre of cell (x, y) in the frame [pixels]. */
INLINE void resample_turn_cell(const struct resample_turn *turn, int x, int y, double *px,
                               double *py) {
    const double c = of_host(turn->c), s = of_host(turn->s);
    *px = of_host(turn->x_px) + 0.5 * c - (y + 0.5) * s + x * c;
    *py = of_host(turn->y_px) + 0.5 * s + (y + 0.5) * c + x * s;
}

/* Returns the area of cell (x, y) of level m that lies within cells of level 0. */
INLINE int64_t cells_shared(const struct cells *cells, int x, int y, int m) {
    const int64_t size = (int64_t)1 << m;
    const int64_t x0 = x * size, x1 = x0 + size, y0 = y * size, y1 = y0 + size;
    const int64_t w = (x1 < cells->x1 ? x1 : cells->x1) - (x0 > cells->x0 ? x0 : cells->x0);
    const int64_t h = (y1 < cells->y1 ? y1 : cells->y1) - (y0 > cells->y0 ? y0 : cells->y0);
    return w > 0 && h > 0 ? w * h : 0;
}

/* Returns the coverage of cell (x, y) of level m of a ring, in COVER_ONE^2. */
INLINE uint64_t cells_coverage(const struct cells *outer, const struct cells *hole, int x, int y,
                               int m) {
    const int64_t area = cells_shared(outer, x, y, m) - cells_shared(hole, x, y, m);
    return (uint64_t)(area * COVER_ONE * COVER_ONE) >> 2 * m;
}

/* --- means --- */

/* Returns the mean light of a channel, from 0 to 65535. */
INLINE uint32_t resample_mean(uint64_t light, uint64_t weight) {
    const double scale = weight > 0 ? (double)COVER_ONE * COVER_ONE / (double)weight : 0;
    const double mean = (double)light * scale;
    return mean < 65535 ? (uint32_t)(mean + 0.5) : 65535u;
}

#endif
