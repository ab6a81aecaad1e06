/* Race: times several programs that do the same job. They take turns, so that changes of the clock
 * or of other load affect all alike. */
#ifndef FATHOM_LAB_REPORT_RACE_H
#define FATHOM_LAB_REPORT_RACE_H

#include <stdbool.h>
#include <stddef.h>

/* Repeated measurements of one quantity. */
struct series {
    double *values;
    size_t count, capacity;
};

/* Adds a value. Ignores NaN, and drops the value without memory. */
void series_add(struct series *series, double value);
void series_finish(struct series *series);
/* Returns the value below which the given share of values lies, 0 <= `share` <= 1, interpolated
 * between neighbours. Returns NaN if there are none. Sorts a copy. */
double series_quantile(const struct series *series, double share);
static inline double series_median(const struct series *series) {
    return series_quantile(series, 0.5);
}

#define RACE_NOTES 3

struct race_rules {
    int repeats;      /* maximum number of runs, from 1 */
    double budget_ms; /* [ms] a racer that has run for longer in total is not run again */
    bool (*stop)(void);
    /* Called before each run, with repeat 0 for the warm-up. May be NULL. */
    void (*progress)(const char *what, int repeat, int repeats);
};

struct racer {
    const char *name;
    /* Does the job once. *ms is NaN on entry; the time of the call is used unless the job stores a
     * time there. Values stored after it become notes. Returns false on failure, which is logged;
     * the racer is then out. */
    bool (*run)(void *user, double *ms);
    void *user;
    struct series ms, notes[RACE_NOTES]; /* output */
    bool failed;                         /* output */
};

/* Runs all racers; with `warm_up` once before, untimed. Adds to earlier series. Returns false if it
 * was stopped or a racer failed. Pairs with race_finish. */
bool race(struct racer *racers, int count, bool warm_up, const struct race_rules *rules);
void race_finish(struct racer *racers, int count);

static inline double race_median(const struct racer *racer) { /* NaN: never ran */
    return series_median(&racer->ms);
}
/* Returns how many times as fast as `other` it is: the median over the rounds in which both ran. */
double race_ratio(const struct racer *racer, const struct racer *other);

#endif
