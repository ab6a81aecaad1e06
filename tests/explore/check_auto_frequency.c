/* Adaptive colours: the frequency that they choose for a picture's counts, and the way there from
 * picture to picture. */
#include "app/explore/auto_frequency.h"
#include "tests/shared/check.h"
#include <math.h>

#define PERIOD  96.0
#define SAMPLES 4000

/* Counts of a picture. */
struct counts {
    size_t samples;
    uint32_t count[SAMPLES];
};

/* Makes counts from `least` on, spaced like 1/x: a few are far away. They rise from a row's ends to
 * its middle. */
static struct counts falling(uint32_t least, double scale, uint32_t most) {
    struct counts counts = {.samples = SAMPLES};
    for (int i = 0; i < SAMPLES; i++) {
        const int rank = i < SAMPLES / 2 ? SAMPLES - 1 - 2 * i : 2 * i - SAMPLES;
        const double at = (rank + 0.5) / SAMPLES;
        counts.count[i] = (uint32_t)fmin(least + scale * (1 / at - 1), most);
    }
    return counts;
}

/* Makes the same counts, but shuffles those in a part of the row. */
static struct counts strewn(struct counts counts, double part) {
    const struct counts before = counts;
    const size_t number = (size_t)(part * (double)counts.samples);
    for (size_t i = 0; i < number; i++)
        counts.count[i] = before.count[i * 1237 % number];
    return counts;
}

/* Makes equally many of each count. */
static struct counts even(uint32_t least, uint32_t most) {
    struct counts counts = {0};
    for (uint32_t count = least; count <= most; count++)
        counts.count[counts.samples++] = count;
    return counts;
}

static struct auto_frequency_choice choose(struct counts counts, enum colour_by by,
                                           enum colour_mapping mapping) {
    const struct glimpse row = {counts.count, counts.samples, SAMPLES};
    return auto_frequency_choose(&row, by, mapping);
}

/* Checks a picture in which nothing escapes, and an empty one. */
static bool none_says_nothing(enum colour_by by) {
    struct counts none = even(1, 100);
    for (size_t i = 0; i < none.samples; i++)
        none.count[i] |= SAMPLE_INTERIOR;
    return choose(none, by, MAPPING_LINEAR).frequency == 0 &&
           choose((struct counts){0}, by, MAPPING_LINEAR).frequency == 0;
}

static double frequency_of(struct counts counts, enum colour_mapping mapping) {
    return choose(counts, BY_COUNT, mapping).frequency;
}

/* Returns the mean difference of neighbours' colours in counts, at most half a turn each. */
static double grit(const struct counts *counts, double frequency) {
    double sum = 0;
    for (size_t i = 1; i < counts->samples; i++) {
        const double apart = fabs((double)counts->count[i] - (double)counts->count[i - 1]);
        sum += fmin(frequency * apart, PERIOD / 2);
    }
    return sum / (double)(counts->samples - 1);
}

/* Checks dense pictures: the denser, the lower the frequency, so that neighbours have similar
 * colours, while most of the picture still spans half a turn. */
