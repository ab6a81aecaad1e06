/* Where a point is counted in what is stored of a picture, and which of its pixels show that. */
#ifndef FATHOM_RENDER_DENSITY_DENSITY_PLACE_H
#define FATHOM_RENDER_DENSITY_DENSITY_PLACE_H

#include "render/density/tone_map.h"
#include "render/inline.h"

#define DENSITY_PLANES_MAX TONE_CHANNELS_MAX

/* Which pixels of the picture share a stored one. Folded is about the middle: stored row (column) j
 * is the j-th from there, both ways; of an odd number the middle one is 0. */
enum density_fold { DENSITY_FOLD_NONE, DENSITY_FOLD_ROWS, DENSITY_FOLD_COLUMNS };

/* Stored pixel (column, row) of z: with im taken absolute where folded,
 *   column = fma(im, column_im, fma(re, column_re, column_0)), row alike,
 * in the request's number type, each coefficient rounded to it, and finite; counted when 0 <=
 * column < width and 0 <= row < height, in pixel (trunc column, trunc row). */
struct density_place {
    enum density_fold fold;
    uint32_t odd;                     /* folded: there is a middle row (column) */
    int32_t width, height;            /* of what is stored */
    uint32_t both;                    /* not folded: the conjugate point is counted as well */
    int32_t last[DENSITY_PLANES_MAX]; /* struct density_planes's */
    double column_re, column_im, column_0, row_re, row_im, row_0;
};

/* The stored row (column) of a folded picture's, of `size` rows. */
INLINE int density_folded(int at, int size) {
    const int middle = size / 2;
    return at >= middle ? at - middle : middle - 1 + size % 2 - at;
}

/* How many times a stored pixel's counts are shown: doubled on the middle line, where a point and
 * its mirror image meet. */
INLINE uint64_t density_times(const struct density_place *place, int column, int row) {
    return place->odd && (place->fold == DENSITY_FOLD_ROWS ? row : column) == 0 ? 2 : 1;
}

/* How many pixels of the picture it is. */
INLINE uint32_t density_pixels(const struct density_place *place, int column, int row) {
    if (place->fold == DENSITY_FOLD_NONE)
        return 1;
    return 3 - (uint32_t)density_times(place, column, row);
}

#endif
