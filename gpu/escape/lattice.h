/* Lattices: the order in which a pass visits pixels. A lattice is divided into tiles of 32 points
 * (a warp); rows of tiles near the focus come first. */
#ifndef FATHOM_GPU_ESCAPE_LATTICE_H
#define FATHOM_GPU_ESCAPE_LATTICE_H

#include "render/inline.h"

#define LATTICE_TILE_POINTS 32u

struct lattice {
    uint32_t stride_x, stride_y; /* [px] distance of points */
    uint32_t first_x, first_y;   /* pixel of the first point */
    uint32_t tile_x_log2;        /* tiles are 2^tile_x_log2 points wide: 3 (8x4) or 5 (32x1) */
    uint32_t tiles_x, tiles_y;   /* at most 2^27 together */
    uint32_t focus_y;            /* row of tiles that comes first */
};

INLINE uint32_t lattice_tile_height(const struct lattice *lattice) {
    return LATTICE_TILE_POINTS >> lattice->tile_x_log2;
}

/* Fits the tiles to a picture, or a band, of that size. */
INLINE void lattice_fit(struct lattice *lattice, uint32_t width, uint32_t height,
                        uint32_t focus_y_px) {
    const uint32_t step_x = lattice->stride_x << lattice->tile_x_log2;
    const uint32_t step_y = lattice->stride_y * lattice_tile_height(lattice);
    lattice->tiles_x = (width + step_x - 1) / step_x;
    lattice->tiles_y = (height + step_y - 1) / step_y;
    lattice->focus_y = focus_y_px / step_y;
}

/* Returns a lattice of a pass over every `stride`-th pixel of every `stride`-th row. The first pass
 * has one lattice with all these pixels. A pass after the pass of twice the stride has two: the
 * rows between that pass's rows (part 0), and the pixels between its pixels (part 1). */
#define LATTICE_PARTS 2
INLINE struct lattice lattice_of(uint32_t stride, bool first_pass, int part, uint32_t tile_x_log2) {
    struct lattice lattice = {stride, stride, 0, 0, tile_x_log2, 0, 0, 0};
    if (first_pass)
        return lattice;
    lattice.stride_y = 2 * stride;
    if (part == 0) {
        lattice.first_y = stride;
    } else {
        lattice.stride_x = 2 * stride;
        lattice.first_x = stride;
    }
    return lattice;
}

/* Moves all points right and down, modulo the stride. The lattices of a pass still cover the
 * picture if all are moved alike. */
INLINE void lattice_move(struct lattice *lattice, uint32_t x, uint32_t y) {
    lattice->first_x = (lattice->first_x + x) % lattice->stride_x;
    lattice->first_y = (lattice->first_y + y) % lattice->stride_y;
}

/* Returns the number of points in a row of tiles. */
INLINE uint32_t lattice_row_points(const struct lattice *lattice) {
    return lattice->tiles_x * LATTICE_TILE_POINTS;
}

/* Returns the i-th row of tiles in order: the focus, then rows below and above in turn, then the
 * rest of the longer side. The first i rows are always adjacent. */
INLINE uint32_t lattice_row(const struct lattice *lattice, uint32_t i) {
    const uint32_t above = lattice->focus_y, below = lattice->tiles_y - 1 - lattice->focus_y;
    const uint32_t both = above < below ? above : below;
    if (i > 2 * both)
        return above < below ? i : lattice->tiles_y - 1 - i;
    return i & 1 ? above + (i + 1) / 2 : above - i / 2;
}

/* Sets the pixel of point `lane` of tile `tile` in the i-th row of tiles. The pixel may lie outside
 * the picture. */
INLINE void lattice_pixel(const struct lattice *lattice, uint32_t i, uint32_t tile, uint32_t lane,
                          uint32_t *x, uint32_t *y) {
    const uint32_t log2 = lattice->tile_x_log2;
    const uint32_t row = lattice_row(lattice, i) * lattice_tile_height(lattice);
    *x = ((tile << log2) + (lane & ((1u << log2) - 1))) * lattice->stride_x + lattice->first_x;
    *y = (row + (lane >> log2)) * lattice->stride_y + lattice->first_y;
}

#endif
