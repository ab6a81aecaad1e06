/* Where the samples of a picture lie among those of an earlier one, where both have some at the same
 * points. */
#ifndef FATHOM_RENDER_GRID_MAP_H
#define FATHOM_RENDER_GRID_MAP_H

#include "render/inline.h"

/* The picture's zoom is 2^scale_log2 times the earlier one's. Its pixel x is that at x + dx there,
 * zoomed in at (x + dx) / 2^scale_log2, where that is whole; zoomed out at x * 2^-scale_log2 + dx;
 * rows likewise. The map the other way has all signs changed. */
struct grid_map {
    int dx, dy, scale_log2;
};

#define GRID_MAP_LOG2_MAX 12 /* |scale_log2|; |dx|, |dy| < 2^30 */

/* The last position of the earlier picture, on one axis, that is not after `position`. `d` is the
 * map's dx or dy, `position` 0 .. 65536. *there: that is where it lies. */
INLINE int grid_map_from(int d, int scale_log2, int position, bool *there) {
    const int in = scale_log2 > 0 ? scale_log2 : 0, out = in - scale_log2;
    const int fine = (int)((uint32_t)position << out) + d;
    *there = (fine & ((1 << in) - 1)) == 0;
    return fine >> in;
}

#endif
