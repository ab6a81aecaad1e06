/* Weights of cells in pixels, and the sums of cells that are not parallel to the frame. */
#ifndef FATHOM_RENDER_MOVIE_SPLAT_H
#define FATHOM_RENDER_MOVIE_SPLAT_H

#include <stdint.h>

struct resample;
struct resample_ring;

#define SPLAT_ONE 16384 /* sum of the weights of a pixel in one direction */
#define COVER_ONE 256   /* coverage of a whole cell in one direction */

/* Sums of a pixel: of products of two weights and light, and of the weights and coverages. */
struct splat_sum {
    uint64_t light[3], weight;
};

/* Returns half the width of the tent, in pixels. */
double splat_tent(double spacing);
/* Returns the weight of a cell whose centre lies `distance` pixels from a pixel's, in one
 * direction. */
uint16_t splat_weight(double distance, double tent, double spacing);
/* Adds a rotated ring to the sums of `rows` rows of a frame, beginning with row `first`. */
void splat_ring(const struct resample *frame, const struct resample_ring *ring, int first, int rows,
                struct splat_sum *sums);

#endif
