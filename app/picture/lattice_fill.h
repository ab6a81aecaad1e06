/* Lattice filling: fills the gaps of a picture that is drawn from coarse to fine. Pixels whose
 * column and row are multiples of the first stride are drawn first, then multiples of half of
 * it, and so on. A gap takes the colour of the nearest lattice pixel to its upper left. */
#ifndef FATHOM_APP_PICTURE_LATTICE_FILL_H
#define FATHOM_APP_PICTURE_LATTICE_FILL_H

#include "render/backend.h"

/* Alpha of pixels by fineness: 255 for a pixel of its own, LATTICE_FILL_OCTAVE less each time
 * the side of the square that shares a colour doubles, 0 for unknown. The shaders compare these. */
#define LATTICE_FILL_OCTAVE 16

/* Returns the part of a width x height picture that may look different after the pixels of
 * `dirty` have changed. */
struct rect lattice_fill_touched(struct rect dirty, int first_stride, int width_px, int height_px);

/* Returns the smallest rectangle that contains both. */
struct rect lattice_fill_join(struct rect a, struct rect b);
static inline bool lattice_fill_empty(struct rect r) {
    return r.x0 >= r.x1 || r.y0 >= r.y1;
}

/* Copies the part `r` of a picture, whose rows have `width_px` pixels, into the packed rows of
 * `out` and fills its gaps. */
void lattice_fill_run(const uint32_t *pixels, int width_px, struct rect r, int first_stride,
                      uint32_t *out);

#endif
