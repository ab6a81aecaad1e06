/* Grid map (host and GPU): the map between pixels of two pictures that have the same c. */
#ifndef FATHOM_RENDER_GRID_GRID_MAP_H
#define FATHOM_RENDER_GRID_GRID_MAP_H

#include "render/inline.h"

/* Map between a picture and an earlier one whose pixels have the same c. The zoom of the earlier
 * picture is 2^-scale_log2 times the picture's. Pixel x lies at pixel x + dx of the earlier
 * picture. Zoomed in, it lies at (x + dx) / 2^scale_log2, if that is whole; zoomed out, at x *
 * 2^-scale_log2 + dx. Rows are mapped equally. The inverse map has all signs changed. */
struct grid_map {
    int dx, dy, scale_log2;
};

#define GRID_MAP_LOG2_MAX 12 /* bound of |scale_log2|; |dx| and |dy| are below 2^30 */

/* Returns the last position of the earlier picture, on one axis, that is not after `position` (0 ..
 * 65536). `d` is the map's dx or dy. *there becomes true if both are at the same place. */
INLINE int grid_map_from(int d, int scale_log2, int position, bool *there) {
    const int in = scale_log2 > 0 ? scale_log2 : 0, out = in - scale_log2;
    const int fine = (int)((uint32_t)position << out) + d;
    *there = (fine & ((1 << in) - 1)) == 0;
    return fine >> in;
}

#endif