static void check_calm(void) {
    const struct counts even_row = falling(500, 60, 1 << 30);
    const double even_frequency = frequency_of(even_row, MAPPING_LINEAR);
    double before = even_frequency;
    CHECK(even_frequency * 60 * 9 > PERIOD);
    for (double part = 0.5; part <= 1; part += 0.25) {
        const struct counts dense = strewn(even_row, part);
        const double frequency = frequency_of(dense, MAPPING_LINEAR);
        const double turns = frequency * (60 / 0.1 - 60 / 0.9) / PERIOD;
        CHECK(frequency <= before && frequency < 0.9 * even_frequency && turns > 0.49);
        CHECK(grit(&dense, even_frequency) > 8.5);
        CHECK(grit(&dense, frequency) < 8.2 || turns < 0.51);
        before = frequency;
    }
    /* Columns count as rows do, and interior pixels have no colour. */
    struct counts columns = {.samples = SAMPLES}, holes = strewn(even_row, 0.5);
    for (size_t i = 0; i < SAMPLES; i++)
        columns.count[i] = 1000 + 100 * (uint32_t)(i / 40 % 2) + 20 * (uint32_t)(i / 800);
    const double across = choose(columns, BY_COUNT, MAPPING_LINEAR).frequency;
    const struct glimpse wide = {columns.count, SAMPLES, 40};
    CHECK(across > 1.5 * auto_frequency_choose(&wide, BY_COUNT, MAPPING_LINEAR).frequency);
    const double dense = frequency_of(holes, MAPPING_LINEAR);
    for (size_t i = 0; i < SAMPLES / 2; i += 2)
        holes.count[i] |= SAMPLE_INTERIOR;
    CHECK(frequency_of(holes, MAPPING_LINEAR) > 1.2 * dense);
    /* A mapping brings neighbours closer together. */
    const struct counts wild = strewn(falling(1000, 1000, 1 << 30), 0.5);
    CHECK(frequency_of(wild, MAPPING_LOG) > 4 * frequency_of(wild, MAPPING_LINEAR));
    /* A picture of few counts gets the palette's own frequency, in any order. */
    CHECK(frequency_of(strewn(falling(1, 4, 700), 1), MAPPING_LINEAR) == 1);
}

static void check_choices(void) {
    /* The whole set, and places that are not deep, keep the palette's own frequency. */
    CHECK(frequency_of(falling(1, 1, 700), MAPPING_LINEAR) == 1);
    CHECK(frequency_of(falling(30, 5, 2000), MAPPING_LINEAR) == 1);
    CHECK(frequency_of(falling(300, 5, 3000), MAPPING_LINEAR) > 0.9);
    /* The wider the counts are spread the lower it is, but less than in proportion: turns grow
     * slowly. */
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
    /* If counts hardly differ it is higher, within bounds; but not if counts are low. */
    CHECK(frequency_of(even(1000, 1004), MAPPING_LINEAR) > 2);
    CHECK(frequency_of(even(1000, 1000), MAPPING_LINEAR) == 8);
    CHECK(frequency_of(even(1, 5), MAPPING_LINEAR) == 1);
    /* The mapped counts decide. */
    const struct counts wide = falling(10000, 3000, 1000000);
    CHECK(frequency_of(wide, MAPPING_LINEAR) < 0.05);
    CHECK(frequency_of(wide, MAPPING_SQRT) > 4 * frequency_of(wide, MAPPING_LINEAR));
    CHECK(frequency_of(wide, MAPPING_LOG) > frequency_of(wide, MAPPING_SQRT));
    /* Deep counts are relatively close: 20000 from 100000 on, most of them near the least.
     * The few that are far away have no effect. */
    const double deep = frequency_of(falling(100000, 500, 120000), MAPPING_LINEAR);
    CHECK(deep > 0.02 && deep < 0.06);
    CHECK(frequency_of(falling(100000, 500, 100000000), MAPPING_LINEAR) == deep);
    /* Interior pixels have no effect either. */
    struct counts half = even(1000, 1999);
    for (size_t i = half.samples; i < SAMPLES; i++)
        half.count[half.samples++] = SAMPLE_INTERIOR | 7;
    CHECK(frequency_of(half, MAPPING_LINEAR) == frequency_of(even(1000, 1999), MAPPING_LINEAR));
    CHECK(none_says_nothing(BY_COUNT));
}

static double frequency_by(enum colour_by by, struct counts counts) {
    return choose(counts, by, MAPPING_LINEAR).frequency;
}

/* Checks means: the smaller their range, the higher the frequency. */
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
    CHECK(none_says_nothing(BY_STRIPE));
}

static double turns_at(double mapped, const struct auto_frequency_colours *colours) {
    return mapped * colours->frequency / PERIOD + colours->offset;
}

static bool alike(double a, double b) {
    const double apart = a - b;
    return fabs(apart - floor(apart + 0.5)) < 1e-3;
}

