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

/* Scratch memory for one call at a time: the results in doubles of each point, and the points that
 * need wide numbers, with their samples and states. About 0.7 MB. */
struct tile_screening {
    _Alignas(64) union tile_numbers cr, ci;
    uint8_t screen[TILE_POINTS_MAX];
    uint16_t doubtful[TILE_POINTS_MAX], undecided[TILE_POINTS_MAX];
    uint32_t plane[SAMPLE_PLANES][TILE_POINTS_MAX];
    /* States to resume from, and those of the undecided. */
    _Alignas(8) unsigned char states[TILE_POINTS_MAX * FRAME_STATE_MAX];
    _Alignas(8) unsigned char undecided_states[TILE_POINTS_MAX * FRAME_STATE_MAX];
};

#endif
