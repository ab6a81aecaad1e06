/* Colours that adapt: which frequency they choose for a picture's counts, and how they get there from
 * picture to picture. */
#include "app/explore/auto_frequency.h"
#include "tests/shared/check.h"
#include <math.h>

#define PERIOD  96.0
#define SAMPLES 4000

/* A picture's counts. */
struct counts {
    size_t samples;
    uint32_t count[SAMPLES];
};

/* Counts from `least` on, as far apart as 1/x: a few are far off. They rise from a row's ends to its middle. */
static struct counts falling(uint32_t least, double scale, uint32_t most) {
    struct counts counts = {.samples = SAMPLES};
    for (int i = 0; i < SAMPLES; i++) {
        const int rank = i < SAMPLES / 2 ? SAMPLES - 1 - 2 * i : 2 * i - SAMPLES;
        const double at = (rank + 0.5) / SAMPLES;
        counts.count[i] = (uint32_t)fmin(least + scale * (1 / at - 1), most);
    }
    return counts;
}

/* The same counts, of which each in a part of the row is where chance has it. */
static struct counts strewn(struct counts counts, double part) {
    const struct counts before = counts;
    const size_t number = (size_t)(part * (double)counts.samples);
    for (size_t i = 0; i < number; i++)
        counts.count[i] = before.count[i * 1237 % number];
    return counts;
}

/* As many of each count. */
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

/* Nothing escapes, or there is nothing. */
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

/* How many counts neighbours' colours are apart, where half a turn is the most. */
static double grit(const struct counts *counts, double frequency) {
    double sum = 0;
    for (size_t i = 1; i < counts->samples; i++) {
        const double apart = fabs((double)counts->count[i] - (double)counts->count[i - 1]);
        sum += fmin(frequency * apart, PERIOD / 2);
    }
    return sum / (double)(counts->samples - 1);
}

/* The denser a picture is the lower is the frequency, so that neighbours are near each other in colour, but most of it has
 * half a turn. */
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
    /* Columns count as rows do, and what does not escape has no colour. */
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
    /* Mapped, neighbours are nearer each other. */
    const struct counts wild = strewn(falling(1000, 1000, 1 << 30), 0.5);
    CHECK(frequency_of(wild, MAPPING_LOG) > 4 * frequency_of(wild, MAPPING_LINEAR));
    /* A picture of few counts has the palette's own, however they lie. */
    CHECK(frequency_of(strewn(falling(1, 4, 700), 1), MAPPING_LINEAR) == 1);
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
    const struct counts wide = falling(10000, 3000, 1000000);
    CHECK(frequency_of(wide, MAPPING_LINEAR) < 0.05);
    CHECK(frequency_of(wide, MAPPING_SQRT) > 4 * frequency_of(wide, MAPPING_LINEAR));
    CHECK(frequency_of(wide, MAPPING_LOG) > frequency_of(wide, MAPPING_SQRT));
    /* Deep down all counts are near each other: 20000 from 100000 on, most of them near the least. The few that are far
     * off say nothing, */
    const double deep = frequency_of(falling(100000, 500, 120000), MAPPING_LINEAR);
    CHECK(deep > 0.02 && deep < 0.06);
    CHECK(frequency_of(falling(100000, 500, 100000000), MAPPING_LINEAR) == deep);
    /* nor does what does not escape. */
    struct counts half = even(1000, 1999);
    for (size_t i = half.samples; i < SAMPLES; i++)
        half.count[half.samples++] = SAMPLE_INTERIOR | 7;
    CHECK(frequency_of(half, MAPPING_LINEAR) == frequency_of(even(1000, 1999), MAPPING_LINEAR));
    CHECK(none_says_nothing(BY_COUNT));
}

