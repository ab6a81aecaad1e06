/* Automatic colour frequency: chooses frequency and offset from the counts of a small picture, and
 * changes to them. */
#include "app/explore/auto_frequency.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Ranges are in mapped counts, multiplied by the frequency. Four fifths of the picture may lie
 * within MANY, two thirds of a turn of most palettes, and within MORE for each doubling of their
 * range. Nearly all of the picture is spread at least over FEW, or over FEW_OF_MEDIAN of the median
 * if that is less. If neighbours differ by more than CALM on average, the frequency is lower, but
 * four fifths of the picture keep HALF_TURN. */
#define MANY             64.0
#define MORE             29.0
#define FEW              24.0
#define FEW_OF_MEDIAN    0.25
#define FREQUENCY_MOST   8.0
#define HALF_TURN        48.0   /* of most palettes */
#define CALM             8.0    /* mean difference of neighbours; each counts up to HALF_TURN */
#define MEANS            2.5    /* frequency of means = MEANS * relative difference^-MEANS_POWER */
#define MEANS_POWER      1.45   /* see MEANS */
#define MEANS_LEAST      2.0    /* a lower frequency of means becomes the palette's own */
#define MEANS_MOST       8000.0 /* maximum frequency of means */
#define MEAN             128.0  /* typical mean, mapped */
#define OWN              1.0    /* the palette's own frequency */
#define SIDE_LEAST       8      /* [samples] minimum side of the small picture */
#define HALVINGS         20     /* steps of a bisection, to a millionth */
#define LOWEST           0.02   /* quantiles of the escaped samples' counts */
#define LOW              0.1
#define HIGH             0.9
#define HIGHEST          0.98
#define OCTAVES_A_SECOND 0.7  /* speed of a change of the frequency */
#define TURNS_A_SECOND   0.15 /* speed of a change of the lowest counts' colour */
#define NEAR             0.02 /* octaves and turns; smaller changes happen at once */
#define CLEARLY          0.35 /* octaves of a clear difference */
#define CLEARLY_TURNED   0.1  /* turns of a clear difference */
#define SOON_MS          1.0  /* duration of a change that happens at once */

/* --- the choice for a picture --- */

static double mapped(double count, enum colour_mapping mapping) {
    const uint64_t phase = (uint64_t)(count * 65536);
    if (mapping == MAPPING_LINEAR)
        return count;
    return (double)(mapping == MAPPING_SQRT ? colour_map_sqrt(phase) : colour_map_log(phase)) /
           65536;
}

/* Sorted counts of the escaped samples. */
struct counts {
    size_t number;
    uint32_t count[AUTO_FREQUENCY_SIDE * AUTO_FREQUENCY_SIDE];
};

static int by_count(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort(struct counts *counts, const struct glimpse *glimpse) {
    counts->number = 0;
    for (size_t i = 0; i < glimpse->samples; i++)
        if (!(glimpse->count[i] & SAMPLE_INTERIOR))
            counts->count[counts->number++] = glimpse->count[i];
    qsort(counts->count, counts->number, sizeof *counts->count, by_count);
}

/* Returns the quantile of the counts. Equal counts are treated as spread evenly up to the next
 * count. */
static double quantile(const struct counts *counts, double part) {
    const double rank = part * (double)counts->number;
    const uint32_t count = counts->count[(size_t)rank];
    size_t from = (size_t)rank, to = (size_t)rank;
    while (from > 0 && counts->count[from - 1] == count)
        from--;
    while (to < counts->number && counts->count[to] == count)
        to++;
    return count + (rank - (double)from) / (double)(to - from);
}

static double mapped_range(const struct counts *counts, enum colour_mapping mapping, double from,
                           double to) {
    return mapped(quantile(counts, to), mapping) - mapped(quantile(counts, from), mapping);
}

/* Differences of mapped counts between neighbours in a row or a column that have both escaped. */
struct differences {
    size_t number;
    float difference[2 * AUTO_FREQUENCY_SIDE * AUTO_FREQUENCY_SIDE];
};

static void add_difference(struct differences *differences, uint32_t a, uint32_t b,
                           enum colour_mapping mapping) {
    if (!((a | b) & SAMPLE_INTERIOR))
        differences->difference[differences->number++] =
            (float)fabs(mapped(a, mapping) - mapped(b, mapping));
}

static void compare(struct differences *differences, const struct glimpse *glimpse,
                    enum colour_mapping mapping) {
    const uint32_t *count = glimpse->count;
    const size_t width = glimpse->width;
    differences->number = 0;
    for (size_t i = 0; i < glimpse->samples; i++) {
        if (i % width > 0)
            add_difference(differences, count[i - 1], count[i], mapping);
        if (i >= width)
            add_difference(differences, count[i - width], count[i], mapping);
    }
}

static double mean_difference(const struct differences *differences, double frequency) {
    double sum = 0;
    for (size_t i = 0; i < differences->number; i++)
        sum += fmin(frequency * (double)differences->difference[i], HALF_TURN);
    return sum / fmax((double)differences->number, 1);
}

/* Returns the highest frequency up to `most` with a mean difference of at most CALM. */
static double calm_frequency(const struct glimpse *glimpse, enum colour_mapping mapping,
                             double most) {
    struct differences differences;
    compare(&differences, glimpse, mapping);
    if (mean_difference(&differences, most) <= CALM)
        return most;
    double calm = 0, grit = most;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (calm + grit) / 2;
        if (mean_difference(&differences, middle) <= CALM)
            calm = middle;
        else
            grit = middle;
    }
    return calm;
}

