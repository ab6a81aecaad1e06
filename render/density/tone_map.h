/* Tone map, for all devices: the distribution of counts, and the shade of each count. */
#ifndef FATHOM_RENDER_DENSITY_TONE_MAP_H
#define FATHOM_RENDER_DENSITY_TONE_MAP_H

#include "render/inline.h"

#define TONE_SHADES       256
#define TONE_CHANNELS_MAX 3

/* Each count below TONE_BINS_EXACT has a bin of its own; each octave above has TONE_BINS_EXACT
 * bins. */
#define TONE_BINS_BITS  5
#define TONE_BINS_EXACT (1u << TONE_BINS_BITS)
#define TONE_BINS       ((64u - TONE_BINS_BITS + 1u) * TONE_BINS_EXACT)

/* Distribution of the counts of one channel over all pixels of the picture. */
struct tone_levels {
    uint64_t bins[TONE_BINS]; /* number of pixels of each bin */
    uint64_t least, most;     /* lowest and highest count; UINT64_MAX and 0 before any pixel */
};

INLINE uint32_t tone_bin(uint64_t count) {
    if (count < TONE_BINS_EXACT)
        return (uint32_t)count;
    const uint32_t octave = 63u - TONE_BINS_BITS - leading_zeros(count);
    return (octave + 1) * TONE_BINS_EXACT + (uint32_t)(count >> octave) % TONE_BINS_EXACT;
}

/* Adds `pixels` pixels with this count. */
INLINE void tone_levels_add(struct tone_levels *levels, uint64_t count, uint64_t pixels) {
    levels->bins[tone_bin(count)] += pixels;
    levels->least = count < levels->least ? count : levels->least;
    levels->most = count > levels->most ? count : levels->most;
}

struct tone_map {
    int32_t channels; /* 1: colours from the ramp; 3: red, green, blue */
    uint64_t from[TONE_CHANNELS_MAX][TONE_SHADES]; /* lowest count of each shade; [0] is 0 */
    uint32_t ramp[TONE_SHADES];                    /* RGBA, alpha 255 */
};

/* Returns the shade of a count: the largest shade that begins at or below it. `from` is a channel's
 * row. */
INLINE uint32_t tone_shade(const GLOBAL uint64_t *from, uint64_t count) {
    uint32_t shade = 0;
    for (uint32_t step = TONE_SHADES / 2; step > 0; step /= 2)
        shade += from[shade + step] <= count ? step : 0;
    return shade;
}

/* Returns the pixel of one or three shades. */
INLINE uint32_t tone_pixel(int channels, const GLOBAL uint32_t *ramp, const uint32_t *shade) {
    if (channels == 1)
        return ramp[shade[0]];
    return shade[0] | shade[1] << 8 | shade[2] << 16 | 0xff000000u;
}

#endif
