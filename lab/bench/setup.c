/* Names in a benchmark's lists, its views, threads and progress. */
#include "lab/bench/setup.h"
#include "cpu/threads.h"
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool setup_lists(const char *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *p = list; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
        if (strcspn(p, ",") == length && strncmp(p, name, length) == 0)
            return true;
    return !list;
}

const struct bench_view *bench_view_find(const char *name, size_t length) {
    for (const struct bench_view *view = bench_views; view->name; view++)
        if (strlen(view->name) == length && strncmp(view->name, name, length) == 0)
            return view;
    return NULL;
}

void bench_view_request(const struct bench_view *view, struct frame_req *req) {
    const char *why;
    char zoom[32];
    view_set_centre(&req->view, view->re, view->im, 0, &why);
    snprintf(zoom, sizeof zoom, "%.17g", 4 * view->width_px / (view->width * view->height_px));
    view_set_zoom(&req->view, zoom, &why);
    req->width_px = view->width_px;
    req->height_px = view->height_px;
    req->limit = view->limit;
    req->route = view->flags & BENCH_DEEP ? ROUTE_PERTURBED : ROUTE_DIRECT;
}

int setup_threads(const struct bench_setup *setup) {
    const int wanted = setup->options.threads > 0 ? setup->options.threads : omp_get_num_procs();
    const int startable = threads_startable(wanted);
    return startable > 0 ? startable : 1;
}

void setup_progress(const char *what, int repetition, int repeats) {
    if (!isatty(STDERR_FILENO))
        return;
    if (repetition == 0)
        fprintf(stderr, "\rfathom: %s, warming up\033[K", what);
    else
        fprintf(stderr, "\rfathom: %s, %d of %d\033[K", what, repetition, repeats);
}
