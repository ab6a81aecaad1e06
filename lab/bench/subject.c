/* `fathom bench kernels`: names in lists, threads, progress, and views with their memory and
 * coordinates. */
#include "cpu/threads.h"
#include "lab/bench/bench.h"
#include "lab/paper/paper_loops.h"
#include "render/base/log.h"
#include "render/base/memory.h"
#include "render/grid/coords.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool bench_lists(const char *list, const char *name) {
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
    snprintf(zoom, sizeof zoom, "%.17g", 4 * view->width_px / (view->width * view->height_px));
    view_set_zoom(&req->view, zoom, &why);
    view_set_centre(&req->view, view->re, view->im, 0, &why);
    req->width_px = view->width_px;
    req->height_px = view->height_px;
    req->limit = view->limit;
    req->route = view->flags & BENCH_DEEP ? ROUTE_PERTURBED : ROUTE_DIRECT;
}

int bench_threads(const struct backend_options *options) {
    const int wanted = options->threads > 0 ? options->threads : omp_get_num_procs();
    const int startable = threads_startable(wanted);
    return startable > 0 ? startable : 1;
}

void bench_progress(const char *what, int repetition, int repeats) {
    if (!isatty(STDERR_FILENO))
        return;
    if (repetition == 0)
        fprintf(stderr, "\rfathom: %s, warming up\033[K", what);
    else
        fprintf(stderr, "\rfathom: %s, %d of %d\033[K", what, repetition, repeats);
}

/* Copies the real or imaginary parts (`part` 0 or 2) of a table whose entries are four numbers: re
 * and im, each with its low part, which is 0 at angle 0. Repeats the last number as padding. */
static void *copy_parts(const void *entries, int count, size_t number, size_t part) {
    char *copy = calloc((size_t)count + LOOP_PADDING, number);
    for (int i = 0; copy && i < count + LOOP_PADDING; i++) {
        const size_t entry = (size_t)(i < count ? i : count - 1);
        memcpy(copy + (size_t)i * number, (const char *)entries + (4 * entry + part) * number,
               number);
    }
    return copy;
}

static bool copy_coords(struct subject *subject, enum number_type type) {
    struct coords coords;
    const int width = subject->req.width_px, height = subject->req.height_px;
    subject->req.type = type;
    if (!coords_init(&coords, &subject->req))
        return false;
    const size_t number = type == TYPE_FLOAT ? sizeof(float) : sizeof(double);
    const char *table = coords.table;
    subject->re[type] = copy_parts(table, width, number, 0);
    subject->im[type] = copy_parts(table + (size_t)width * 4 * number, height, number, 2);
    coords_finish(&coords);
    return subject->re[type] && subject->im[type];
}

static void set_request(struct frame_req *req, const struct bench_setup *setup,
                        const struct bench_view *view) {
    struct bench_view changed = *view;
    if (setup->width_px > 0) {
        changed.width_px = setup->width_px;
        changed.height_px = setup->height_px;
    }
    if (setup->limit >= 0)
        changed.limit = (uint32_t)setup->limit;
    bench_view_request(&changed, req);
    req->reuse = false;
}

void subject_init(struct subject *subject) {
    *subject = (struct subject){0};
    frame_req_init(&subject->req, 1, 1);
}

bool subject_load(struct subject *subject, const struct bench_setup *setup,
                  const struct bench_view *view) {
    set_request(&subject->req, setup, view);
    const uint64_t pixels = (uint64_t)subject->req.width_px * (uint64_t)subject->req.height_px;
    subject->rgba = memory_alloc(pixels * sizeof *subject->rgba, "a picture to measure");
    subject->count = memory_alloc(pixels * sizeof *subject->count, "its counts");
    if (!subject->rgba || !subject->count)
        return false;
    for (int type = 0; type < TYPE_NATIVE_COUNT && !(view->flags & BENCH_DEEP); type++)
        if (!copy_coords(subject, (enum number_type)type)) {
            log_error("no memory for coordinates");
            return false;
        }
    return true;
}

void subject_finish(struct subject *subject) {
    for (int type = 0; type < TYPE_NATIVE_COUNT; type++) {
        free(subject->re[type]);
        free(subject->im[type]);
    }
    free(subject->rgba);
    free(subject->count);
    frame_req_finish(&subject->req);
}

static bool go_on(void *user, const struct backend_report *report) {
    bool (**stop)(void) = user;
    (void)report;
    return !(*stop)();
}

bool subject_draw(struct subject *subject, struct backend *backend, enum number_type type,
                  unsigned shortcuts, bool counts, bool (*stop)(void),
                  struct backend_report *report) {
    const struct target target = {.rgba = subject->rgba,
                                  .planes = {.count = counts ? subject->count : NULL}};
    subject->req.generation++;
    subject->req.type = type;
    subject->req.shortcuts = shortcuts;
    return backend_draw(backend, &subject->req, &target, go_on, &stop, report);
}
