/* Order of the second pass: points of similar counts together, since a vector takes as long as its
 * last lane. */
#ifndef FATHOM_CPU_WALK_WALK_ORDER_H
#define FATHOM_CPU_WALK_WALK_ORDER_H

#include "cpu/escape/tile.h"
#include <string.h>

/* Sets the planes from `first` to `last` that are not NULL to 0. */
static inline void walk_clear(const struct sample_planes *planes, enum sample_plane first,
                              enum sample_plane last, size_t size) {
    for (int i = (int)first; i <= (int)last; i++)
        if (planes->plane[i])
            memset(planes->plane[i], 0, size * SAMPLE_PLANE_BYTES);
}

#define WALK_TOGETHER_MAX 64 /* maximum number of points in flight together */

/* Numbers of points. */
struct walk_order {
    uint32_t size; /* after `size` points the last one is repeated */
    uint32_t at[TILE_POINTS_MAX + WALK_TOGETHER_MAX];
};

/* Orders the points, at most TILE_POINTS_MAX, that escaped within SLOPE_STEPS_MAX steps. */
void walk_order(const uint32_t *count, size_t size, struct walk_order *order);

#endif
