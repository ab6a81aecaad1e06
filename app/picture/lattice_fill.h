/* Filling the gaps of a picture that comes coarse to fine: pixels whose column and row are
 * multiples of the first stride are drawn first, then those of half of it, and so on; a gap shows
 * the nearest lattice pixel on its upper left. */
#ifndef FATHOM_APP_PICTURE_LATTICE_FILL_H
#define FATHOM_APP_PICTURE_LATTICE_FILL_H

#include "render/backend.h"

/* Alpha of a pixel that shares its colour with 2^octaves x 2^octaves others: 255 for none, 0 where
 * nothing is known. The shaders compare these. */
#define LATTICE_FILL_OCTAVE 16

/* The part of a width x height picture that may look different once the pixels of `dirty` have
 * changed. */
struct rect lattice_fill_touched(struct rect dirty, int first_stride, int width_px, int height_px);

/* The least that holds two parts. */
struct rect lattice_fill_join(struct rect a, struct rect b);
static inline bool lattice_fill_empty(struct rect r) {
    return r.x0 >= r.x1 || r.y0 >= r.y1;
}

/* Copies the part `r` of a picture with rows of `width_px` pixels, gaps filled, into the packed
 * rows of `out`. */
void lattice_fill_run(const uint32_t *pixels, int width_px, struct rect r, int first_stride,
                      uint32_t *out);

#endif
