/* What the screened kernel goes by: perturbed points that are iterated in wide numbers only where doubles
 * do not do (render/number/screen.h). */
#ifndef FATHOM_CPU_ESCAPE_SCREEN_H
#define FATHOM_CPU_ESCAPE_SCREEN_H

#include "cpu/escape/tile.h"

struct tile_screen {
    const struct perturbed_tables *tables; /* of doubles, about the same point as the wide ones */
    tile_fn *doubles, *wide;
};

/* Samples of a list. */
struct screen_samples {
    uint32_t plane[SAMPLE_PLANES][TILE_POINTS_MAX];
    uint16_t undecided[TILE_POINTS_MAX];
    _Alignas(8) unsigned char states[TILE_POINTS_MAX * FRAME_STATE_MAX]; /* of those */
};

/* Memory for one call at a time, about 0.75 MB. */
struct tile_screening {
    _Alignas(64) union tile_numbers cr, ci;
    uint16_t screened[TILE_POINTS_MAX], doubtful[TILE_POINTS_MAX]; /* numbers in the list */
    struct screen_samples own, beside; /* the latter also of wide numbers, later */
    _Alignas(8) unsigned char states[TILE_POINTS_MAX * FRAME_STATE_MAX]; /* to go on from */
};

#endif
