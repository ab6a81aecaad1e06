/* Rings of random light for tests of frames: levels are made when a frame first shows them. */
#ifndef FATHOM_TESTS_MOVIE_LIGHTS_H
#define FATHOM_TESTS_MOVIE_LIGHTS_H

#include "render/movie/resampler.h"
#include "tests/shared/random.h"
#include <stdlib.h>

#define LIGHTS_RINGS 100

struct lights {
    struct leg leg;
    struct rings rings;
    struct ring_level levels[LIGHTS_RINGS][RING_LEVELS];
    struct resample_ring shown[LIGHTS_RINGS]; /* of the latest frame */
};

/* Begins a leg of `octaves` octaves, with `turn` radians an octave. Returns false if the rings are
 * too large or too many. */
static inline bool lights_init(struct lights *lights, int width_px, int height_px, double density,
                               double octaves, double turn) {
    *lights = (struct lights){.leg = {.x = 0.31, .y = -0.12, .from = 0.4, .turn = turn}};
    lights->leg.to = lights->leg.from + octaves;
    return rings_init(&lights->rings, &lights->leg, width_px, height_px, density) &&
           lights->rings.count <= LIGHTS_RINGS;
}

/* Drops all light; frames make it again. */
static inline void lights_forget(struct lights *lights) {
    for (int k = 0; k < LIGHTS_RINGS; k++)
        for (int m = 0; m < RING_LEVELS; m++) {
            free(lights->levels[k][m].light);
            lights->levels[k][m].light = NULL;
        }
}

/* Returns a level, with random light in the first cells and none and all of it in the last ones. */
static inline const struct ring_level *lights_level(struct lights *lights, int k, int m) {
    struct ring_level *level = &lights->levels[k][m];
    if (level->light)
        return level;
    ring_level_init(level, rings_outer(&lights->rings, k), rings_hole(&lights->rings, k), m);
    if (!ring_level_alloc(level))
        abort();
    const size_t size = 3 * ring_level_size(level);
    for (size_t i = 0; i < size; i++)
        level->light[i] = i * 4 < size * 3 ? (uint16_t)random_bits() : i & 1 ? 0xffff : 0;
    return level;
}

/* Sets the frame at a depth. Its rings are valid until the next call. */
static inline void lights_frame(struct lights *lights, double depth, struct resample *frame) {
    const struct rings *rings = &lights->rings;
    double right, down;
    leg_pivot(&lights->leg, depth, &right, &down);
    *frame = (struct resample){.width_px = rings->width_px,
                               .height_px = rings->height_px,
                               .x_px = rings->width_px / 2.0 + right * rings->height_px,
                               .y_px = rings->height_px / 2.0 + down * rings->height_px,
                               .rings = lights->shown};
    for (int k = rings_at(rings, depth); k < rings->count; k++) {
        double spacing = rings_spacing(rings, k, depth);
        if (rings->outer.x1 - rings->outer.x0 < 0.5 * spacing)
            break;
        const int m = resample_level(rings->density, &spacing);
        lights->shown[frame->ring_count++] =
            (struct resample_ring){lights_level(lights, k, m),
                                   rings_outer(rings, k),
                                   rings_hole(rings, k),
                                   k,
                                   m,
                                   spacing,
                                   leg_angle(&lights->leg, depth) - rings_angle(rings, k)};
    }
}

#endif