/* Rounds to a short number, which files store exactly. */
static double rounded(const char *format, double x) {
    char text[40];
    snprintf(text, sizeof text, format, x);
    return strtod(text, NULL);
}

static struct auto_frequency_choice choose_means(const struct counts *counts) {
    const double apart = quantile(counts, HIGH) - quantile(counts, LOW);
    const double part = fmax(apart, 1) / fmax(quantile(counts, 0.5), 1);
    const double frequency = fmin(MEANS * pow(part, -MEANS_POWER), MEANS_MOST);
    return (struct auto_frequency_choice){
        frequency < MEANS_LEAST ? OWN : rounded("%.2g", frequency), MEAN, MEAN};
}

/* Returns the mapped count whose colour the lowest counts get. Up to MANY the result is the lowest
 * count itself. Above MANY the result is the integral of the frequency along a zoom in which the
 * spread of the counts equals their height. Each count therefore keeps its colour in such a
 * zoom. */
static double colour_of_lowest(double count) {
    const double octaves = colour_log2(fmax(count / MANY, 1));
    return fmin(count, MANY) + log(2) * octaves * (MANY + MORE / 2 * octaves);
}

void auto_frequency_size(int width_px, int height_px, int *width, int *height) {
    const double aspect = (double)width_px / height_px, most = AUTO_FREQUENCY_SIDE;
    *width = (int)fmax(round(fmin(most * aspect, most)), SIDE_LEAST);
    *height = (int)fmax(round(fmin(most / aspect, most)), SIDE_LEAST);
}

struct auto_frequency_choice auto_frequency_choose(const struct glimpse *glimpse, enum colour_by by,
                                                   enum colour_mapping mapping) {
    struct auto_frequency_choice choice = {0};
    struct counts counts;
    sort(&counts, glimpse);
    if (counts.number == 0)
        return choice;
    if (by_scale(by) == SCALE_MEAN)
        return choose_means(&counts);
    if (by != BY_COUNT)
        return (struct auto_frequency_choice){.frequency = OWN};
    choice.lowest = mapped(quantile(&counts, LOW), mapping);
    choice.colour = colour_of_lowest(choice.lowest);
    const double most = mapped_range(&counts, mapping, LOW, HIGH);
    const double all = mapped_range(&counts, mapping, LOWEST, HIGHEST);
    const double few = fmin(FEW, FEW_OF_MEDIAN * mapped(quantile(&counts, 0.5), mapping));
    double frequency = OWN;
    if (most > MANY)
        frequency = (MANY + MORE * colour_log2(most / MANY)) / most;
    else if (all < few)
        frequency = fmin(few / fmax(all, 1), FREQUENCY_MOST);
    if (most > HALF_TURN)
        frequency = fmax(calm_frequency(glimpse, mapping, frequency), HALF_TURN / most);
    choice.frequency = rounded("%.2g", frequency);
    return choice;
}

/* --- from picture to picture --- */

void auto_frequency_switch(struct auto_frequency *automatic, bool on) {
    *automatic = (struct auto_frequency){.on = on, .goes_on = true};
}

/* Returns the turns within half a turn. */
static double shortest(double turns) {
    return turns - floor(turns + 0.5);
}

static double round_turns(double offset) {
    const double part = rounded("%.4f", offset - floor(offset));
    return part < 1 ? part : 0;
}

static bool same(const struct auto_frequency_colours *a, const struct auto_frequency_colours *b) {
    return a->frequency == b->frequency && a->offset == b->offset;
}

/* Returns the colours of a choice. */
static struct auto_frequency_colours target_colours(const struct auto_frequency *automatic,
                                                    const struct auto_frequency_choice *choice,
                                                    double period) {
    const double moved = choice->colour - choice->lowest * choice->frequency;
    return (struct auto_frequency_colours){choice->frequency,
                                           round_turns(automatic->offset + moved / period)};
}

double auto_frequency_offset(const struct auto_frequency *automatic,
                             const struct auto_frequency_colours *now) {
    const struct auto_frequency_colours at = automatic->at;
    if (!automatic->begun)
        return now->offset;
    if (now->frequency == at.frequency && now->offset != at.offset)
        return round_turns(automatic->offset + now->offset - at.offset);
    return now->frequency == OWN && !same(&at, now) ? now->offset : automatic->offset;
}

