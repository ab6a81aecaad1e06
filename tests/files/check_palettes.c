/* Built-in palettes: fourteen, all visibly different. Those described as safe for red-green colour
 * blindness keep their colours apart under both simulated kinds of it. Also: different gradients
 * are never confused, and the limits of values in palette texts. */
#include "render/light/ranks.h"
#include "render/palette.h"
#include "tests/shared/check.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PLACES 32 /* sampled places of a palette's turn */
/* Mean CIELAB distance of two palettes, place by place at the best turn. */
#define DISTINCT 12.0
#define APART    25.0 /* distance that a palette's contrast relies on */
/* Length of the way of colours in one turn, for any eye, in CIELAB units. */
#define WAY_LEAST  150.0
#define WAY_KEPT   0.7
#define LEFT_OF_IT 0.5 /* share of the distance that a safe palette must keep */

struct lab {
    double l, a, b;
};

/* Matrices for linear light, one per kind of vision (Machado, Oliveira and Fernandes 2009). */
static const double visions[][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779},
     {-0.078411, 0.930809, 0.147602},
     {0.004733, 0.691367, 0.303900}},
};
/* Number of visions before the one without blue cones, including the usual one. */
#define RED_GREEN 3
#define VISIONS   (sizeof visions / sizeof *visions)

