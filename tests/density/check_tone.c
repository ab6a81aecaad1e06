/* Tone of orbit density: bins, curves, gamma and white against their definitions, and painted
 * pictures of folded counts. */
#include "render/density/density_counts.h"
#include "render/density/tone.h"
#include "tests/shared/check.h"
#include "tests/shared/random.h"
#include <math.h>

/* --- tone --- */

static void check_bins(void) {
    uint32_t before = 0;
    CHECK(tone_bin(0) == 0 && tone_bin(UINT64_MAX) == TONE_BINS - 1);
    for (uint64_t count = 0; count < 100000; count++) {
        CHECK(tone_bin(count) == before || tone_bin(count) == before + 1);
        before = tone_bin(count);
    }
    for (int i = 0; i < 100000; i++) {
        const uint64_t a = random_bits() >> random_bits() % 64,
                       b = random_bits() >> random_bits() % 64;
        CHECK(a < b ? tone_bin(a) <= tone_bin(b) : tone_bin(b) <= tone_bin(a));
    }
}

/* Returns the value of a shade by its mathematical definition. */
static double value_of(const struct tone *tone, double x) {
    x = fmin(x * exp2(tone->exposure), 1);
    const double y = tone->curve == TONE_SQRT     ? sqrt(x)
                     : tone->curve == TONE_LOG    ? log1p(1000 * x) / log1p(1000)
                     : tone->curve == TONE_SLOPES ? fmin(2.5 * x, 0.2 * x + 0.8)
                                                  : x;
    return 255 * pow(y, 1 / tone->gamma);
}

static void check_map(const struct tone *tone, uint64_t most) {
    static struct tone_levels levels;
    struct tone_map map;
    tone_levels_init(&levels);
    for (int i = 0; i < 1000; i++)
        tone_levels_add(&levels, random_bits() % (most + 1), 1);
    tone_levels_add(&levels, most, 1);
    tone_map_init(&map, tone, 1, &levels);
    for (int i = 0; i < 2000; i++) {
        const uint64_t count = random_bits() % (most + 1);
        const double value = value_of(tone, (double)count / (double)most);
        const uint32_t shade = tone_shade(map.from[0], count);
        if (fabs(value - floor(value) - 0.5) > 1e-6)
            CHECK(shade == (uint32_t)floor(value + 0.5));
    }
    CHECK(map.ramp[0] == 0xff000000u && map.ramp[255] == 0xffffffffu);
}

static void check_tone(void) {
    struct tone tone;
    tone_init(&tone);
    CHECK(!tone_problem(&tone));
    tone.white = 100;
    static const double exposures[] = {0, 1, -2.5}, gammas[] = {1, 2.2, 0.5};
    for (tone.curve = 0; tone.curve < TONE_CURVE_COUNT; tone.curve++)
        for (int i = 0; i < 9; i++) {
            tone.exposure = exposures[i % 3];
            tone.gamma = gammas[i / 3];
            tone.ramp = (enum tone_ramp)(i % TONE_RAMP_COUNT);
            check_map(&tone, 255);
            check_map(&tone, 1000003);
            check_map(&tone, 1ull << 50);
        }
    tone.gamma = NAN;
    CHECK(tone_problem(&tone) != NULL);
}

/* Checks the ramp: in 60 of the 64 shades from black to ember's next colour, (74, 8, 12), channels
 * are rounded. */
static void check_ramp(void) {
    static struct tone_levels levels;
    struct tone tone;
    struct tone_map map;
    tone_init(&tone);
    tone.ramp = TONE_EMBER;
    tone_levels_init(&levels);
    tone_levels_add(&levels, 1, 1);
    tone_map_init(&map, &tone, 1, &levels);
    CHECK(map.ramp[60] == (69u | 8u << 8 | 11u << 16 | 0xff000000u));
}

/* Checks that the count that exactly half of the pixels do not exceed is white. */
static void check_half_white(void) {
    static struct tone_levels half, all;
    struct tone tone;
    struct tone_map map, expected;
    tone_init(&tone);
    tone.white = 50;
    tone_levels_init(&half);
    tone_levels_init(&all);
    tone_levels_add(&half, 24, 500); /* 24 has a bin of its own */
    tone_levels_add(&half, 5000, 500);
    tone_levels_add(&all, 24, 1000);
    tone_map_init(&map, &tone, 1, &half);
    tone_map_init(&expected, &tone, 1, &all);
    CHECK(memcmp(map.from[0], expected.from[0], sizeof map.from[0]) == 0);
}

