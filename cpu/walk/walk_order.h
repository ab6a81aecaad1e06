/* In which order points walk once more: those of like counts together, since a vector is done with its last lane. */
#ifndef FATHOM_CPU_WALK_WALK_ORDER_H
#define FATHOM_CPU_WALK_WALK_ORDER_H

#include "cpu/escape/tile.h"

#define WALK_TOGETHER_MAX 64 /* points that go together */

/* Numbers of points. */
struct walk_order {
    uint32_t size; /* then the last is repeated */
    uint32_t at[TILE_POINTS_MAX + WALK_TOGETHER_MAX];
};

/* Those of `size` points, at most TILE_POINTS_MAX, that have escaped within SLOPE_STEPS_MAX steps. */
void walk_order(const uint32_t *count, size_t size, struct walk_order *order);

#endif
