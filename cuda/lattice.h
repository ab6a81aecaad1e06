/* The order in which a pass visits its pixels: every `stride`-th of every `stride`-th row, in tiles
 * of 8 x 4 lattice points (a warp), rows of tiles nearest the focus first. */
#ifndef FATHOM_CUDA_LATTICE_H
#define FATHOM_CUDA_LATTICE_H

#include <stdint.h>

#ifndef LATTICE_FN
#define LATTICE_FN static inline
#endif

#define LATTICE_TILE_X      8
#define LATTICE_TILE_Y      4
#define LATTICE_TILE_POINTS (LATTICE_TILE_X * LATTICE_TILE_Y)

struct lattice {
    uint32_t stride;
    uint32_t tiles_x, tiles_y; /* at most 2^27 together */
    uint32_t focus_y;          /* the row of tiles that comes first */
};

LATTICE_FN struct lattice lattice_of(uint32_t width, uint32_t height, uint32_t stride,
                                     uint32_t focus_y_px) {
    struct lattice lattice;
    const uint32_t step_x = stride * LATTICE_TILE_X, step_y = stride * LATTICE_TILE_Y;
    lattice.stride = stride;
    lattice.tiles_x = (width + step_x - 1) / step_x;
    lattice.tiles_y = (height + step_y - 1) / step_y;
    lattice.focus_y = focus_y_px / step_y;
    return lattice;
}

/* The row of tiles that comes as the i-th: the focus, then below and above in turn, then what is
 * left on the longer side. */
LATTICE_FN uint32_t lattice_row(const struct lattice *lattice, uint32_t i) {
    const uint32_t above = lattice->focus_y, below = lattice->tiles_y - 1 - lattice->focus_y;
    const uint32_t both = above < below ? above : below;
    if (i > 2 * both)
        return above < below ? i : lattice->tiles_y - 1 - i;
    return i & 1 ? above + (i + 1) / 2 : above - i / 2;
}

/* The pixel of point `lane` in the tile that comes as the i-th; it may lie outside the picture. */
LATTICE_FN void lattice_pixel(const struct lattice *lattice, uint32_t i, uint32_t lane, uint32_t *x,
                              uint32_t *y) {
    const uint32_t row = lattice_row(lattice, i / lattice->tiles_x);
    *x = (i % lattice->tiles_x * LATTICE_TILE_X + lane % LATTICE_TILE_X) * lattice->stride;
    *y = (row * LATTICE_TILE_Y + lane / LATTICE_TILE_X) * lattice->stride;
}

#endif
