/* The cells that samples are taken from: the sampling domain's upper half in a grid, without those
 * where provably nothing is to be counted.
 *
 * The proof follows a whole cell as a disc, z and a radius that bounds where all its orbits are,
 * rounding of the kernels included: a cell is left out when all of it escapes before `least` steps
 * (bounded: within the limit), or when its disc comes back into itself, so that none of it ever
 * escapes. Leaving out what counts nothing changes no expectation; every cell that is left has the
 * same area and is visited equally often. */
#ifndef FATHOM_RENDER_DENSITY_DENSITY_CELLS_H
#define FATHOM_RENDER_DENSITY_DENSITY_CELLS_H

#include "render/density/density.h"
#include "render/density/density_sample.h"

struct density_cells {
    uint32_t count; /* from 0: there may be nothing to count */
    const uint32_t
        *order; /* in an order of which every beginning is spread over the whole domain */
    struct density density; /* what they were made for */
};

/* Some ten milliseconds. NULL: no memory, logged. The caller has the one reference. */
struct density_cells *density_cells_create(const struct density *density);
/* From any thread. */
struct density_cells *density_cells_ref(struct density_cells *cells);
void density_cells_unref(struct density_cells *cells); /* NULL is allowed */
/* Whether they serve it. */
bool density_cells_match(const struct density_cells *cells, const struct density *density);

#endif
