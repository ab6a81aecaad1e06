/* What a run of the benchmark is asked to measure. */
#ifndef FATHOM_LAB_BENCH_SETUP_H
#define FATHOM_LAB_BENCH_SETUP_H

#include "render/backend.h"
#include "render/files/bench_views.h"

struct bench_setup {
    const struct backend_impl *const *impls; /* NULL-terminated */
    const char *backends; /* names with commas between; NULL: all that are automatic and usable */
    const char *views;    /* names with commas between; NULL: all */
    struct backend_options options;
    unsigned types; /* bit per enum number_type */
    enum arithmetic arithmetic;
    enum method method;
    unsigned shortcuts;
    int width_px, height_px; /* 0: each view's own */
    int64_t limit;           /* negative: each view's own */
    int repeats;             /* 1 .. BENCH_REPEATS_MAX */
    double limit_ms;         /* how long a limit is measured each time */
    /* Asked often, by any thread; true ends the run with what there is. */
    bool (*stop)(void);
    /* Before each repetition, 0 being the warm-up. May be NULL. */
    void (*progress)(const char *view, int repetition, int repeats);
};

/* Whether a name is in a list with commas; every name is in NULL. */
bool setup_lists(const char *list, const char *name);
/* The view of that name, given as its first `length` characters; NULL: none. */
const struct bench_view *bench_view_find(const char *name, size_t length);
/* Sets place, size and limit in an initialised request. */
void bench_view_request(const struct bench_view *view, struct frame_req *req);
/* Threads that CPU backends, baselines and limits work with. */
int setup_threads(const struct bench_setup *setup);

/* Shows what is measured now, and which repetition of how many that is, on one line of a terminal. */
void setup_progress(const char *what, int repetition, int repeats);

#endif
