/* Density place: maps a point to the stored pixel that counts it, and stored pixels to pixels of
 * the picture. */
#ifndef FATHOM_RENDER_DENSITY_DENSITY_PLACE_H
#define FATHOM_RENDER_DENSITY_DENSITY_PLACE_H

#include "render/density/tone_map.h"
#include "render/inline.h"

#define DENSITY_PLANES_MAX TONE_CHANNELS_MAX

/* Fold of a picture: which pixels share a stored one. Stored row (column) j is the j-th from the
 * middle, in both directions; an odd picture's middle row is 0. */
enum density_fold { DENSITY_FOLD_NONE, DENSITY_FOLD_ROWS, DENSITY_FOLD_COLUMNS };

/* Stored pixel (column, row) of z. With |im| in place of im if folded,
 *   column = fma(im, column_im, fma(re, column_re, column_0)), row as column,
 * in the request's number type. Each coefficient is rounded to that type, and finite. A point is
 * counted if 0 <= column < width and 0 <= row < height, in pixel (trunc column, trunc row). */
struct density_place {
    enum density_fold fold;
    uint32_t odd;                     /* folded: there is a middle row (column) */
    int32_t width, height;            /* stored size [pixels] */
    uint32_t both;                    /* not folded: the conjugate point is counted as well */
    int32_t last[DENSITY_PLANES_MAX]; /* `last` of struct density_planes */
    double column_re, column_im, column_0, row_re, row_im, row_0;
};

/* Returns the stored row (column) of a folded picture's row (column); `size` is the picture's
 * number of rows. */
INLINE int density_folded(int at, int size) {
    const int middle = size / 2;
    return at >= middle ? at - middle : middle - 1 + size % 2 - at;
}

/* Returns the factor of a stored pixel's counts on display: 2 on the middle line, where a point and
 * its mirror image meet. */
INLINE uint64_t density_times(const struct density_place *place, int column, int row) {
    return place->odd && (place->fold == DENSITY_FOLD_ROWS ? row : column) == 0 ? 2 : 1;
}

/* Returns the number of the picture's pixels that show a stored pixel. */
INLINE uint32_t density_pixels(const struct density_place *place, int column, int row) {
    if (place->fold == DENSITY_FOLD_NONE)
        return 1;
    return 3 - (uint32_t)density_times(place, column, row);
}

#endif
