/* Painting counters: the counts that a picture's pixels show, computed on every device with the
 * integers of render/density/density_counts.h. */
#ifndef FATHOM_GPU_DENSITY_PAINT_H
#define FATHOM_GPU_DENSITY_PAINT_H

#include "render/density/density_place.h"
#include "render/inline.h"

/* Sets shown[] to the count of a stored pixel in each channel. There are `size` counters of each
 * kind, and a count is the sum of both kinds. */
INLINE void paint_shown(const struct density_place *place, const GLOBAL uint32_t *fresh,
                        const GLOBAL uint64_t *total, size_t size, uint32_t column, uint32_t row,
                        uint64_t shown[TONE_CHANNELS_MAX]) {
    const size_t plane = (size_t)place->width * (size_t)place->height;
    const uint64_t times = density_times(place, (int)column, (int)row);
    size_t at = (size_t)row * (size_t)place->width + column;
    uint64_t planes[DENSITY_PLANES_MAX], sum = 0;
    for (int i = 0; i < DENSITY_PLANES_MAX; i++, at += plane) {
        sum += at < size ? total[at] + fresh[at] : 0;
        planes[i] = sum;
    }
    for (int channel = 0; channel < TONE_CHANNELS_MAX; channel++) {
        const int last = place->last[channel];
        shown[channel] = times * (last == 0 ? planes[0] : last == 1 ? planes[1] : planes[2]);
    }
}

/* Sets the column and row where pixel `at` of the picture is stored. */
INLINE void paint_stored(const struct density_place *place, int width_px, int height_px, size_t at,
                         uint32_t *column, uint32_t *row) {
    *row = (uint32_t)(at / (uint32_t)width_px);
    *column = (uint32_t)(at - (size_t)*row * (uint32_t)width_px);
    if (place->fold == DENSITY_FOLD_COLUMNS)
        *column = (uint32_t)density_folded((int)*column, width_px);
    if (place->fold == DENSITY_FOLD_ROWS)
        *row = (uint32_t)density_folded((int)*row, height_px);
}

#endif
