/* Tone mapping: computes the table of the lowest count for each shade, and the ramps that colour
 * the shades. */
#include "render/density/tone.h"
#include <math.h>
#include <mpfr.h>
#include <stddef.h>
#include <string.h>

#define LOG_BASE 1000 /* base of the log curve, log(1 + LOG_BASE x) / log(1 + LOG_BASE) */
#define BITS     96   /* [bits] precision of tables, which are equal on every machine */

const char *const tone_curve_names[] = {TONE_CURVE_LIST(CHOICE_NAME) NULL};
const char *const tone_ramp_names[] = {TONE_RAMP_LIST(CHOICE_NAME) NULL};

/* Colour of a ramp from black to white at a place 0 .. 255; colours between are interpolated
 * linearly. */
struct stop {
    uint8_t at, r, g, b;
};
#define STOPS_MAX 6
static const struct stop ramps[TONE_RAMP_COUNT][STOPS_MAX] = {
    [TONE_GREY] = {{0, 0, 0, 0}, {255, 255, 255, 255}},
    [TONE_EMBER] = {{0, 0, 0, 0},
                    {64, 74, 8, 12},
                    {128, 186, 46, 10},
                    {190, 246, 144, 30},
                    {230, 254, 222, 132},
                    {255, 255, 255, 255}},
    [TONE_ICE] = {{0, 0, 0, 0},
                  {64, 6, 26, 72},
                  {128, 22, 88, 160},
                  {190, 92, 178, 226},
                  {230, 192, 232, 248},
                  {255, 255, 255, 255}},
    [TONE_GOLD] = {{0, 0, 0, 0},
                   {64, 46, 30, 10},
                   {128, 126, 88, 28},
                   {190, 206, 166, 74},
                   {230, 244, 222, 156},
                   {255, 255, 255, 255}},
    [TONE_VIOLET] = {{0, 0, 0, 0},
                     {64, 44, 8, 70},
                     {128, 126, 32, 140},
                     {190, 210, 96, 174},
                     {230, 246, 190, 216},
                     {255, 255, 255, 255}},
};

void tone_init(struct tone *tone) {
    *tone = (struct tone){.curve = TONE_SQRT, .ramp = TONE_GREY, .gamma = 1, .white = 99.7};
}

const char *tone_problem(const struct tone *tone) {
    if ((unsigned)tone->curve >= TONE_CURVE_COUNT || (unsigned)tone->ramp >= TONE_RAMP_COUNT)
        return "unknown tone curve or gradient";
    if (!(fabs(tone->exposure) <= TONE_STOPS_MAX))
        return "the exposure is not from -16 to 16 stops";
    if (!(tone->gamma >= TONE_GAMMA_MIN && tone->gamma <= TONE_GAMMA_MAX))
        return "gamma is not from 0.1 to 10";
    if (!(tone->white > 0 && tone->white <= 100))
        return "the white percentile is not above 0 and up to 100";
    return NULL;
}

bool tone_equal(const struct tone *a, const struct tone *b) {
    return a->curve == b->curve && a->ramp == b->ramp && a->exposure == b->exposure &&
           a->gamma == b->gamma && a->white == b->white;
}

/* --- levels --- */

void tone_levels_init(struct tone_levels *levels) {
    memset(levels, 0, sizeof *levels);
    levels->least = UINT64_MAX;
}

void tone_levels_merge(struct tone_levels *to, const struct tone_levels *from) {
    for (size_t i = 0; i < TONE_BINS; i++)
        to->bins[i] += from->bins[i];
    to->least = from->least < to->least ? from->least : to->least;
    to->most = from->most > to->most ? from->most : to->most;
}

double tone_levels_hit(const struct tone_levels *levels, int channels) {
    double most = 0;
    for (int channel = 0; channel < channels; channel++) {
        uint64_t pixels = 0;
        for (uint32_t i = 0; i < TONE_BINS; i++)
            pixels += levels[channel].bins[i];
        if (pixels > 0)
            most = fmax(most, 1 - (double)levels[channel].bins[0] / (double)pixels);
    }
    return most;
}

/* Returns the largest count of a bin. */
static uint64_t bin_end(uint32_t bin) {
    if (bin < TONE_BINS_EXACT)
        return bin;
    const uint32_t octave = bin / TONE_BINS_EXACT - 1;
    const uint64_t first = (uint64_t)(bin % TONE_BINS_EXACT + TONE_BINS_EXACT) << octave;
    return first + ((1ull << octave) - 1);
}

