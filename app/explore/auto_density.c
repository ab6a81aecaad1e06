/* Chooses the colour frequency from the histogram of a complete picture, and goes there. */
#include "app/explore/auto_density.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Mapped counts: with the palette's own frequency four fifths of the picture may lie within MANY, which
 * are two thirds of a turn of most palettes; MORE for each doubling of what they lie within. Nearly all of
 * it is not to lie within FEW, nor within a part of the median. */
#define MANY           64.0
#define MORE           29.0
#define FEW            24.0
#define FEW_OF_MEDIAN  0.25
#define FREQUENCY_MOST 8.0
#define MEANS          2.5 /* of means: that frequency by the part that counts differ by, to this power, */
#define MEANS_POWER    1.45
#define MEANS_LEAST    2.0 /* from there on */
#define MEANS_MOST     8000.0
#define MEAN           128.0 /* about what they are, mapped */
#define WRONG          1.5   /* times what it should be, or the reverse */
#define OWN            1.0   /* the palette's */

/* --- what a picture says --- */

static double mapped(double count, enum colour_mapping mapping) {
    const uint64_t phase = (uint64_t)(count * 65536);
    if (mapping == MAPPING_LINEAR)
        return count;
    return (double)(mapping == MAPPING_SQRT ? colour_map_sqrt(phase) : colour_map_log(phase)) /
           65536;
}

/* Parts of the escaped pixels, and within which parts of the range from the least count to the most they
 * lie at least, wherever there is structure: deep down buckets are too wide to tell. */
static const struct part {
    double pixels, range;
} lowest = {0.02, 0.01}, low = {0.1, 0.03}, middle = {0.5, 0.15}, high = {0.9, 0.28},
  highest = {0.98, 0.42};

/* The count that this part has, or less; within a bucket they are taken as spread evenly. */
static double by_buckets(const struct statistics *s, double part) {
    double left = part * (double)(s->pixels - s->interior);
    for (unsigned b = statistics_bucket(s->least); b <= statistics_bucket(s->most); b++) {
        const double begin = fmax(statistics_bucket_least(b), s->least);
        const double end = fmin(statistics_bucket_least(b + 1), s->most + 1.0);
        const double pixels = (double)s->histogram[b];
        if (left <= pixels && pixels > 0)
            return begin + (end - begin) * left / pixels;
        left -= pixels;
    }
    return s->most;
}

static double quantile(const struct statistics *s, const struct part *part) {
    const double range = (double)s->most - s->least;
    return fmin(by_buckets(s, part->pixels), s->least + part->range * range);
}

static double between(const struct statistics *s, enum colour_mapping mapping,
                      const struct part *from, const struct part *to) {
    return mapped(quantile(s, to), mapping) - mapped(quantile(s, from), mapping);
}

/* Short numbers, so that files tell them exactly. */
static double rounded(const char *format, double x) {
    char text[40];
    snprintf(text, sizeof text, format, x);
    return strtod(text, NULL);
}

static struct auto_density_choice choose_means(const struct statistics *s) {
    const double apart = quantile(s, &high) - quantile(s, &low);
    const double part = fmax(apart, 1) / fmax(quantile(s, &middle), 1);
    const double frequency = fmin(MEANS * pow(part, -MEANS_POWER), MEANS_MOST);
    return (struct auto_density_choice){frequency < MEANS_LEAST ? OWN : rounded("%.2g", frequency),
                                        MEAN};
}

struct auto_density_choice auto_density_choose(const struct statistics *s, enum colour_by by,
                                               enum colour_mapping mapping) {
    struct auto_density_choice choice = {0};
    if (s->least > s->most)
        return choice;
    if (by_scale(by) == SCALE_MEAN)
        return choose_means(s);
    if (by != BY_COUNT)
        return (struct auto_density_choice){.frequency = OWN};
    choice.median = mapped(quantile(s, &middle), mapping);
    const double most = between(s, mapping, &low, &high);
    const double all = between(s, mapping, &lowest, &highest);
    const double few = fmin(FEW, FEW_OF_MEDIAN * choice.median);
    double frequency = OWN;
    if (most > MANY)
        frequency = (MANY + MORE * colour_log2(most / MANY)) / most;
    else if (all < few)
        frequency = fmin(few / fmax(all, 1), FREQUENCY_MOST);
    choice.frequency = rounded("%.2g", frequency);
    return choice;
}