static double frequency_by(enum colour_by by, struct counts counts) {
    return choose(counts, by, MAPPING_LINEAR).frequency;
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

/* Colours as they are in the end. */
static struct auto_frequency_colours settled(struct auto_frequency *a, struct counts counts,
                                             struct auto_frequency_colours now) {
    judge(a, counts, &now);
    auto_frequency_advance(a, INFINITY, &now);
    return now;
}

/* How far they turn at a count, at most half a turn. */
static double turned(double count, const struct auto_frequency_colours *a,
                     const struct auto_frequency_colours *b) {
    const double apart = turns_at(count, a) - turns_at(count, b);
    return fabs(apart - floor(apart + 0.5));
}

/* What is seen first has its colours at once. Then they go slowly to where the view has them, and the lowest counts'
 * least of all; in the end all is quiet. */
static void check_way(void) {
    struct auto_frequency a = {.on = true};
    struct auto_frequency_colours now = {1, 0.25};
    const struct counts home = falling(1, 1, 700), near = falling(10, 40, 700);
    const struct auto_frequency_choice choice = choose(near, BY_COUNT, MAPPING_LINEAR);
    CHECK(!auto_frequency_advance(&a, 10, &now));
    CHECK(!judge(&a, home, &now) && !auto_frequency_goes(&a) && a.judged);
    CHECK(judge(&a, near, &now) && now.frequency == 1 && auto_frequency_goes(&a));
    int steps = 0;
    for (struct auto_frequency_colours last = now; auto_frequency_goes(&a); last = now, steps++) {
        CHECK(auto_frequency_advance(&a, 20, &now));
        CHECK(now.frequency < last.frequency && now.frequency >= choice.frequency);
        CHECK(turned(choice.lowest, &now, &last) < 0.01 && turned(1, &now, &last) < 0.01);
    }
    CHECK(steps > 20 && now.frequency == choice.frequency && now.offset >= 0 && now.offset < 1);
    CHECK(alike(turns_at(choice.lowest, &now), 0.25 + choice.lowest / PERIOD));
    CHECK(!auto_frequency_advance(&a, 50, &now) && !judge(&a, near, &now));
    /* A step that nobody sees takes no time, */
    CHECK(judge(&a, falling(10, 40.5, 700), &now) && auto_frequency_advance(&a, 1, &now));
    CHECK(!auto_frequency_goes(&a));
    /* and another view has its colours at once. */
    auto_frequency_restart(&a);
    CHECK(!a.judged && judge(&a, home, &now) && auto_frequency_advance(&a, 1, &now));
    CHECK(now.frequency == 1 && now.offset == 0.25 && !auto_frequency_goes(&a));
    CHECK(!judge(&a, (struct counts){0}, &now));
}

/* Wherever one was before, a place has the same colours, and home those that it had. */
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
    /* An undone step brings its colours along. */
    CHECK(!judge(&b, deep, &(struct auto_frequency_colours){there.frequency, there.offset}));
    other = settled(&b, home, there);
    CHECK(other.frequency == 1 && other.offset == 0.25);
    /* Where counts grow little by little, colours do, too. */
    struct auto_frequency_colours last = settled(&a, falling(20, 2, 1 << 30), there);
    for (double grown = 1.05; grown < 1e4; grown *= 1.05) {
        now = settled(&a, falling((uint32_t)(20 * grown), 2 * grown, 1 << 30), last);
        const double low = 20 * grown + 0.2 * grown;
        CHECK(turned(low, &now, &last) < 0.04 && fabs(log2(now.frequency / last.frequency)) < 0.2);
        last = now;
    }
}

/* In motion only what differs clearly is gone to, and what is gone to may change on the way. */
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
    CHECK(!auto_frequency_judge(&a, &much, PERIOD, &now, true) && auto_frequency_goes(&a));
    CHECK(auto_frequency_judge(&a, &a_little, PERIOD, &now, false));
    CHECK(auto_frequency_advance(&a, INFINITY, &now) && now.frequency == a_little.frequency);
}

/* What was set elsewhere is where it goes on from. */
static void check_hands(void) {
    const struct counts wide = falling(10000, 3000, 1000000), home = falling(1, 1, 700);
    struct auto_frequency a = {0};
    struct auto_frequency_colours now = {1, 0};
    CHECK(!judge(&a, wide, &now) && !auto_frequency_goes(&a)); /* it is off */
    CHECK(auto_frequency_own(&a, &now).frequency == 1);
    auto_frequency_switch(&a, true);
    CHECK(judge(&a, wide, &now) && auto_frequency_advance(&a, 100, &now));
    now.offset = fmod(now.offset + 0.5, 1);
    CHECK(!auto_frequency_advance(&a, 100, &now) && !auto_frequency_goes(&a));
    CHECK(judge(&a, wide, &now) && auto_frequency_advance(&a, INFINITY, &now));
    now.offset = fmod(now.offset + 0.125, 1);
    CHECK(judge(&a, home, &now) && auto_frequency_advance(&a, INFINITY, &now));
    CHECK(now.frequency == 1 && alike(now.offset, 0.625)); /* both are kept */
    now = (struct auto_frequency_colours){1, 0.125};       /* another scene */
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
