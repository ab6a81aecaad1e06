/* Growing arrays and their quantiles. */
#include "lab/bench/series.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

double series_mean(const struct series *series) {
    double sum = 0;
    for (size_t i = 0; i < series->count; i++)
        sum += series->values[i];
    return series->count ? sum / (double)series->count : NAN;
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