/* --- from picture to picture --- */

void auto_density_switch(struct auto_density *automatic, bool on) {
    *automatic = (struct auto_density){.on = on};
}

/* Within half a turn. */
static double shortest(double turns) {
    return turns - floor(turns + 0.5);
}

static double turn(double offset) {
    const double part = rounded("%.4f", offset - floor(offset));
    return part < 1 ? part : 0;
}

static bool same(const struct auto_density_colours *a, const struct auto_density_colours *b) {
    return a->frequency == b->frequency && a->offset == b->offset;
}

/* What was set elsewhere is where it goes on from. */
static void follow(struct auto_density *automatic, const struct auto_density_colours *now) {
    const struct auto_density_colours at = automatic->at;
    if (automatic->begun && same(&at, now))
        return;
    if (!automatic->begun || now->frequency == OWN)
        automatic->offset = now->offset;
    else if (now->frequency == at.frequency)
        automatic->offset = turn(automatic->offset + now->offset - at.offset);
    automatic->begun = true;
    automatic->at = *now;
    automatic->left_ms = 0;
}

/* The palette's own frequency, where it does well, has the colours that it always had. */
static bool is_wrong(const struct auto_density_choice *choice, double frequency) {
    const double ratio = frequency / choice->frequency;
    return ratio > WRONG || ratio < 1 / WRONG || (choice->frequency == OWN && frequency != OWN);
}

bool auto_density_judge(struct auto_density *automatic, const struct auto_density_choice *choice,
                        double period, const struct auto_density_colours *now) {
    if (!automatic->on)
        return false;
    follow(automatic, now);
    const double aim = automatic->left_ms > 0 ? automatic->to.frequency : now->frequency;
    if (choice->frequency == 0 || !is_wrong(choice, aim))
        return false;
    const double per_frequency = choice->median / period;
    const double kept = now->offset + per_frequency * (now->frequency - choice->frequency);
    automatic->from = *now;
    automatic->per_frequency = per_frequency;
    automatic->to.frequency = choice->frequency;
    automatic->to.offset = choice->frequency == OWN ? automatic->offset : turn(kept);
    automatic->turns = shortest(automatic->to.offset - kept);
    automatic->left_ms = AUTO_DENSITY_MS;
    return true;
}

static void go(struct auto_density *automatic, double part) {
    const struct auto_density_colours *from = &automatic->from, *to = &automatic->to;
    struct auto_density_colours *at = &automatic->at;
    at->frequency = from->frequency * pow(to->frequency / from->frequency, part);
    at->offset = turn(from->offset + part * automatic->turns +
                      automatic->per_frequency * (from->frequency - at->frequency));
    if (part >= 1)
        *at = *to;
}

struct auto_density_colours auto_density_own(const struct auto_density *automatic,
                                             const struct auto_density_colours *now) {
    return automatic->begun ? (struct auto_density_colours){OWN, automatic->offset} : *now;
}

bool auto_density_goes(const struct auto_density *automatic) {
    return automatic->on && automatic->left_ms > 0;
}

bool auto_density_advance(struct auto_density *automatic, double ms,
                          struct auto_density_colours *now) {
    if (!auto_density_goes(automatic) || !(ms > 0))
        return false;
    if (!same(&automatic->at, now)) { /* a hand has been there */
        automatic->left_ms = 0;
        return false;
    }
    automatic->left_ms = fmax(automatic->left_ms - ms, 0);
    go(automatic, 1 - automatic->left_ms / AUTO_DENSITY_MS);
    *now = automatic->at;
    return true;
}
