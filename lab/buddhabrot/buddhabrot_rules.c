/* The listings' rules without their ways to be fast. */
#include "lab/buddhabrot/buddhabrot_rules.h"
#include "render/density/philox.h"
#include <math.h>
#include <stddef.h>

#define LEFT   (-1.5f) /* of the picture, whose columns are imaginary parts */
#define RIGHT  1.5f
#define TOP    (-3.2f)
#define BOTTOM 2.0f

const struct seed_rule_facts seed_rules[SEED_RULES] = {
    [SEED_SELECTIVE] = {"selective sampling", -3.5f, 2.5f, -3.2f, 2.0f, true, 25, false},
    [SEED_GRID] = {"grid sampling", -2.1f, 1.1f, -1.8f, 1.8f, false, 25, false},
    [SEED_HALVES] = {"upper half, plotted twice", -2.1f, 1.1f, 0, 1.8f, false, 4, true},
};

struct canvas {
    int width_px, height_px;
    uint32_t *count;
};

static bool in_disc(double re, double im, double square) {
    return re * re + im * im < square;
}

static bool skipped(float re, float im) {
    const double x = (double)re, y = (double)im, p = x - 0.25, q = p * p + y * y;
    return q * (q + p) < 0.25 * y * y || in_disc(x + 1, y, 0.0625) ||
           in_disc(x + 1.309, y, 0.00345) || in_disc(x + 0.125, y - 0.744, 0.0088) ||
           in_disc(x + 0.125, y + 0.744, 0.0088);
}

static uint32_t point(const struct canvas *canvas, float re, float im) {
    const float x = floorf((im - LEFT) / (RIGHT - LEFT) * (float)canvas->width_px);
    const float y = floorf((re - TOP) / (BOTTOM - TOP) * (float)canvas->height_px);
    if (!(x >= 0 && x < (float)canvas->width_px && y >= 0 && y < (float)canvas->height_px))
        return 0;
    uint32_t *count = &canvas->count[(size_t)y * (size_t)canvas->width_px + (size_t)x];
#pragma omp atomic
    ++*count;
    return 1;
}

static uint64_t plot(const struct canvas *canvas, const struct seed_rule_facts *rule, float re,
                     float im, int steps) {
    uint64_t points = rule->first ? point(canvas, re, im) : 0;
    float x = re, y = im;
    for (int i = 0; i < steps; i++) {
        const float next = x * x - y * y + re;
        y = 2 * x * y + im;
        x = next;
        points += point(canvas, x, y);
        if (rule->both)
            points += point(canvas, x, -y);
    }
    return points;
}

static uint64_t sample(const struct canvas *canvas, const struct seed_rule_facts *rule, float re,
                       float im) {
    float x = re, y = im, norm = 0;
    int steps = 0;
    if (skipped(re, im))
        return 0;
    for (; steps < SEED_ITERATIONS && norm < 25; steps++) {
        const float next = x * x - y * y + re;
        y = 2 * x * y + im;
        x = next;
        norm = x * x + y * y;
    }
    return norm > rule->counted ? plot(canvas, rule, re, im, steps) : 0;
}

uint64_t seed_rule_plot(enum seed_rule rule, int width_px, int height_px, uint64_t samples,
                        uint64_t random, int threads, uint32_t *canvas) {
    const struct seed_rule_facts *r = &seed_rules[rule];
    const struct canvas to = {width_px, height_px, canvas};
    uint64_t points = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : points)
    for (uint64_t i = 0; i < samples; i++) {
        const struct philox at = {{(uint32_t)i, (uint32_t)(i >> 32), 0, 0}};
        const struct philox word = philox(at, (uint32_t)random, (uint32_t)(random >> 32));
        const float re = r->re_min + (r->re_max - r->re_min) * ((float)word.word[0] * 0x1p-32f);
        const float im = r->im_min + (r->im_max - r->im_min) * ((float)word.word[1] * 0x1p-32f);
        points += sample(&to, r, re, im);
    }
    return points;
}
