/* Race: runs racers in rounds, and keeps growing arrays of their times. */
#include "lab/report/race.h"
#include "render/base/clock.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool run_once(struct racer *racer, bool timed) {
    double ms[1 + RACE_NOTES] = {NAN, NAN, NAN, NAN};
    const double start = clock_ms();
    if (!racer->run(racer->user, ms)) {
        racer->failed = true;
        return false;
    }
    if (timed)
        series_add(&racer->ms, isnan(*ms) ? clock_ms() - start : *ms);
    for (int i = 0; timed && i < RACE_NOTES; i++)
        series_add(&racer->notes[i], ms[1 + i]);
    return true;
}

static double spent(const struct racer *racer) {
    double sum = 0;
    for (size_t i = 0; i < racer->ms.count; i++)
        sum += racer->ms.values[i];
    return sum;
}

bool race(struct racer *racers, int count, bool warm_up, const struct race_rules *rules) {
    bool ok = true;
    for (int repeat = warm_up ? -1 : 0; repeat < rules->repeats; repeat++)
        for (int i = 0; i < count; i++) {
            if (rules->stop())
                return false;
            if (racers[i].failed || (repeat > 0 && spent(&racers[i]) >= rules->budget_ms))
                continue;
            if (rules->progress)
                rules->progress(racers[i].name, repeat + 1, rules->repeats);
            ok = run_once(&racers[i], repeat >= 0) && ok;
        }
    return ok;
}

void race_finish(struct racer *racers, int count) {
    for (int i = 0; i < count; i++) {
        series_finish(&racers[i].ms);
        for (int k = 0; k < RACE_NOTES; k++)
            series_finish(&racers[i].notes[k]);
    }
}

double race_ratio(const struct racer *racer, const struct racer *other) {
    struct series ratios = {0};
    for (size_t i = 0; i < racer->ms.count && i < other->ms.count; i++)
        series_add(&ratios, other->ms.values[i] / racer->ms.values[i]);
    const double median = series_median(&ratios);
    series_finish(&ratios);
    return median;
}

void series_add(struct series *series, double value) {
    if (isnan(value))
        return;
    if (series->count == series->capacity) {
        const size_t capacity = series->capacity ? 2 * series->capacity : 16;
        double *values = realloc(series->values, capacity * sizeof *values);
        if (!values)
            return;
        series->values = values;
        series->capacity = capacity;
    }
    series->values[series->count++] = value;
}

void series_finish(struct series *series) {
    free(series->values);
    *series = (struct series){0};
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double series_quantile(const struct series *series, double share) {
    double *sorted = series->count ? malloc(series->count * sizeof *sorted) : NULL;
    if (!sorted)
        return NAN;
    memcpy(sorted, series->values, series->count * sizeof *sorted);
    qsort(sorted, series->count, sizeof *sorted, ascending);
    const double place = share * (double)(series->count - 1);
    const size_t below = (size_t)place;
    const size_t above = below + 1 < series->count ? below + 1 : below;
    const double value = sorted[below] + (place - (double)below) * (sorted[above] - sorted[below]);
    free(sorted);
    return value;
}
