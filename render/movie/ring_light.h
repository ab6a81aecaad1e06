/* Light of a ring: the linear light of its cells, and means of 2x2, 4x4 ... of them (levels).
 *
 * A cell of level m consists of 2^m x 2^m cells of the ring. At the ring's edges some of them do
 * not exist: the light is that of the others times their share, which is the cell's coverage. */
#ifndef FATHOM_RENDER_MOVIE_RING_LIGHT_H
#define FATHOM_RENDER_MOVIE_RING_LIGHT_H

#include "render/movie/ring.h"
#include "render/planes.h"

struct colouring;

/* Cells of a level, without those that lie in the hole entirely. */
struct ring_level {
    struct cells outer, hole;
    uint16_t *light; /* R, G, B of each cell, row by row; the hole takes no memory */
};

/* Stores the cells of level m, without light, of a ring with these cells. */
void ring_level_init(struct ring_level *level, struct cells outer, struct cells hole, int m);
/* Returns the number of stored cells. */
size_t ring_level_size(const struct ring_level *level);
/* Returns the light of a cell, which must not lie in the hole. A row's cells on each side of the
 * hole follow each other. */
uint16_t *ring_level_light(const struct ring_level *level, int x, int y);
/* Allocates the light of a level. Returns false without memory; the reason is logged. */
bool ring_level_alloc(struct ring_level *level);
/* Stores rows y0 <= y < y1 of the next coarser level in the memory of that level. */
void ring_level_halve(const struct ring_level *fine, const struct ring_level *coarse, int y0,
                      int y1);
/* Stores the light of `rows` rows of level 0, beginning with row y: cells x0 to x1 from samples. */
void ring_level_colour(const struct ring_level *level, int x0, int x1, int y, int rows,
                       const struct sample_planes *samples, const struct colouring *colouring);

#endif