/* Checks `hit`: the number of pixels of the channel that hits the most. */
static void check_hit(void) {
    static struct tone_levels levels[3];
    for (int i = 0; i < 3; i++) {
        tone_levels_init(&levels[i]);
        tone_levels_add(&levels[i], 0, 600 - 100 * (uint64_t)i);
        tone_levels_add(&levels[i], 1, 150 + 100 * (uint64_t)i);
        tone_levels_add(&levels[i], 1000, 50);
    }
    CHECK(tone_levels_hit(levels, 1) == 0.25 && tone_levels_hit(levels, 3) == 0.5);
    tone_levels_init(&levels[0]);
    CHECK(tone_levels_hit(levels, 1) == 0);
}

/* Checks white at the percentile: 1000 pixels of 100, ten of a million. */
static void check_white(void) {
    static struct tone_levels levels;
    struct tone tone;
    struct tone_map map;
    tone_init(&tone);
    tone.curve = TONE_LINEAR;
    tone.white = 99;
    tone_levels_init(&levels);
    tone_levels_add(&levels, 100, 1000);
    tone_levels_add(&levels, 1000000, 10);
    tone_map_init(&map, &tone, 1, &levels);
    CHECK(map.from[0][255] >= 99 && map.from[0][255] <= 104);
    tone.white = 100;
    tone_map_init(&map, &tone, 1, &levels);
    CHECK(map.from[0][255] > 990000 && map.from[0][255] <= 1000000);
    tone_levels_init(&levels);
    tone_levels_add(&levels, 0, 100);
    tone_map_init(&map, &tone, 1, &levels);
    CHECK(tone_shade(map.from[0], 0) == 0 && map.from[0][255] > 1);
}

/* --- pictures --- */

/* Checks that painted pictures of folded counts are symmetric, and that levels count every pixel of
 * the picture once. */
static void check_paint(double degrees, int width, int height) {
    static struct tone_levels levels[TONE_CHANNELS_MAX];
    static uint32_t rgba[64 * 64];
    struct density_counts counts;
    struct tone_map map;
    const char *why;
    SCOPED(density_req, req, width, height);
    req.density.channels = 3;
    memcpy(req.density.limit, (uint32_t[]){500, 50, 5000}, sizeof req.density.limit);
    CHECK(view_set_angle_degrees(&req.view, degrees, &why));
    CHECK(density_counts_init(&counts, &req) && counts.planes == 3);
    const size_t size = (size_t)counts.width * (size_t)counts.height * 3;
    for (size_t i = 0; i < size; i++)
        counts.points += counts.count[i] = random_bits() % 1000;
    density_levels(&req, &counts, levels);
    tone_map_init(&map, &req.tone, 3, levels);
    density_paint(&req, &counts, &map, rgba);
    const struct density_place place = density_place(&req);
    uint64_t sum = 0, most = 0, pixels = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int mx = degrees == 0 ? x : width - 1 - x, my = degrees == 0 ? height - 1 - y : y;
            const uint64_t green = density_shown(&req, &place, &counts, 1, x, y);
            const uint64_t blue = density_shown(&req, &place, &counts, 2, x, y);
            CHECK(rgba[y * width + x] == rgba[my * width + mx]);
            CHECK(green <= density_shown(&req, &place, &counts, 0, x, y));
            sum += blue;
            most = blue > most ? blue : most;
            CHECK(tone_shade(map.from[2], blue) == (rgba[y * width + x] >> 16 & 255));
        }
    CHECK(sum == 2 * counts.points && most == levels[2].most);
    for (uint32_t i = 0; i < TONE_BINS; i++)
        pixels += levels[0].bins[i];
    CHECK(pixels == (uint64_t)width * (uint64_t)height);
    density_counts_finish(&counts);
}

int main(void) {
    random_seed(5);
    check_bins();
    check_tone();
    check_ramp();
    check_half_white();
    check_hit();
    check_white();
    check_paint(0, 40, 33);
    check_paint(0, 64, 64);
    check_paint(90, 33, 40);
    return failures > 0;
}
