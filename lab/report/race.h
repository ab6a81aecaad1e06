/* Timing several programs that do the same job: they take turns, so that a clock or a neighbour
 * that drifts hits them alike. */
#ifndef FATHOM_LAB_REPORT_RACE_H
#define FATHOM_LAB_REPORT_RACE_H

#include "lab/bench/series.h"
#include <stdbool.h>

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
     * False: failed, logged why; the racer is out. */
    bool (*run)(void *user, double *ms);
    void *user;
    struct series ms; /* out */
    bool failed;      /* out */
};

/* Runs all, `warm_up` once before without taking the time. Earlier series are kept and added to.
 * False: stopped, or one failed. Pairs with race_finish. */
bool race(struct racer *racers, int count, bool warm_up, const struct race_rules *rules);
void race_finish(struct racer *racers, int count);

double race_mean(const struct racer *racer);   /* NaN: never ran */
double race_median(const struct racer *racer); /* likewise */
/* How many times as fast as `other`: the median over the rounds that both ran in. */
double race_ratio(const struct racer *racer, const struct racer *other);

#endif
