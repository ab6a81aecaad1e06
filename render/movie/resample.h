/* Resampling: a frame of a movie from the light of its rings (ring_light.h).
 *
 * A pixel is the mean of the cells near it, in linear light. A cell's weight is its area times the
 * share of the pixel in a box of one pixel that is blurred by a tent: as wide as a cell, but at
 * most a quarter of a pixel, as for the samples of stills (render/accumulate.h). All sums are
 * integers, and their quotient is rounded once, so that the same rings give the same bytes
 * everywhere. */
#ifndef FATHOM_RENDER_MOVIE_RESAMPLE_H
#define FATHOM_RENDER_MOVIE_RESAMPLE_H

#include "render/movie/ring_light.h"

/* A ring as a frame shows it. */
struct resample_ring {
    const struct ring_level *level; /* the level that serves */
    struct cells outer, hole;       /* the ring's cells, which decide the coverage */
    int k, m;                       /* numbers of the ring and of the level */
    double spacing;                 /* cells of the level in a pixel, in each direction */
    double angle;                   /* rotation of the frame relative to the ring [radians] */
};

/* Weights of the pixels begin <= i < end of one direction; other pixels have none. Cells from
 * tap->first on have the pixel's weights, whose sum is about SPLAT_ONE. */
struct resample_direction {
    int begin, end, most;   /* most: number of weights of a pixel */
    uint32_t taps, weights; /* positions in frame->words: struct resample_tap, uint16_t */
};
struct resample_taps {
    struct resample_direction across, down;
};

/* A frame; the caller sets everything except the last members. */
struct resample {
    int width_px, height_px;
    double x_px, y_px; /* position of the pivot from the frame's top left corner */
    uint64_t set;      /* rings of one set with the same numbers have the same light */
    int ring_count;
    const struct resample_ring *rings;
    /* Weights in both directions of each ring that is parallel to the frame. */
    struct resample_taps *taps;
    uint32_t *words;
    size_t size; /* number of words */
};

/* Format of frames: R, G, B of each pixel, rows from the top down. */
struct resample_format {
    int width_px, height_px;
    bool deep;             /* values are uint16_t, otherwise uint8_t */
    const uint16_t *curve; /* value of each light, 0 .. LIGHT_MAX; NULL: the light, deep */
};

/* Returns the level that serves at a ring's spacing of cells (rings_spacing), which are then at
 * least `density` to a pixel, and divides *spacing accordingly. */
int resample_level(double density, double *spacing);
/* Returns the place of a rotated ring in a frame. */
struct resample_turn resample_turn(const struct resample *frame, const struct resample_ring *ring);
/* Computes the weights of a frame. Pairs with resample_end, in any case. Returns false without
 * memory; the reason is logged. */
bool resample_begin(struct resample *frame);
void resample_end(struct resample *frame);
/* Stores the values of a frame, by all processors. Returns false without memory; the reason is
 * logged. */
bool resample_frame(const struct resample *frame, const struct resample_format *format,
                    void *values);
/* Converts `size` values of light. */
void resample_convert(const struct resample_format *format, const uint16_t *light, size_t size,
                      void *values);

#endif
