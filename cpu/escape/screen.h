/* Screened kernel: iterates points in doubles, and in wide numbers only where rounding could change
 * the sample: by an estimate for each perturbed point (render/number/screen.h), and by the length
 * of the orbit in direct pictures (frame_req.doubles_limit). */
#ifndef FATHOM_CPU_ESCAPE_SCREEN_H
#define FATHOM_CPU_ESCAPE_SCREEN_H

#include "cpu/escape/tile.h"

struct tile_screen {
    /* Reference tables in doubles, for the same point as the wide ones. */
    const struct perturbed_tables *tables;
    tile_fn *doubles, *wide;
    /* Direct pictures have doubles_limit (other pictures: 0) and a recipe in doubles. All have the
     * size of a state. */
    uint32_t limit;
    struct recipe recipe;
    size_t state_size;
};

/* Scratch memory for one call at a time: the results in doubles of each point, and the points that
 * need wide numbers, with their samples and states. About 0.7 MB. */
struct tile_screening {
    _Alignas(64) union tile_numbers cr, ci;
    /* Direct pictures: all points in doubles. */
    _Alignas(64) union tile_numbers double_cr, double_ci;
    uint8_t screen[TILE_POINTS_MAX];
    uint16_t doubtful[TILE_POINTS_MAX], undecided[TILE_POINTS_MAX];
    uint32_t plane[SAMPLE_PLANES][TILE_POINTS_MAX];
    /* States to resume from, and those of the undecided. */
    _Alignas(8) unsigned char states[TILE_POINTS_MAX * FRAME_STATE_MAX];
    _Alignas(8) unsigned char undecided_states[TILE_POINTS_MAX * FRAME_STATE_MAX];
};

/* Returns the points of a direct picture as their kernels in doubles take them. */
struct tile_points tile_screen_doubles(const struct tile_points *points);

#endif
