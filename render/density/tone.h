/* Tone mapping: converts counts of any size to pixels. A pass over a histogram, independent of the
 * way in which the counts were made.
 *
 * A channel's counts are divided by its white, a percentile of the counts, and multiplied by the
 * exposure. A curve maps [0, 1] to [0, 1], and the result to the power 1 / gamma is the shade, one
 * of 256. All steps are monotone, so the lowest count of each shade is enough. The host computes
 * this table with correct rounding, and every device compares integers. */
#ifndef FATHOM_RENDER_DENSITY_TONE_H
#define FATHOM_RENDER_DENSITY_TONE_H

#include "render/density/tone_map.h"
#include "render/light/choice.h"

#define TONE_GAMMA_MIN 0.1
#define TONE_GAMMA_MAX 10.0
#define TONE_STOPS_MAX 16.0 /* bound of the exposure, up and down */
/* Least white. It keeps the first few points from glaring: pictures brighten as they grow. */
#define TONE_WHITE_LEAST 16

#define TONE_CURVE_LIST(X)                                                                         \
    X(TONE_LINEAR, "linear")                                                                       \
    X(TONE_SQRT, "sqrt")                                                                           \
    X(TONE_LOG, "log")          /* log(1 + 1000 x) / log(1001) */                                  \
    X(TONE_SLOPES, "piecewise") /* min(2.5 x, 0.2 x + 0.8), from seed 001 */
enum tone_curve { TONE_CURVE_LIST(CHOICE_ID) TONE_CURVE_COUNT };

/* Colours of the shades with one channel, from black to white. */
#define TONE_RAMP_LIST(X)                                                                          \
    X(TONE_GREY, "grey")                                                                           \
    X(TONE_EMBER, "ember")                                                                         \
    X(TONE_ICE, "ice")                                                                             \
    X(TONE_GOLD, "gold")                                                                           \
    X(TONE_VIOLET, "violet")
enum tone_ramp { TONE_RAMP_LIST(CHOICE_ID) TONE_RAMP_COUNT };

struct tone {
    enum tone_curve curve;
    enum tone_ramp ramp;
    /* [stops] counts are multiplied by 2^exposure; |exposure| <= TONE_STOPS_MAX */
    double exposure;
    double gamma; /* TONE_GAMMA_MIN .. TONE_GAMMA_MAX; 1: no change */
    double white; /* percentile, 0 < white <= 100; 100: the largest count */
};

/* Initialises to square root, grey, exposure 0, gamma 1, white 99.7. */
void tone_init(struct tone *tone);
/* Returns the reason why a tone is not valid, or NULL if it is. Static text. */
const char *tone_problem(const struct tone *tone);
bool tone_equal(const struct tone *a, const struct tone *b);

/* Names in the order of the enums, NULL-terminated. */
extern const char *const tone_curve_names[]; /* "linear", "sqrt", "log", "piecewise" */
extern const char *const tone_ramp_names[];  /* "grey", "ember", ... */

/* --- levels and maps (tone_map.h) --- */

void tone_levels_init(struct tone_levels *levels);
void tone_levels_merge(struct tone_levels *to, const struct tone_levels *from);
/* Returns the share of pixels with a count above 0, 0 .. 1, in the channel with the largest
 * share. */
double tone_levels_hit(const struct tone_levels *levels, int channels);

/* Computes the map; `levels` has an entry for each channel. Takes about half a millisecond for each
 * channel. */
void tone_map_init(struct tone_map *map, const struct tone *tone, int channels,
                   const struct tone_levels *levels);

#endif
