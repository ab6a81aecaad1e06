/* `fathom bench kernels`: what is measured, and its results. */
#ifndef FATHOM_LAB_BENCH_BENCH_H
#define FATHOM_LAB_BENCH_BENCH_H

#include "lab/bench/limits.h"
#include "lab/report/table.h"
#include "render/backend.h"
#include "render/files/bench_views.h"
#include <stdio.h>

struct bench_setup {
    const struct backend_impl *const *impls; /* NULL-terminated */
    const char *backends; /* names with commas between; NULL: all that are automatic and usable */
    const char *views;    /* names with commas between; NULL: all */
    struct backend_options options;
    unsigned types; /* bit per enum number_type */
    unsigned shortcuts;
    int width_px, height_px; /* 0: each view's own */
    int64_t limit;           /* negative: each view's own */
    int repeats;             /* 1 .. BENCH_REPEATS_MAX */
    double limit_ms;         /* how long a limit is measured each time */
    bool (*stop)(void);      /* asked often, by any thread; true ends the run with what there is */
    FILE *shown;             /* gets a table of each view as it has been measured; NULL: none */
};

/* Whether a name is in a list with commas; every name is in NULL. */
bool bench_lists(const char *list, const char *name);
/* The view of that name, given as its first `length` characters; NULL: none. */
const struct bench_view *bench_view_find(const char *name, size_t length);
/* Sets place, size and limit in an initialised request. */
void bench_view_request(const struct bench_view *view, struct frame_req *req);
/* Threads that CPU backends, baselines and limits work with. */
int bench_threads(const struct backend_options *options);
/* Shows what is measured now, and which repetition of how many that is, 0 being the warm-up, on one
 * line of a terminal. */
void bench_progress(const char *what, int repetition, int repeats);

/* One view, ready to be drawn by all. */
struct subject {
    struct frame_req req;
    uint32_t *rgba, *count; /* what is drawn goes there */
    void *re[TYPE_NATIVE_COUNT],
        *im[TYPE_NATIVE_COUNT]; /* as in struct loop_job; NULL around a reference */
};

/* Pairs with subject_finish. */
void subject_init(struct subject *subject);
/* Makes an initialised picture that of a view, once. False: no memory, logged. */
bool subject_load(struct subject *subject, const struct bench_setup *setup,
                  const struct bench_view *view);
void subject_finish(struct subject *subject);
/* Draws it and waits. With `counts` the counts are in subject->count afterwards; that takes longer.
 * False: failed (logged) or stopped. */
bool subject_draw(struct subject *subject, struct backend *backend, enum number_type type,
                  unsigned shortcuts, bool counts, bool (*stop)(void),
                  struct backend_report *report);

struct bench_result {
    struct table *rows;   /* everything about each backend and baseline on each view */
    struct table *limits; /* steps per second, median of the run */
    double clock_hz;      /* median */
    int threads;
    char gpu[128]; /* the first one's name; "": none */
    bool measured; /* there are rows */
    bool complete; /* nothing failed, and it was not stopped */
};

/* Measures, on the calling thread and OpenMP's, for minutes. False: there are no rows; logged why,
 * unless it was stopped. The result is to be finished in any case. */
bool bench_measure(const struct bench_setup *setup, struct bench_result *result);
void bench_result_finish(struct bench_result *result);

#endif
