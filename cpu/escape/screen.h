/* Screened kernel: iterates perturbed points in doubles, and in wide numbers only where rounding
 * could change the sample (render/number/screen.h). */
#ifndef FATHOM_CPU_ESCAPE_SCREEN_H
#define FATHOM_CPU_ESCAPE_SCREEN_H

#include "cpu/escape/tile.h"

struct tile_screen {
    /* Reference tables in doubles, for the same point as the wide ones. */
    const struct perturbed_tables *tables;
    tile_fn *doubles, *wide;
};

/* Samples of a list. */
struct screen_samples {
    uint32_t plane[SAMPLE_PLANES][TILE_POINTS_MAX];
    uint16_t undecided[TILE_POINTS_MAX];
    /* States of the undecided. */
    _Alignas(8) unsigned char states[TILE_POINTS_MAX * FRAME_STATE_MAX];
};

/* Scratch memory for one call at a time. About 0.75 MB. */
struct tile_screening {
    _Alignas(64) union tile_numbers cr, ci;
    /* Numbers of points in the list. */
    uint16_t screened[TILE_POINTS_MAX], doubtful[TILE_POINTS_MAX];
    /* Samples at c, and at a c next to it; `beside` later holds the samples of wide numbers. */
    struct screen_samples own, beside;
    /* States to resume from. */
    _Alignas(8) unsigned char states[TILE_POINTS_MAX * FRAME_STATE_MAX];
};

#endif