/* Returns the count that `percentile` of the pixels do not exceed, within a bin's width. */
static uint64_t white_of(const struct tone_levels *levels, double percentile) {
    uint64_t pixels = 0, seen = 0, white = 0;
    for (uint32_t i = 0; i < TONE_BINS; i++)
        pixels += levels->bins[i];
    for (uint32_t i = 0; i < TONE_BINS; i++) {
        seen += levels->bins[i];
        white = bin_end(i);
        if ((double)seen * 100 >= percentile * (double)pixels)
            break;
    }
    white = white < levels->most ? white : levels->most;
    return white > TONE_WHITE_LEAST ? white : TONE_WHITE_LEAST;
}

/* --- the map --- */

/* Replaces y by the x that a curve maps to y, both in [0, 1]. */
static void curve_inverse(enum tone_curve curve, mpfr_t y) {
    switch (curve) {
    case TONE_SQRT:
        mpfr_sqr(y, y, MPFR_RNDN);
        break;
    case TONE_LOG: { /* ((1 + base)^y - 1) / base */
        mpfr_t log;
        mpfr_init2(log, BITS);
        mpfr_set_ui(log, LOG_BASE, MPFR_RNDN);
        mpfr_log1p(log, log, MPFR_RNDN);
        mpfr_mul(y, y, log, MPFR_RNDN);
        mpfr_expm1(y, y, MPFR_RNDN);
        mpfr_div_ui(y, y, LOG_BASE, MPFR_RNDN);
        mpfr_clear(log);
        break;
    }
    case TONE_SLOPES: /* the slopes meet at (8/23, 20/23) */
        if (mpfr_cmp_d(y, 20.0 / 23) <= 0) {
            mpfr_mul_ui(y, y, 2, MPFR_RNDN);
        } else {
            mpfr_mul_ui(y, y, 5, MPFR_RNDN);
            mpfr_sub_ui(y, y, 4, MPFR_RNDN);
            mpfr_mul_ui(y, y, 5, MPFR_RNDN);
        }
        mpfr_div_ui(y, y, 5, MPFR_RNDN);
        break;
    default:
        break;
    }
}

/* Returns the lowest count of a shade above 0, at which the value (shade - 1/2) / 255 is
 * reached. */
static uint64_t begin_of(uint32_t shade, const struct tone *tone, uint64_t white) {
    mpfr_t x, factor;
    mpfr_inits2(BITS, x, factor, (mpfr_ptr)0);
    mpfr_set_ui(x, 2 * shade - 1, MPFR_RNDN);
    mpfr_div_ui(x, x, 2 * (TONE_SHADES - 1), MPFR_RNDN);
    mpfr_set_d(factor, tone->gamma, MPFR_RNDN);
    if (tone->gamma != 1)
        mpfr_pow(x, x, factor, MPFR_RNDN);
    curve_inverse(tone->curve, x);
    mpfr_set_d(factor, -tone->exposure, MPFR_RNDN);
    mpfr_exp2(factor, factor, MPFR_RNDN);
    mpfr_mul(x, x, factor, MPFR_RNDN);
    mpfr_set_uj(factor, white, MPFR_RNDN);
    mpfr_mul(x, x, factor, MPFR_RNDN);
    const uint64_t begin =
        mpfr_fits_uintmax_p(x, MPFR_RNDU) ? mpfr_get_uj(x, MPFR_RNDU) : UINT64_MAX;
    mpfr_clears(x, factor, (mpfr_ptr)0);
    return begin > 0 ? begin : 1;
}

static uint32_t between(uint32_t a, uint32_t b, uint32_t at, uint32_t length) {
    return (a * (length - at) + b * at + length / 2) / length;
}

static uint32_t ramp_colour(const struct stop *stops, uint32_t at) {
    const struct stop *a = stops;
    while (a[1].at < at)
        a++;
    const struct stop *b = a + 1;
    const uint32_t length = (uint32_t)b->at - a->at, along = at - a->at;
    return between(a->r, b->r, along, length) | between(a->g, b->g, along, length) << 8 |
           between(a->b, b->b, along, length) << 16 | 0xff000000u;
}

void tone_map_init(struct tone_map *map, const struct tone *tone, int channels,
                   const struct tone_levels *levels) {
    memset(map, 0, sizeof *map);
    map->channels = channels;
    for (int channel = 0; channel < channels; channel++) {
        const uint64_t white = white_of(&levels[channel], tone->white);
        for (uint32_t shade = 1; shade < TONE_SHADES; shade++)
            map->from[channel][shade] = begin_of(shade, tone, white);
    }
    for (uint32_t shade = 0; shade < TONE_SHADES; shade++)
        map->ramp[shade] = ramp_colour(ramps[tone->ramp], shade);
}
