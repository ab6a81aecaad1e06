/* Splats: adds each cell of a ring that is not parallel to the frame to the pixels that it
 * touches. */
#ifndef FATHOM_RENDER_MOVIE_SPLAT_H
#define FATHOM_RENDER_MOVIE_SPLAT_H

#include "render/movie/resample.h"

/* Adds a rotated ring to the sums of `rows` rows of a frame, beginning with row `first`. */
void splat_ring(const struct resample *frame, const struct resample_ring *ring, int first, int rows,
                struct resample_sum *sums);

#endif