static double linear(uint32_t byte) {
    const double v = byte / 255.0;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double bend(double t) {
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* Returns the CIELAB colour under D65 of a pixel as one kind of eye sees it. */
static struct lab seen(uint32_t rgba, size_t vision) {
    const double rgb[3] = {linear(rgba & 0xff), linear(rgba >> 8 & 0xff),
                           linear(rgba >> 16 & 0xff)};
    double c[3];
    for (int i = 0; i < 3; i++) {
        const double *row = visions[vision][i];
        c[i] = fmin(fmax(row[0] * rgb[0] + row[1] * rgb[1] + row[2] * rgb[2], 0), 1);
    }
    const double x = bend((0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.95047);
    const double y = bend(0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]);
    const double z = bend((0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.08883);
    return (struct lab){116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

static double distance(struct lab a, struct lab b) {
    return sqrt((a.l - b.l) * (a.l - b.l) + (a.a - b.a) * (a.a - b.a) + (a.b - b.b) * (a.b - b.b));
}

static uint32_t colour_at(const struct palette *palette, int place) {
    return palette->table[place % PLACES * (COLOUR_TABLE_SIZE / PLACES)];
}

/* Returns the least mean distance over all turns of one palette against the other. */
static double difference(const struct palette *a, const struct palette *b) {
    double least = INFINITY;
    for (int turn = 0; turn < PLACES; turn++) {
        double sum = 0;
        for (int i = 0; i < PLACES; i++)
            sum += distance(seen(colour_at(a, i), 0), seen(colour_at(b, i + turn), 0));
        least = fmin(least, sum / PLACES);
    }
    return least;
}

/* Returns the least share that any eye keeps of the distance of two well separated colours. */
static double share_kept(const struct palette *palette, size_t visions_end) {
    double least = 1;
    for (size_t vision = 1; vision < visions_end; vision++)
        for (int i = 0; i < PLACES; i++)
            for (int j = 0; j < i; j++) {
                const uint32_t a = colour_at(palette, i), b = colour_at(palette, j);
                const double apart = distance(seen(a, 0), seen(b, 0));
                if (apart >= APART)
                    least = fmin(least, distance(seen(a, vision), seen(b, vision)) / apart);
            }
    return least;
}

static bool is_safe(const char *id) {
    return strcmp(id, "harbour") == 0 || strcmp(id, "signal") == 0 || strcmp(id, "graphite") == 0;
}

/* Returns true for the palettes that suit every eye. */
static bool is_for_all(const char *id) {
    return strcmp(id, "tern") == 0 || strcmp(id, "lantern") == 0;
}

/* Returns the length of the way of colours in one turn, as an eye sees it. */
static double way(const struct palette *palette, size_t vision) {
    double sum = 0;
    for (int i = 0; i < PLACES; i++)
        sum +=
            distance(seen(colour_at(palette, i), vision), seen(colour_at(palette, i + 1), vision));
    return sum;
}

/* Checks that half the distance of well separated colours is left, and most of the way. */
static void check_for_all(const struct palette *palette) {
    CHECK(share_kept(palette, VISIONS) >= LEFT_OF_IT);
    for (size_t vision = 0; vision < VISIONS; vision++) {
        printf("  a way of %.0f\n", way(palette, vision));
        CHECK(way(palette, vision) >= WAY_LEAST &&
              way(palette, vision) >= WAY_KEPT * way(palette, 0));
    }
}

/* Checks that a negative fraction moves back by its part of a count, at any colour frequency. */
static void check_negative(void) {
    static uint32_t table[COLOUR_TABLE_SIZE];
    const struct colouring colouring = {/* Slightly more than an entry per count. */
                                        .frequency = 65537,
                                        .smooth = true,
                                        .table = table};
    for (uint32_t i = 0; i < COLOUR_TABLE_SIZE; i++)
        table[i] = i;
    CHECK(colour_of(&colouring, colouring.table, 5, 0) == 5);
    CHECK(colour_of(&colouring, colouring.table, 5, -0.5f) == 4);
    CHECK(colour_of(&colouring, colouring.table, 5, -1) == 4);
    CHECK(colour_of(&colouring, colouring.table, 5, 0.5f) == 5);
    CHECK(colour_of(&colouring, colouring.table, 5, 1) == 6);
}

/* Checks ranks: counts 8 and 9 share a bucket up to 10, so of ten pixels a part lies below each
 * count in between. */
static void check_ranks(void) {
    struct statistics statistics = {.pixels = 14, .interior = 4, .least = 8, .most = 9};
    struct colour_ranks ranks;
    statistics.histogram[statistics_bucket(8)] = 10;
    CHECK(ranks_set(&ranks, &statistics, 0.75));
    /* Knots 6 to 8 belong to 8, 10 and 12. */
    CHECK(ranks.knot[6] == 0 && ranks.knot[7] == COLOUR_RANKS / 8 * 5 &&
          ranks.knot[8] == COLOUR_RANKS);
}

/* Checks that gradients that differ in any value are not equal. */
static void check_equal(void) {
    const struct gradient g = palette_builtin(0)->gradient;
    struct gradient others[11];
    CHECK(g.count > 1 && g.stops[1].place < 0.9);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        others[i] = g;
    others[0].hue = others[1].saturation = others[2].brightness = others[3].offset = 0.25;
    others[4].period += 1;
    others[5].interior ^= 1;
    others[6].mirrored ^= true;
    others[7].interpolation = (enum interpolation)((g.interpolation + 1) % INTERPOLATION_COUNT);
    others[8].stops[1].place += 0.01;
    others[9].stops[1].rgba ^= 1;
    others[10].stops[0].label[0] ^= 'b';
    CHECK(gradient_equal(&g, &palette_builtin(0)->gradient));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(!gradient_equal(&g, &others[i]) && !gradient_equal(&others[i], &g));
}

static bool reads(const char *entries, struct palette *palette) {
    char text[300];
    snprintf(text, sizeof text, "[palette]\n%s", entries);
    return palette_parse(palette, "test", "T", text, strlen(text));
}

/* Checks limits: the ends of ranges are allowed, except for a whole turn of the offset; names of
 * colours have at most 19 bytes. Bands of a mirrored gradient do not continue past its end. */
static void check_ends(void) {
    static const char *const right[] = {"hue = 180",      "hue = -180",    "saturation = 2",
                                        "saturation = 0", "offset = 0",    "brightness = 2",
                                        "period = 1e9",   "period = 0.001"};
    static const char *const wrong[] = {"hue = 180.1", "offset = 1", "saturation = 2.1",
                                        "period = 1.1e9"};
    static struct palette palette;
    char text[100];
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        snprintf(text, sizeof text, "colours = #ff0000 #00ff00\n%s\n", right[i]);
        CHECK(reads(text, &palette));
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text, "colours = #ff0000 #00ff00\n%s\n", wrong[i]);
        CHECK(!reads(text, &palette));
    }
    CHECK(reads("colours = 0:#ff0000:abcdefghijklmnopqrs\n", &palette) &&
          strcmp(palette.gradient.stops[0].label, "abcdefghijklmnopqrs") == 0);
    CHECK(!reads("colours = 0:#ff0000:abcdefghijklmnopqrst\n", &palette));
    CHECK(reads("interpolation = none\nmirror = yes\ncolours = 0.1:#ff0000 0.95:#00ff00\n",
                &palette) &&
          palette.table[0] == 0xff0000ff);
}

int main(void) {
    check_ends();
    check_equal();
    check_negative();
    check_ranks();
    CHECK(palette_builtin_count() == 14);
    for (size_t i = 0; i < palette_builtin_count(); i++) {
        const struct palette *palette = palette_builtin(i);
        const double kept = share_kept(palette, RED_GREEN);
        printf("%-10s keeps %.2f\n", palette->id, kept);
        CHECK(!is_safe(palette->id) || kept >= LEFT_OF_IT);
        if (is_for_all(palette->id))
            check_for_all(palette);
        CHECK(strcmp(palette->id, "spectrum") != 0 || kept < LEFT_OF_IT);
        for (size_t j = 0; j < i; j++) {
            const double d = difference(palette, palette_builtin(j));
            if (d < 20)
                printf("  %s, %s: %.1f\n", palette->id, palette_builtin(j)->id, d);
            CHECK(d >= DISTINCT);
        }
    }
    printf("check_palettes: %d failures\n", failures);
    return failures != 0;
}
