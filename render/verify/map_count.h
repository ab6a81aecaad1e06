/* Counts of maps (formula/map.h) by their definitions in arbitrary precision. A count is taken if
 * half as many bits again give the same one, so it is confirmed, but not proved. */
#ifndef FATHOM_RENDER_VERIFY_MAP_COUNT_H
#define FATHOM_RENDER_VERIFY_MAP_COUNT_H

#include "render/number/exact.h"

/* Finds state and count of a point of a request for a map, with about a microsecond a step. The
 * point stays open if *stop becomes true. Any thread. */
void map_count(const struct frame_req *req, struct exact_point *point, const atomic_bool *stop);

#endif
