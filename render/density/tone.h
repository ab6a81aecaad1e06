/* Tone mapping: from counts of any size to pixels. A pass over a histogram; nothing of it concerns
 * how the counts were made.
 *
 * A channel's counts are divided by its white, a percentile of them, and multiplied by the
 * exposure; a curve takes that from [0, 1] to [0, 1], and the result to the power 1 / gamma is the
 * shade, of 256. All of it is monotone, so it comes down to the least count that has each shade: a
 * table made on the host with correct rounding, and comparisons of integers on every device. */
#ifndef FATHOM_RENDER_DENSITY_TONE_H
#define FATHOM_RENDER_DENSITY_TONE_H

#include "render/inline.h"

#define TONE_SHADES       256
#define TONE_CHANNELS_MAX 3
#define TONE_GAMMA_MIN    0.1
#define TONE_GAMMA_MAX    10.0
#define TONE_STOPS_MAX    16.0 /* of exposure, up and down */
/* White is at least that, so that the first few points do not glare: pictures brighten as they
 * grow. */
#define TONE_WHITE_LEAST 16

enum tone_curve {
    TONE_LINEAR,
    TONE_SQRT,
    TONE_LOG,    /* log(1 + 1000 x) / log(1001) */
    TONE_SLOPES, /* min(2.5 x, 0.2 x + 0.8), seed 001's */
    TONE_CURVE_COUNT
};

/* What shades look like where there is one channel: colours from black to white. */
enum tone_ramp { TONE_GREY, TONE_EMBER, TONE_ICE, TONE_GOLD, TONE_VIOLET, TONE_RAMP_COUNT };

struct tone {
    enum tone_curve curve;
    enum tone_ramp ramp;
    /* in stops: counts are multiplied by 2^exposure; |exposure| <= TONE_STOPS_MAX */
    double exposure;
    double gamma; /* TONE_GAMMA_MIN .. TONE_GAMMA_MAX; 1: none */
    double white; /* percentile, 0 < white <= 100; 100: the largest count */
};

/* Square root, grey, exposure 0, gamma 1, white 99.7. */
void tone_init(struct tone *tone);
/* Says why it cannot be, NULL when it can. Static text. */
const char *tone_problem(const struct tone *tone);
bool tone_equal(const struct tone *a, const struct tone *b);

/* In the order of their enums, NULL-terminated. */
extern const char *const tone_curve_names[]; /* "linear", "sqrt", "log", "piecewise" */
extern const char *const tone_curve_ids[];   /* the same, but "slopes": as in files */
extern const char *const tone_ramp_names[];  /* "grey", "ember", ... */

/* --- the distribution of counts --- */

/* Counts below TONE_BINS_EXACT have a bin each; above there are that many to an octave. */
#define TONE_BINS_BITS  5
#define TONE_BINS_EXACT (1u << TONE_BINS_BITS)
#define TONE_BINS       ((64u - TONE_BINS_BITS + 1u) * TONE_BINS_EXACT)

/* Of one channel, over all pixels of the picture. */
struct tone_levels {
    uint64_t bins[TONE_BINS]; /* how many pixels */
    uint64_t least, most;     /* of all counts; UINT64_MAX and 0 before any was added */
};

INLINE uint32_t tone_bin(uint64_t count) {
    if (count < TONE_BINS_EXACT)
        return (uint32_t)count;
    const uint32_t octave = 63u - TONE_BINS_BITS - leading_zeros(count);
    return (octave + 1) * TONE_BINS_EXACT + (uint32_t)(count >> octave) % TONE_BINS_EXACT;
}

void tone_levels_init(struct tone_levels *levels);
/* Adds `pixels` that have this count. */
INLINE void tone_levels_add(struct tone_levels *levels, uint64_t count, uint64_t pixels) {
    levels->bins[tone_bin(count)] += pixels;
    levels->least = count < levels->least ? count : levels->least;
    levels->most = count > levels->most ? count : levels->most;
}
void tone_levels_merge(struct tone_levels *to, const struct tone_levels *from);

/* --- the map --- */

struct tone_map {
    int channels; /* 1: through the ramp; 3: red, green, blue */
    uint64_t from[TONE_CHANNELS_MAX]
                 [TONE_SHADES]; /* the least count that has the shade; [0] is 0 */
    uint32_t ramp[TONE_SHADES]; /* RGBA, alpha 255 */
};

/* `levels` are one per channel. About half a millisecond a channel. */
void tone_map_init(struct tone_map *map, const struct tone *tone, int channels,
                   const struct tone_levels *levels);

/* The shade of a count: the largest one that begins at or below it. `from` is a channel's row. */
INLINE uint32_t tone_shade(const uint64_t *from, uint64_t count) {
    uint32_t shade = 0;
    for (uint32_t step = TONE_SHADES / 2; step > 0; step /= 2)
        shade += from[shade + step] <= count ? step : 0;
    return shade;
}

/* The pixel of one or three shades. */
INLINE uint32_t tone_pixel(int channels, const uint32_t *ramp, const uint32_t *shade) {
    if (channels == 1)
        return ramp[shade[0]];
    return shade[0] | shade[1] << 8 | shade[2] << 16 | 0xff000000u;
}

#endif