static bool judge(struct auto_frequency *a, struct counts counts,
                  struct auto_frequency_colours *now) {
    const struct auto_frequency_choice choice = choose(counts, BY_COUNT, MAPPING_LINEAR);
    return auto_frequency_judge(a, &choice, PERIOD, now, false);
}

static bool equal(const struct auto_frequency_colours *a, const struct auto_frequency_colours *b) {
    return a->frequency == b->frequency && a->offset == b->offset;
}

/* Returns the colours after adaptation has ended. */
static struct auto_frequency_colours settled(struct auto_frequency *a, struct counts counts,
                                             struct auto_frequency_colours now) {
    judge(a, counts, &now);
    auto_frequency_advance(a, INFINITY, &now);
    return now;
}

/* Returns how far colours turn at a count, at most half a turn. */
static double turned(double count, const struct auto_frequency_colours *a,
                     const struct auto_frequency_colours *b) {
    const double apart = turns_at(count, a) - turns_at(count, b);
    return fabs(apart - floor(apart + 0.5));
}

/* Checks the way: the first picture gets its colours at once. Later colours change slowly towards
 * those of the view, those of the lowest counts least. In the end nothing changes. */
static void check_way(void) {
    struct auto_frequency a = {.on = true};
    struct auto_frequency_colours now = {1, 0.25};
    const struct counts home = falling(1, 1, 700), near = falling(10, 40, 700);
    const struct auto_frequency_choice choice = choose(near, BY_COUNT, MAPPING_LINEAR);
    CHECK(!auto_frequency_advance(&a, 10, &now));
    CHECK(!judge(&a, home, &now) && !auto_frequency_changing(&a) && a.judged);
    CHECK(judge(&a, near, &now) && now.frequency == 1 && auto_frequency_changing(&a));
    int steps = 0;
    for (struct auto_frequency_colours last = now; auto_frequency_changing(&a);
         last = now, steps++) {
        CHECK(auto_frequency_advance(&a, 20, &now));
        CHECK(now.frequency < last.frequency && now.frequency >= choice.frequency);
        CHECK(turned(choice.lowest, &now, &last) < 0.01 && turned(1, &now, &last) < 0.01);
    }
    CHECK(steps > 20 && now.frequency == choice.frequency && now.offset >= 0 && now.offset < 1);
    CHECK(alike(turns_at(choice.lowest, &now), 0.25 + choice.lowest / PERIOD));
    CHECK(!auto_frequency_advance(&a, 50, &now) && !judge(&a, near, &now));
    /* An invisible step takes no time. */
    CHECK(judge(&a, falling(10, 40.5, 700), &now) && auto_frequency_advance(&a, 1, &now));
    CHECK(!auto_frequency_changing(&a));
    /* Another view gets its colours at once. */
    auto_frequency_restart(&a);
    CHECK(!a.judged && judge(&a, home, &now) && auto_frequency_advance(&a, 1, &now));
    CHECK(now.frequency == 1 && now.offset == 0.25 && !auto_frequency_changing(&a));
    CHECK(!judge(&a, (struct counts){0}, &now));
}

/* Checks that a place has the same colours whatever came before, and that home gets its old colours
 * back. */
