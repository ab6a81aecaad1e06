/* The order in which a pass visits its pixels: every `stride`-th of every `stride`-th row, in tiles
 * of 32 lattice points (a warp), rows of tiles nearest the focus first. */
#ifndef FATHOM_CUDA_LATTICE_H
#define FATHOM_CUDA_LATTICE_H

#include <stdbool.h>
#include <stdint.h>

#ifndef LATTICE_FN
#define LATTICE_FN static inline
#endif

#define LATTICE_TILE_POINTS 32u

struct lattice {
    uint32_t stride;
    uint32_t tile_x_log2;      /* a tile is 2^tile_x_log2 points wide: 3 (8x4) or 5 (32x1) */
    uint32_t tiles_x, tiles_y; /* at most 2^27 together */
    uint32_t first_y_px;       /* where its first row is; a multiple of the stride */
    uint32_t focus_y;          /* the row of tiles that comes first */
    bool finer;                /* points of the lattice of twice the stride have been visited */
};

/* Of a picture, or a band of one, of that size. */
LATTICE_FN struct lattice lattice_of(uint32_t width, uint32_t height, uint32_t stride,
                                     uint32_t tile_x_log2, uint32_t focus_y_px) {
    struct lattice lattice;
    const uint32_t step_x = stride << tile_x_log2;
    const uint32_t step_y = stride * (LATTICE_TILE_POINTS >> tile_x_log2);
    lattice.stride = stride;
    lattice.tile_x_log2 = tile_x_log2;
    lattice.tiles_x = (width + step_x - 1) / step_x;
    lattice.tiles_y = (height + step_y - 1) / step_y;
    lattice.first_y_px = 0;
    lattice.focus_y = focus_y_px / step_y;
    lattice.finer = false;
    return lattice;
}

LATTICE_FN uint32_t lattice_tile_height(const struct lattice *lattice) {
    return LATTICE_TILE_POINTS >> lattice->tile_x_log2;
}

/* Points in a row of tiles. */
LATTICE_FN uint32_t lattice_row_points(const struct lattice *lattice) {
    return lattice->tiles_x * LATTICE_TILE_POINTS;
}

/* The row of tiles that comes as the i-th: the focus, then below and above in turn, then what is
 * left on the longer side. The first few are neighbours, however many they are. */
LATTICE_FN uint32_t lattice_row(const struct lattice *lattice, uint32_t i) {
    const uint32_t above = lattice->focus_y, below = lattice->tiles_y - 1 - lattice->focus_y;
    const uint32_t both = above < below ? above : below;
    if (i > 2 * both)
        return above < below ? i : lattice->tiles_y - 1 - i;
    return i & 1 ? above + (i + 1) / 2 : above - i / 2;
}

/* The pixel of point `lane` of tile `tile` in the row of tiles that comes as the i-th; it may lie
 * outside the picture. */
LATTICE_FN void lattice_pixel(const struct lattice *lattice, uint32_t i, uint32_t tile,
                              uint32_t lane, uint32_t *x, uint32_t *y) {
    const uint32_t log2 = lattice->tile_x_log2;
    const uint32_t row = lattice_row(lattice, i) * lattice_tile_height(lattice);
    *x = ((tile << log2) + (lane & ((1u << log2) - 1))) * lattice->stride;
    *y = (row + (lane >> log2)) * lattice->stride + lattice->first_y_px;
}

/* Whether a coarser pass has been there. */
LATTICE_FN bool lattice_visited(const struct lattice *lattice, uint32_t x, uint32_t y) {
    const uint32_t coarser = 2 * lattice->stride - 1;
    return lattice->finer && ((x | y) & coarser) == 0;
}

#endif
