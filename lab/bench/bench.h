/* `fathom bench kernels`: its setup, its measurements and their results. */
#ifndef FATHOM_LAB_BENCH_BENCH_H
#define FATHOM_LAB_BENCH_BENCH_H

#include "lab/bench/limits.h"
#include "lab/report/table.h"
#include "render/backend.h"
#include "render/files/bench_views.h"
#include <stdio.h>

struct bench_setup {
    const struct backend_impl *const *impls; /* NULL-terminated */
    const char *backends; /* names separated by commas; NULL: all automatic and usable backends */
    const char *views;    /* names separated by commas; NULL: all */
    struct backend_options options;
    unsigned types; /* a bit per enum number_type */
    unsigned shortcuts;
    int width_px, height_px; /* 0: size of each view */
    int64_t limit;           /* negative: limit of each view */
    int repeats;             /* 1 .. BENCH_REPEATS_MAX */
    double limit_ms;         /* [ms] duration of each measurement of a limit */
    /* Called often, by any thread; true ends the run and keeps the results so far. */
    bool (*stop)(void);
    FILE *shown; /* receives a table of each view when it is measured; NULL: none */
};

/* Returns true if the name is in a list with commas. NULL contains every name. */
bool bench_lists(const char *list, const char *name);
/* Returns the view whose name is the first `length` characters of `name`, or NULL. */
const struct bench_view *bench_view_find(const char *name, size_t length);
/* Sets place, size and limit in an initialised request. */
void bench_view_request(const struct bench_view *view, struct frame_req *req);
/* Returns the number of threads that CPU backends, baselines and limits use. */
int bench_threads(const struct backend_options *options);
/* Shows the current measurement and its repetition, 0 for the warm-up, on one line of a
 * terminal. */
void bench_progress(const char *what, int repetition, int repeats);

/* View that is ready to be drawn by every backend and baseline. */
struct subject {
    struct frame_req req;
    uint32_t *rgba, *count; /* outputs */
    void *re[TYPE_NATIVE_COUNT],
        *im[TYPE_NATIVE_COUNT]; /* as in struct loop_job; NULL for perturbed views */
};

/* Initialises a subject. Pairs with subject_finish. */
void subject_init(struct subject *subject);
/* Loads a view into an initialised subject, once. Returns false without memory, which is logged. */
bool subject_load(struct subject *subject, const struct bench_setup *setup,
                  const struct bench_view *view);
void subject_finish(struct subject *subject);
/* Draws the subject and waits. With `counts` the counts are in subject->count afterwards, which
 * takes longer. Returns false if it failed (logged) or was stopped. */
bool subject_draw(struct subject *subject, struct backend *backend, enum number_type type,
                  unsigned shortcuts, bool counts, bool (*stop)(void),
                  struct backend_report *report);

struct bench_result {
    struct table *rows;   /* all data of each backend and baseline on each view */
    struct table *limits; /* [steps/s] median of the run */
    double clock_hz;      /* median */
    int threads;
    char gpu[128]; /* name of the first GPU; "": none */
    bool measured; /* there are rows */
    bool complete; /* nothing failed, and it was not stopped */
};

/* Measures for minutes, on the calling thread and OpenMP's. Returns false if there are no rows; the
 * reason is logged unless it was stopped. Call bench_result_finish in any case. */
bool bench_measure(const struct bench_setup *setup, struct bench_result *result);
void bench_result_finish(struct bench_result *result);

#endif