static void check_places(void) {
    const struct counts home = falling(1, 1, 700), deep = falling(1000000, 700, 90000000);
    struct auto_frequency a = {.on = true}, b = {.on = true};
    struct auto_frequency_colours now = {1, 0.25}, other = {1, 0.25};
    const struct auto_frequency_colours there = settled(&a, deep, now);
    other = settled(&b, home, other);
    for (double scale = 1; scale < 5000; scale *= 1.2)
        other = settled(&b, falling((uint32_t)(10 * scale), scale, 1 << 30), other);
    other = settled(&b, deep, other);
    CHECK(equal(&there, &other) && there.frequency < 1);
    for (double scale = 4000; scale > 1; scale /= 1.7)
        other = settled(&b, falling((uint32_t)(7 * scale), scale, 1 << 30), other);
    other = settled(&b, home, other);
    CHECK(other.frequency == 1 && other.offset == 0.25);
    /* An undone step restores its colours. */
    CHECK(!judge(&b, deep, &(struct auto_frequency_colours){there.frequency, there.offset}));
    other = settled(&b, home, there);
    CHECK(other.frequency == 1 && other.offset == 0.25);
    /* If counts grow gradually, colours change gradually. */
    struct auto_frequency_colours last = settled(&a, falling(20, 2, 1 << 30), there);
    for (double grown = 1.05; grown < 1e4; grown *= 1.05) {
        now = settled(&a, falling((uint32_t)(20 * grown), 2 * grown, 1 << 30), last);
        const double low = 20 * grown + 0.2 * grown;
        CHECK(turned(low, &now, &last) < 0.04 && fabs(log2(now.frequency / last.frequency)) < 0.2);
        last = now;
    }
}

/* Checks motion: only a clear difference starts an adaptation, and its goal may change on the
 * way. */
static void check_passing(void) {
    struct auto_frequency a = {.on = true};
    struct auto_frequency_colours now =
        settled(&a, falling(100, 100, 1 << 30), (struct auto_frequency_colours){1, 0});
    const struct counts more = falling(100, 115, 1 << 30), most = falling(100, 200, 1 << 30);
    const struct auto_frequency_choice a_little = choose(more, BY_COUNT, MAPPING_LINEAR);
    const struct auto_frequency_choice much = choose(most, BY_COUNT, MAPPING_LINEAR);
    CHECK(!auto_frequency_judge(&a, &a_little, PERIOD, &now, true));
    CHECK(auto_frequency_judge(&a, &much, PERIOD, &now, true));
    CHECK(auto_frequency_advance(&a, 100, &now) && now.frequency > much.frequency);
    CHECK(!auto_frequency_judge(&a, &much, PERIOD, &now, true) && auto_frequency_changing(&a));
    CHECK(auto_frequency_judge(&a, &a_little, PERIOD, &now, false));
    CHECK(auto_frequency_advance(&a, INFINITY, &now) && now.frequency == a_little.frequency);
}

/* Checks that adaptation continues from colours that were set elsewhere. */
static void check_hands(void) {
    const struct counts wide = falling(10000, 3000, 1000000), home = falling(1, 1, 700);
    struct auto_frequency a = {0};
    struct auto_frequency_colours now = {1, 0};
    CHECK(!judge(&a, wide, &now) && !auto_frequency_changing(&a)); /* switched off */
    CHECK(auto_frequency_own(&a, &now).frequency == 1);
    auto_frequency_switch(&a, true);
    CHECK(judge(&a, wide, &now) && auto_frequency_advance(&a, 100, &now));
    now.offset = fmod(now.offset + 0.5, 1);
    CHECK(!auto_frequency_advance(&a, 100, &now) && !auto_frequency_changing(&a));
    CHECK(judge(&a, wide, &now) && auto_frequency_advance(&a, INFINITY, &now));
    now.offset = fmod(now.offset + 0.125, 1);
    CHECK(judge(&a, home, &now) && auto_frequency_advance(&a, INFINITY, &now));
    /* Both changes of the offset are kept. */
    CHECK(now.frequency == 1 && alike(now.offset, 0.625));
    now = (struct auto_frequency_colours){1, 0.125}; /* another scene */
    CHECK(judge(&a, wide, &now) && auto_frequency_advance(&a, INFINITY, &now));
    CHECK(judge(&a, home, &now) && auto_frequency_advance(&a, INFINITY, &now) &&
          now.offset == 0.125);
    CHECK(judge(&a, wide, &now));
    auto_frequency_switch(&a, false);
    CHECK(!auto_frequency_advance(&a, 100, &now) && now.frequency == 1);
}

int main(void) {
    check_choices();
    check_calm();
    check_means();
    check_way();
    check_places();
    check_passing();
    check_hands();
    return failures > 0;
}
