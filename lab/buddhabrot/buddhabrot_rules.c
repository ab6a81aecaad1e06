/* Counting rules of seed 001's listings, without their optimisations, and a chi-square test. The
 * test takes its variances from repetition: points of an orbit depend on each other, so Poisson
 * variances would be too small. */
#include "lab/buddhabrot/buddhabrot_rules.h"
#include "render/base/log.h"
#include "render/density/philox.h"
#include <math.h>
#include <stdlib.h>

#define RULE_SAMPLES (1ull << 25)
#define RULE_QUICK   (1ull << 17)
/* Maximum ratio of mean squares; with few blocks chance alone reaches 1.3. */
#define ALIKE_MOST 1.5

#define LEFT   (-1.5f) /* bounds of the picture, whose columns are imaginary parts */
#define RIGHT  1.5f
#define TOP    (-3.2f)
#define BOTTOM 2.0f

const struct seed_rule_facts seed_rules[SEED_RULES] = {
    [SEED_SELECTIVE] = {"the seed's selective sampling", -3.5f, 2.5f, -3.2f, 2.0f, true, 25, false},
    [SEED_GRID] = {"the seed's grid sampling", -2.1f, 1.1f, -1.8f, 1.8f, false, 25, false},
    [SEED_HALVES] = {"the seed's upper half, plotted twice", -2.1f, 1.1f, 0, 1.8f, false, 4, true},
    [SEED_OURS] = {"ours by grid sampling's rules", -2.1f, 1.1f, 0, 1.8f, false, 25, true},
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

/* Plots `samples` orbits into a canvas by a rule of the seed; returns the points. `random`: key of
 * the generator. */
static uint64_t seed_rule_plot(enum seed_rule rule, int width_px, int height_px, uint64_t samples,
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

/* --- blocks --- */

struct blocks_difference {
    double percent; /* root mean square of the relative differences */
    double noise;   /* the same value as expected of equal programs */
    double ratio;   /* ratio of the squares; about 1 for equal programs */
};

bool blocks_add(struct blocks *blocks, int which, const uint32_t *canvas, int width_px,
                int height_px) {
    const size_t columns = (size_t)(width_px + BLOCKS_SIDE_PX - 1) / BLOCKS_SIDE_PX;
    double points = 0;
    blocks->count = columns * ((size_t)(height_px + BLOCKS_SIDE_PX - 1) / BLOCKS_SIDE_PX);
    double *share = blocks->share[which] = calloc(blocks->count, sizeof *share);
    if (!share) {
        log_error("no memory for %zu sums", blocks->count);
        return false;
    }
    for (int y = 0; y < height_px; y++)
        for (int x = 0; x < width_px; x++) {
            const double count = *canvas++;
            share[(size_t)(y / BLOCKS_SIDE_PX) * columns + (size_t)(x / BLOCKS_SIDE_PX)] += count;
            points += count;
        }
    for (size_t i = 0; i < blocks->count && points > 0; i++)
        share[i] /= points;
    return true;
}

void blocks_finish(struct blocks *blocks) {
    free(blocks->share[0]);
    free(blocks->share[1]);
    *blocks = (struct blocks){0};
}

static struct blocks_difference blocks_compare(const struct blocks *a, const struct blocks *b) {
    double between = 0, within = 0;
    for (size_t i = 0; i < a->count; i++) {
        const double a0 = a->share[0][i], a1 = a->share[1][i];
        const double b0 = b->share[0][i], b1 = b->share[1][i];
        const double mean = (a0 + a1 + b0 + b1) / 4, d = (a0 + a1) / 2 - (b0 + b1) / 2;
        if (mean <= 0)
            continue;
        between += d * d / mean;
        within += ((a0 - a1) * (a0 - a1) + (b0 - b1) * (b0 - b1)) / 4 / mean;
    }
    return (struct blocks_difference){100 * sqrt(between), 100 * sqrt(within), between / within};
}

/* --- all rules --- */

/* Plots two canvases by a listing's rules. */
static bool by_rule(struct lab *lab, enum seed_rule rule, int width_px, int height_px,
                    struct blocks *blocks, double *points_each) {
    const uint64_t samples = lab->quick ? RULE_QUICK : RULE_SAMPLES;
    bool ok = true;
    for (int i = 0; i < 2 && ok && !lab_stopped(lab); i++) {
        uint32_t *canvas = calloc((size_t)width_px * (size_t)height_px, sizeof *canvas);
        if (!canvas) {
            log_error("no memory for a canvas");
            return false;
        }
        const uint64_t points = seed_rule_plot(rule, width_px, height_px, samples, (uint64_t)i,
                                               lab_threads(lab), canvas);
        *points_each = (double)points / (double)samples;
        ok = blocks_add(blocks, i, canvas, width_px, height_px);
        free(canvas);
    }
    return ok && !lab_stopped(lab);
}

bool blocks_alike(struct lab *lab, const char *first, const struct blocks *first_blocks,
                  const char *second, const struct blocks *second_blocks) {
    const struct blocks_difference d = blocks_compare(first_blocks, second_blocks);
    return report_check(lab->report, d.ratio < ALIKE_MOST,
                        "%s and %s draw the same picture but for chance: blocks of %dx%d pixels "
                        "differ by %.3f%%, where %.3f%% is to be expected",
                        first, second, BLOCKS_SIDE_PX, BLOCKS_SIDE_PX, d.percent, d.noise);
}

bool rules_count(struct lab *lab, int width_px, int height_px, struct blocks rules[SEED_RULES]) {
    double points[SEED_RULES];
    struct table *table =
        table_of("buddhabrot-rules", "What is counted; five discs are left out beforehand",
                 "program|c from|first point|last point, of orbits that|points a sample:3|"
                 "picture differs from grid sampling's, %:2|where chance makes, %:2");
    bool ok = true;
    for (enum seed_rule rule = 0; ok && rule < SEED_RULES; rule++)
        ok = by_rule(lab, rule, width_px, height_px, &rules[rule], &points[rule]);
    for (enum seed_rule rule = 0; ok && rule < SEED_RULES; rule++) {
        const struct seed_rule_facts *facts = &seed_rules[rule];
        table_text(table, "%s", facts->name);
        table_text(table, "%.1f .. %.1f, %.1f .. %.1f", (double)facts->re_min,
                   (double)facts->re_max, (double)facts->im_min, (double)facts->im_max);
        const struct blocks_difference d = blocks_compare(&rules[rule], &rules[SEED_GRID]);
        table_add(table, "%s %s %g %g %g", facts->first ? "z = c" : "z = c² + c",
                  facts->counted > 4 ? "the first of |z|² > 25, at most 20 steps from c"
                                     : "the first of |z|² >= 25, or the 20th step's if |z|² > 4",
                  points[rule], rule == SEED_GRID ? NAN : d.percent,
                  rule == SEED_GRID ? NAN : d.noise);
    }
    report_table(lab->report, table);
    return ok && blocks_alike(lab, "a loop by the rules of the seed's grid sampling",
                              &rules[SEED_GRID], "ours by them", &rules[SEED_OURS]);
}
