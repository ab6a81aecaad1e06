/* Density cells: the squares that samples are taken from. They are the upper half of the sampling
 * domain in a grid, without cells that provably have no points to count.
 *
 * The proof follows a whole cell as a disc: z, and a radius that bounds all of its orbits,
 * including the rounding of kernels. A cell is omitted if all of it escapes before `least` steps
 * (bounded: within the limit), or if its disc returns into itself, so that no orbit ever escapes.
 * Omitting points that are not counted changes no expectation. All remaining cells have the same
 * area and are visited equally often. */
#ifndef FATHOM_RENDER_DENSITY_DENSITY_CELLS_H
#define FATHOM_RENDER_DENSITY_DENSITY_CELLS_H

#include "render/density/density.h"
#include "render/density/density_sample.h"

struct density_cells {
    uint32_t count; /* may be 0: there is nothing to count */
    /* Cells in an order of which every beginning is spread over the whole domain. */
    const uint32_t *order;
    struct density density; /* density that the cells were made for */
};

/* Computes the cells; takes tens of milliseconds. Returns NULL without memory; the reason is
 * logged. The caller owns the only reference. */
struct density_cells *density_cells_create(const struct density *density);
/* Add and remove a reference. Any thread. */
struct density_cells *density_cells_ref(struct density_cells *cells);
void density_cells_unref(struct density_cells *cells); /* may be NULL */
/* Returns true if the cells can be used for a density. */
bool density_cells_match(const struct density_cells *cells, const struct density *density);

#endif
