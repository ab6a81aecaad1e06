/* Sharing of samples: decides which samples of one picture can be reused by another. */
#ifndef FATHOM_RENDER_GRID_SHARING_H
#define FATHOM_RENDER_GRID_SHARING_H

#include "render/frame.h"

/* Returns true if samples of both pictures lie at the same points. Each shared sample of `to` then
 * has the value of `from`, except interior samples if `to` has the higher limit: their orbits may
 * continue from there. The requests may differ by a grid map, a higher limit, colouring, shortcuts,
 * drawing order, generation and planes of SAMPLE_WALKED. Both are the same part of their whole
 * picture. Exponential maps share nothing. Samples off the pixel centres are shared only at the
 * same zoom. Perturbed samples in wide numbers are shared only in an equal view. Uneven lines share
 * only by sharing_by_lines. */
bool sharing_by_map(const struct frame_req *from, const struct frame_req *to, struct grid_map *map);
/* Returns the planes that only `to` has, to be computed for the shared samples. */
unsigned sharing_new_planes(const struct frame_req *from, const struct frame_req *to);

/* Returns true if lines of `to` refer to the picture `from`, with samples of the same kind. A
 * sample on two such lines has the value of `from` if that is final or the lines are in motion.
 * Such a request is shared by lines, not by a map. */
bool sharing_by_lines(const struct frame_req *from, const struct frame_req *to);
/* Returns the factor that converts distances and depths of `from`, which are in pixels, to pixels
 * of `to`; 1 if `to` has neither. */
float sharing_unit(const struct frame_req *from, const struct frame_req *to);
/* Stores `from` as the previous picture of the otherwise complete lines of `to`. */
void sharing_follow(struct lines *lines, const struct frame_req *to, const struct frame_req *from);

#endif
