/* Colours that adapt: which frequency they choose for a picture's counts, and how they get there from
 * picture to picture. */
#include "app/explore/auto_density.h"
#include "tests/shared/check.h"
#include <math.h>

#define PERIOD 96.0
#define PIXELS 100000

/* Counts of PIXELS pixels from `least` on, as far apart as 1/x: a few are far off. */
static struct statistics falling(uint32_t least, double scale, uint32_t most) {
    struct statistics s;
    uint32_t counts[1000];
    statistics_init(&s);
    for (int k = 0; k < PIXELS / 1000; k++) {
        for (int i = 0; i < 1000; i++) {
            const double at = (k * 1000 + i + 0.5) / PIXELS;
            counts[i] = (uint32_t)fmin(least + scale * (1 / at - 1), most);
        }
        statistics_add(&s, counts, 1000, 1, 1000);
    }
    return s;
}

/* As many of each count. */
static struct statistics even(uint32_t least, uint32_t most) {
    struct statistics s;
    statistics_init(&s);
    for (uint32_t count = least; count <= most; count++)
        statistics_add(&s, &count, 1, 1, 1);
    return s;
}

static double frequency_of(struct statistics s, enum colour_mapping mapping) {
    return auto_density_choose(&s, BY_COUNT, mapping).frequency;
}

static void check_choices(void) {
    /* The whole set, and places that are not deep, keep the palette's own. */
    CHECK(frequency_of(falling(1, 1, 700), MAPPING_LINEAR) == 1);
    CHECK(frequency_of(falling(30, 5, 2000), MAPPING_LINEAR) == 1);
    CHECK(frequency_of(falling(300, 5, 3000), MAPPING_LINEAR) > 0.9);
    /* The wider counts lie apart the lower it is, but by less: turns grow slowly. */
    double before = 1, turns = 0;
    for (double scale = 20; scale < 1e6; scale *= 4) {
        const double frequency =
            frequency_of(falling((uint32_t)(10 * scale), scale, 100000000), MAPPING_LINEAR);
        const double now = frequency * 9 * scale / PERIOD;
        CHECK(frequency < before / 1.5 && frequency > before / 8);
        CHECK(now > turns && now < 6);
        before = frequency;
        turns = now;
    }
    /* Where they hardly differ it is higher, within bounds; but not where counts are low. */
    CHECK(frequency_of(even(1000, 1004), MAPPING_LINEAR) > 2);
    CHECK(frequency_of(even(1000, 1000), MAPPING_LINEAR) == 8);
    CHECK(frequency_of(even(1, 5), MAPPING_LINEAR) == 1);
    /* Mapped counts are what counts. */
    const struct statistics wide = falling(10000, 3000, 1000000);
    CHECK(frequency_of(wide, MAPPING_LINEAR) < 0.05);
    CHECK(frequency_of(wide, MAPPING_SQRT) > 4 * frequency_of(wide, MAPPING_LINEAR));
    CHECK(frequency_of(wide, MAPPING_LOG) > frequency_of(wide, MAPPING_SQRT));
    /* Deep down a bucket holds nearly all: 20000 counts from 100000 on, most of them near the least. */
    const double deep = frequency_of(falling(100000, 500, 120000), MAPPING_LINEAR);
    CHECK(deep > 0.02 && deep < 0.06);
    const struct statistics none = {.pixels = 10, .interior = 10, .least = UINT32_MAX};
    CHECK(frequency_of(none, MAPPING_LINEAR) == 0);
}

static double frequency_by(enum colour_by by, struct statistics s) {
    return auto_density_choose(&s, by, MAPPING_LINEAR).frequency;
}

/* The smaller the part is that counts differ by, the higher the frequency of means. */
static void check_means(void) {
    double before = 1;
    CHECK(frequency_by(BY_STRIPE, falling(1, 1, 700)) == 1);
    CHECK(frequency_by(BY_TRIANGLE, falling(30, 50, 20000)) == 1);
    for (uint32_t least = 1000; least <= 1000000; least *= 10) {
        const double frequency = frequency_by(BY_TRIANGLE, even(least, least + 500));
        CHECK(frequency > fmin(3 * before, 7999) && frequency <= 8000);
        CHECK(frequency == frequency_by(BY_STRIPE, even(least, least + 500)));
        before = frequency;
    }
    CHECK(before == 8000);
    CHECK(frequency_by(BY_DISTANCE, even(1000000, 1000500)) == 1);
    const struct statistics none = {.pixels = 10, .interior = 10, .least = UINT32_MAX};
    CHECK(frequency_by(BY_STRIPE, none) == 0);
}

