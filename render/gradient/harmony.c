/* Random gradients that look deliberate: a few hues in harmony. The gradient is dark between the
 * hues and pale where they are brightest, so neighbouring bands differ in lightness. */
#include "render/gradient/harmony.h"
#include "render/gradient/oklab.h"
#include "render/number/splitmix.h"

#define WAVES_MAX 4

static double between(uint64_t *state, double low, double high) {
    return low + (high - low) * ((double)(splitmix_next(state) >> 11) / 9007199254740992.0);
}

/* Harmonies: hues of the waves in degrees, relative to the first wave. */
static const struct harmony {
    int waves;
    double hues[WAVES_MAX];
    int chance; /* [%] probability */
} harmonies[] = {
    {2, {0, 35}, 12},       /* analogous, two hues */
    {3, {0, 32, -32}, 14},  /* analogous, three hues */
    {2, {0, 180}, 24},      /* complementary */
    {2, {0, 150}, 12},      /* nearly complementary */
    {3, {0, 150, 210}, 16}, /* split complementary */
    {3, {0, 120, 240}, 14}, /* triadic */
    {4, {0, 40, 180, 220}, 8},
};

static const struct harmony *choose(uint64_t *state) {
    int left = (int)(splitmix_next(state) % 100);
    const struct harmony *harmony = harmonies;
    while (left >= harmony->chance)
        left -= harmony++->chance;
    return harmony;
}

/* Returns the hue of a bright colour: light looks pale yellow or pale blue, so hues move towards
 * the nearer of both. */
static double bright_hue(double hue) {
    const double from_yellow = hue - 95, from_blue = hue - 235;
    const struct turn yellow = turn_of_degrees(from_yellow), blue = turn_of_degrees(from_blue);
    const struct turn nearer = yellow.cosine > blue.cosine ? yellow : blue;
    return hue - 28 * nearer.sine;
}

static void put(struct gradient *g, double place, double lightness, double chroma, double hue) {
    struct gradient_stop *stop = &g->stops[g->count++];
    *stop = (struct gradient_stop){.place = place,
                                   .rgba = oklab_rgba(oklab_of_hue(lightness, chroma, hue))};
}

/* Adds one wave of stops from `place` on, over `width`: dark, saturated, pale, saturated. */
static void put_wave(struct gradient *g, uint64_t *state, double place, double width, double hue,
                     double height) {
    const double lean = between(state, 0.50, 0.64), rise = between(state, 0.25, 0.33);
    const double drift = between(state, -22, 22);
    const double chroma = between(state, 0.04, 0.09), dark = between(state, 0.10, 0.24);
    put(g, place, dark, chroma, hue + drift);
    put(g, place + rise * width, 0.28 + 0.22 * height, between(state, 0.14, 0.21), hue + drift / 2);
    put(g, place + lean * width, 0.64 + 0.31 * height, between(state, 0.03, 0.12), bright_hue(hue));
    put(g, place + (lean + 0.17) * width, 0.36 + 0.27 * height, between(state, 0.13, 0.2),
        hue - drift);
}

void harmony_gradient(uint64_t key, struct gradient *gradient) {
    uint64_t state = key * 0xd1342543de82ef95u + 1;
    double widths[WAVES_MAX], all = 0, place = 0;
    splitmix_next(&state);
    gradient_init(gradient);
    gradient->interpolation = INTERPOLATION_OKLAB;
    const struct harmony *harmony = choose(&state);
    const double hue = between(&state, 0, 360);
    for (int i = 0; i < harmony->waves; i++)
        all += widths[i] = between(&state, i == 0 ? 1.1 : 0.6, i == 0 ? 1.7 : 1.3);
    for (int i = 0; i < harmony->waves; i++) {
        const double height = i == 0 ? 1 : between(&state, 0.45, 1);
        put_wave(gradient, &state, place, widths[i] / all, hue + harmony->hues[i], height);
        place += widths[i] / all;
    }
    gradient->period = 32.0 * harmony->waves + (double)(splitmix_next(&state) % 33);
}
