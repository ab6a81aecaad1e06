/* Tone mapping: from counts of any size to pixels. A pass over a histogram; nothing of it concerns
 * how the counts were made.
 *
 * A channel's counts are divided by its white, a percentile of them, and multiplied by the
 * exposure; a curve takes that from [0, 1] to [0, 1], and the result to the power 1 / gamma is the
 * shade, of 256. All of it is monotone, so it comes down to the least count that has each shade: a
 * table made on the host with correct rounding, and comparisons of integers on every device. */
#ifndef FATHOM_RENDER_DENSITY_TONE_H
#define FATHOM_RENDER_DENSITY_TONE_H

#include "render/density/tone_map.h"

#define TONE_GAMMA_MIN 0.1
#define TONE_GAMMA_MAX 10.0
#define TONE_STOPS_MAX 16.0 /* of exposure, up and down */
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
extern const char *const tone_ramp_names[];  /* "grey", "ember", ... */

/* --- levels and maps (tone_map.h) --- */

void tone_levels_init(struct tone_levels *levels);
void tone_levels_merge(struct tone_levels *to, const struct tone_levels *from);
/* The share of pixels whose count is not 0 in the channel that has the most of them, 0 .. 1. */
double tone_levels_hit(const struct tone_levels *levels, int channels);

/* `levels` are one per channel. About half a millisecond a channel. */
void tone_map_init(struct tone_map *map, const struct tone *tone, int channels,
                   const struct tone_levels *levels);

#endif
