/* Repeated measurements of one thing. */
#ifndef FATHOM_LAB_BENCH_SERIES_H
#define FATHOM_LAB_BENCH_SERIES_H

#include <stddef.h>

struct series {
    double *values;
    size_t count, capacity;
};

/* NaN is not added, nor what there is no memory for. */
void series_add(struct series *series, double value);
void series_finish(struct series *series);
double series_mean(const struct series *series); /* NaN when there is none */
/* The value below which the share 0 <= `share` <= 1 lies, interpolated between neighbours; NaN when
 * there is none. Sorts a copy. */
double series_quantile(const struct series *series, double share);
static inline double series_median(const struct series *series) {
    return series_quantile(series, 0.5);
}

#endif