static double turns_at(double mapped, const struct auto_density_colours *colours) {
    return mapped * colours->frequency / PERIOD + colours->offset;
}

static bool alike(double a, double b) {
    const double apart = a - b;
    return fabs(apart - floor(apart + 0.5)) < 1e-3;
}

static bool judge(struct auto_density *a, struct statistics s, struct auto_density_colours *now) {
    const struct auto_density_choice choice = auto_density_choose(&s, BY_COUNT, MAPPING_LINEAR);
    return auto_density_judge(a, &choice, PERIOD, now);
}

/* On its way the median's colour stays; in the end all is quiet. */
static void check_way(void) {
    struct auto_density a = {.on = true};
    struct auto_density_colours now = {1, 0.25};
    const struct statistics wide = falling(10000, 3000, 1000000);
    const struct auto_density_choice choice = auto_density_choose(&wide, BY_COUNT, MAPPING_LINEAR);
    const double colour = turns_at(choice.median, &now);
    double before = 1;
    CHECK(!auto_density_advance(&a, 10, &now));
    CHECK(judge(&a, wide, &now) && now.frequency == 1 && auto_density_goes(&a));
    while (auto_density_goes(&a)) {
        CHECK(auto_density_advance(&a, 50, &now));
        CHECK(now.frequency < before && now.frequency >= choice.frequency);
        CHECK(alike(turns_at(choice.median, &now), colour));
        before = now.frequency;
    }
    CHECK(now.frequency == choice.frequency && now.offset >= 0 && now.offset < 1);
    CHECK(!auto_density_advance(&a, 50, &now) && !judge(&a, wide, &now));
    /* A little more or less changes nothing, */
    CHECK(!judge(&a, falling(10000, 3500, 1000000), &now));
    CHECK(!judge(&a, falling(10000, 2500, 1000000), &now));
    /* far more does. Judged on its way it goes on. */
    CHECK(judge(&a, falling(100000, 30000, 10000000), &now));
    CHECK(auto_density_advance(&a, 100, &now));
    CHECK(!judge(&a, falling(100000, 30000, 10000000), &now) && auto_density_goes(&a));
    /* The whole set has the colours that it had. */
    CHECK(judge(&a, falling(1, 1, 700), &now));
    CHECK(auto_density_own(&a, &now).frequency == 1 && auto_density_own(&a, &now).offset == 0.25);
    CHECK(auto_density_advance(&a, INFINITY, &now) && now.frequency == 1 && now.offset == 0.25);
    const struct statistics none = {.pixels = 10, .interior = 10, .least = UINT32_MAX};
    CHECK(!judge(&a, none, &now));
}

/* What was set elsewhere is where it goes on from. */
static void check_hands(void) {
    const struct statistics wide = falling(10000, 3000, 1000000), home = falling(1, 1, 700);
    struct auto_density a = {0};
    struct auto_density_colours now = {1, 0};
    CHECK(!judge(&a, wide, &now) && !auto_density_goes(&a)); /* it is off */
    CHECK(auto_density_own(&a, &now).frequency == 1);
    auto_density_switch(&a, true);
    CHECK(judge(&a, wide, &now) && auto_density_advance(&a, 100, &now));
    now.offset = fmod(now.offset + 0.5, 1);
    CHECK(!auto_density_advance(&a, 100, &now) && !auto_density_goes(&a));
    CHECK(judge(&a, wide, &now) && auto_density_advance(&a, INFINITY, &now));
    now.offset = fmod(now.offset + 0.125, 1);
    CHECK(judge(&a, home, &now) && auto_density_advance(&a, INFINITY, &now));
    CHECK(now.frequency == 1 && alike(now.offset, 0.625)); /* both are kept */
    now = (struct auto_density_colours){1, 0.125};         /* another scene */
    CHECK(judge(&a, wide, &now) && auto_density_advance(&a, INFINITY, &now));
    CHECK(judge(&a, home, &now) && auto_density_advance(&a, INFINITY, &now) && now.offset == 0.125);
    CHECK(judge(&a, wide, &now));
    auto_density_switch(&a, false);
    CHECK(!auto_density_advance(&a, 100, &now) && now.frequency == 1);
}

int main(void) {
    check_choices();
    check_means();
    check_way();
    check_hands();
    return failures > 0;
}
