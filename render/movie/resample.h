/* Resampling: a frame of a movie from the light of its rings (ring_light.h).
 *
 * A pixel is the mean of the cells near it, in linear light. A cell's weight is its area times the
 * share of the pixel in a box of one pixel that is blurred by a tent: as wide as a cell, but at most
 * a quarter of a pixel, as for the samples of stills (render/accumulate.h). All sums are integers,
 * and their quotient is rounded once, so that the same rings give the same bytes everywhere. */
#ifndef FATHOM_RENDER_MOVIE_RESAMPLE_H
#define FATHOM_RENDER_MOVIE_RESAMPLE_H

#include "render/movie/ring_light.h"

/* A ring as a frame shows it. */
struct resample_ring {
    const struct ring_level *level; /* the level that serves */
    struct cells outer, hole;       /* the ring's cells, which decide the coverage */
    int m;                          /* number of the level */
    double spacing;                 /* cells of the level in a pixel, in each direction */
    double angle;                   /* rotation of the frame relative to the ring [radians] */
};

struct resample_taps;

/* A frame; the caller sets everything except the last member. */
struct resample {
    int width_px, height_px;
    double x_px, y_px; /* position of the pivot from the frame's top left corner */
    int ring_count;
    const struct resample_ring *rings;
    struct resample_taps *taps; /* weights in both directions, of each ring */
};

/* Returns the level that serves at a ring's spacing of cells (rings_spacing), which are then at
 * least `density` to a pixel, and divides *spacing accordingly. */
int resample_level(double density, double *spacing);
/* Computes the weights of a frame. Pairs with resample_end, in any case. Returns false without
 * memory; the reason is logged. */
bool resample_begin(struct resample *frame);
void resample_end(struct resample *frame);
/* Stores the light of `rows` rows of a frame, 0 .. LIGHT_MAX for each of R, G and B, beginning with
 * row `first`. Returns false without memory; the reason is logged. Any number of threads may do so
 * for different rows. */
bool resample_rows(const struct resample *frame, int first, int rows, uint16_t *light);

#endif
