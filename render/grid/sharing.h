/* Which samples of one picture serve another one. */
#ifndef FATHOM_RENDER_GRID_SHARING_H
#define FATHOM_RENDER_GRID_SHARING_H

#include "render/frame.h"

/* True when samples of both are at the same points: there every sample of `to` has the value that `from` has, but for
 * interior ones where `to` has the higher limit, whose orbits may go on from there. The two differ by a map, a raised
 * limit, in colouring, shortcuts, size-preserving order or generation, and in planes of SAMPLE_WALKED, nothing else;
 * both are the same part of their whole. Samples beside pixels' centres and perturbed ones in wide numbers are shared
 * at the same zoom alone, the latter unmoved. Uneven lines share only as sharing_by_lines says. */
bool sharing_by_map(const struct frame_req *from, const struct frame_req *to, struct grid_map *map);
/* Those that only `to` has, which are to be made of the shared samples. */
unsigned sharing_new_planes(const struct frame_req *from, const struct frame_req *to);

/* True when the lines of `to` name some of the picture `from`, whose samples are of the same kind: a sample on two of
 * those has the value that `from` has there, if it is final, or they are loose. Such a `to` goes by them, not by a map. */
bool sharing_by_lines(const struct frame_req *from, const struct frame_req *to);
/* What distances and depths of `from`, which are in its pixels, are multiplied by in `to`; 1 if that has none. */
float sharing_unit(const struct frame_req *from, const struct frame_req *to);
/* Names `from` as the picture that lines of `to`, which are complete otherwise, come from. */
void sharing_follow(struct lines *lines, const struct frame_req *to, const struct frame_req *from);

#endif
