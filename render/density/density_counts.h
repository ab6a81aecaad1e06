/* A histogram of orbit density in host memory, where a point is counted in it, and how it becomes a
 * picture. */
#ifndef FATHOM_RENDER_DENSITY_DENSITY_COUNTS_H
#define FATHOM_RENDER_DENSITY_DENSITY_COUNTS_H

#include "render/density/density.h"
#include <stddef.h>

#ifndef DENSITY_FN
#define DENSITY_FN static inline
#endif

/* Which pixels of the picture share a stored one. Folded is about the middle: stored row (column) j is
 * the j-th from there, both ways; of an odd number the middle one is 0. */
enum density_fold { DENSITY_FOLD_NONE, DENSITY_FOLD_ROWS, DENSITY_FOLD_COLUMNS };

/* Stored pixel (column, row) of z: with im taken absolute where folded,
 *   column = fma(im, column_im, fma(re, column_re, column_0)), row alike,
 * in the request's number type, each coefficient rounded to it, and finite; counted when 0 <= column < width and
 * 0 <= row < height, in pixel (trunc column, trunc row). */
struct density_place {
    enum density_fold fold;
    bool odd;                     /* folded: there is a middle row (column) */
    int width, height;            /* of what is stored */
    bool both;                    /* not folded: the conjugate point is counted as well */
    int last[DENSITY_PLANES_MAX]; /* struct density_planes's */
    double column_re, column_im, column_0, row_re, row_im, row_0;
};
struct density_place density_place(const struct density_req *req);

/* How a sample's orbit is counted (density.h), for kernels. Points z_first .. z_n of an orbit
 * that escapes after n steps, n from `least` to `limit`; bounded: z_first .. z_limit of the others. */
struct density_rule {
    double bailout2;
    uint32_t first;        /* 1; seed: 2 */
    uint32_t least, limit; /* least: ours from 2; limit: of the longest plane */
    bool bounded;
    bool seed_skips;              /* samples of CELLS_TEST cells go through sample_seed_skips */
    struct density_planes planes; /* in steps n */
};
struct density_rule density_rule(const struct density *density);

struct density_counts {
    int width, height, planes;
    uint64_t samples; /* done; a multiple of DENSITY_CHUNK */
    uint64_t points;  /* increments made; the sum of all counts */
    uint64_t *count;  /* planes * height * width, row by row */
};

/* How many counts there are of a request: those of all planes. */
uint64_t density_counters(const struct density_req *req);
/* Zeros, in the request's shape. False: no memory, logged; finish it all the same. */
bool density_counts_init(struct density_counts *counts, const struct density_req *req);
void density_counts_finish(struct density_counts *counts);

/* The stored row (column) of a folded picture's, of `size` rows. */
DENSITY_FN int density_folded(int at, int size) {
    const int middle = size / 2;
    return at >= middle ? at - middle : middle - 1 + size % 2 - at;
}

/* How many times a stored pixel's counts are shown: doubled on the middle line, where a point and its mirror
 * image meet. */
DENSITY_FN uint64_t density_times(const struct density_place *place, int column, int row) {
    return place->odd && (place->fold == DENSITY_FOLD_ROWS ? row : column) == 0 ? 2 : 1;
}

/* How many pixels of the picture it is. */
DENSITY_FN uint32_t density_pixels(const struct density_place *place, int column, int row) {
    if (place->fold == DENSITY_FOLD_NONE)
        return 1;
    return 3 - (uint32_t)density_times(place, column, row);
}

/* --- on the host; the request is the one the counts were made for --- */

/* What pixel (x, y) of the picture shows in a channel. */
uint64_t density_shown(const struct density_req *req, const struct density_place *place,
                       const struct density_counts *counts, int channel, int x, int y);
/* The distribution over the picture's pixels, for each channel. */
void density_levels(const struct density_req *req, const struct density_counts *counts,
                    struct tone_levels levels[TONE_CHANNELS_MAX]);
/* The picture; rgba has width_px * height_px of the request. */
void density_paint(const struct density_req *req, const struct density_counts *counts,
                   const struct tone_map *map, uint32_t *rgba);

#endif