double auto_frequency_offset_by(double offset, double from, double to) {
    return from == to ? offset : round_turns(offset + to - from);
}

/* Continues from colours that were set elsewhere. The chosen colours themselves, which an undone
 * step has, keep the offset. */
static void adopt_colours(struct auto_frequency *automatic,
                          const struct auto_frequency_choice *choice, double period,
                          const struct auto_frequency_colours *now) {
    const struct auto_frequency_colours at = automatic->at;
    if (automatic->begun && same(&at, now))
        return;
    const struct auto_frequency_colours aim = target_colours(automatic, choice, period);
    if (!automatic->begun || !same(&aim, now))
        automatic->offset = auto_frequency_offset(automatic, now);
    automatic->begun = true;
    automatic->at = *now;
    automatic->left_ms = 0;
}

void auto_frequency_restart(struct auto_frequency *automatic) {
    automatic->goes_on = automatic->judged = false;
}

/* Distance between two pairs of frequency and offset. */
struct distance {
    double octaves; /* of the frequency */
    double turns;   /* of the lowest counts' colour */
};

static struct distance distance_between(const struct auto_frequency_colours *from,
                                        const struct auto_frequency_colours *to,
                                        double per_frequency) {
    const double moved = to->offset - from->offset;
    return (struct distance){
        log2(to->frequency / from->frequency),
        shortest(moved + per_frequency * (to->frequency - from->frequency)),
    };
}

static bool is_shorter(const struct distance *way, double octaves, double turns) {
    return fabs(way->octaves) < octaves && fabs(way->turns) < turns;
}

/* Begins a change from the present colours, at the highest allowed speed. */
static void begin_change(struct auto_frequency *automatic, const struct auto_frequency_colours *to,
                         double per_frequency, bool at_once) {
    const struct distance way = distance_between(&automatic->at, to, per_frequency);
    const double seconds =
        fmax(fabs(way.octaves) / OCTAVES_A_SECOND, fabs(way.turns) / TURNS_A_SECOND);
    at_once = at_once || is_shorter(&way, NEAR, NEAR);
    automatic->from = automatic->at;
    automatic->to = *to;
    automatic->per_frequency = per_frequency;
    automatic->turns = way.turns;
    automatic->all_ms = at_once ? SOON_MS : fmin(1e3 * seconds, AUTO_FREQUENCY_MS);
    automatic->left_ms = automatic->all_ms;
}

bool auto_frequency_judge(struct auto_frequency *automatic,
                          const struct auto_frequency_choice *choice, double period,
                          const struct auto_frequency_colours *now, bool passing) {
    automatic->judged = true;
    if (!automatic->on || choice->frequency == 0)
        return false;
    adopt_colours(automatic, choice, period, now);
    const struct auto_frequency_colours aim = target_colours(automatic, choice, period);
    const struct auto_frequency_colours *last = automatic->left_ms > 0 ? &automatic->to : now;
    const double per_frequency = choice->lowest / period;
    const struct distance more = distance_between(last, &aim, per_frequency);
    const bool first = !automatic->goes_on;
    automatic->goes_on = true;
    if (same(&aim, last) || (passing && !first && is_shorter(&more, CLEARLY, CLEARLY_TURNED)))
        return false;
    begin_change(automatic, &aim, per_frequency, first);
    return true;
}

static void set_colours(struct auto_frequency *automatic, double part) {
    const struct auto_frequency_colours *from = &automatic->from, *to = &automatic->to;
    struct auto_frequency_colours *at = &automatic->at;
    at->frequency = from->frequency * pow(to->frequency / from->frequency, part);
    at->offset = round_turns(from->offset + part * automatic->turns +
                             automatic->per_frequency * (from->frequency - at->frequency));
    if (part >= 1)
        *at = *to;
}

struct auto_frequency_colours auto_frequency_own(const struct auto_frequency *automatic,
                                                 const struct auto_frequency_colours *now) {
    return automatic->begun ? (struct auto_frequency_colours){OWN, automatic->offset} : *now;
}

bool auto_frequency_changing(const struct auto_frequency *automatic) {
    return automatic->on && automatic->left_ms > 0;
}

bool auto_frequency_advance(struct auto_frequency *automatic, double ms,
                            struct auto_frequency_colours *now) {
    if (!auto_frequency_changing(automatic) || !(ms > 0))
        return false;
    if (!same(&automatic->at, now)) { /* the user has changed the colours */
        automatic->left_ms = 0;
        return false;
    }
    automatic->left_ms = fmax(automatic->left_ms - ms, 0);
    set_colours(automatic, 1 - automatic->left_ms / automatic->all_ms);
    *now = automatic->at;
    return true;
}
