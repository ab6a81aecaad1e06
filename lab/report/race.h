/* Timing several programs that do the same job: they take turns, so that a clock or a neighbour
 * that drifts hits them alike. */
#ifndef FATHOM_LAB_REPORT_RACE_H
#define FATHOM_LAB_REPORT_RACE_H

#include <stdbool.h>
#include <stddef.h>

/* Repeated measurements of one thing. */
struct series {
    double *values;
    size_t count, capacity;
};

/* NaN is not added, nor what there is no memory for. */
void series_add(struct series *series, double value);
void series_finish(struct series *series);
/* The value below which the share 0 <= `share` <= 1 lies, interpolated between neighbours; NaN when
 * there is none. Sorts a copy. */
double series_quantile(const struct series *series, double share);
static inline double series_median(const struct series *series) {
    return series_quantile(series, 0.5);
}

#define RACE_NOTES 3

struct race_rules {
    int repeats;      /* at most so often, from 1 */
    double budget_ms; /* a racer that has taken so long in all is not run again */
    bool (*stop)(void);
    /* Before each run, 0 being the warm-up; may be NULL. */
    void (*progress)(const char *what, int repeat, int repeats);
};

struct racer {
    const char *name;
    /* Does the job once. *ms is NaN, and the time of the call is taken, unless it puts one there.
     * What it puts after that is kept as notes. False: failed, logged why; the racer is out. */
    bool (*run)(void *user, double *ms);
    void *user;
    struct series ms, notes[RACE_NOTES]; /* out */
    bool failed;                         /* out */
};

/* Runs all, `warm_up` once before without taking the time. Earlier series are kept and added to.
 * False: stopped, or one failed. Pairs with race_finish. */
bool race(struct racer *racers, int count, bool warm_up, const struct race_rules *rules);
void race_finish(struct racer *racers, int count);

static inline double race_median(const struct racer *racer) { /* NaN: never ran */
    return series_median(&racer->ms);
}
/* How many times as fast as `other`: the median over the rounds that both ran in. */
double race_ratio(const struct racer *racer, const struct racer *other);

#endif
