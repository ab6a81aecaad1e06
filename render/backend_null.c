/* The backend that draws nothing, for tests of everything around a backend. */
#include "render/backend.h"
#include "render/sample.h"
#include <stdlib.h>
#include <string.h>

struct null_backend {
    int submits, lose_after;
    struct backend_report report;
};

static bool null_usable(const struct backend_options *options, const char **why) {
    (void)options;
    (void)why;
    return true;
}

static void *null_create(const struct backend_options *options) {
    struct null_backend *backend = calloc(1, sizeof *backend);
    if (backend)
        backend->lose_after = options->lose_after;
    return backend;
}

static void null_destroy(void *impl) {
    free(impl);
}

static void null_info(void *impl, struct backend_info *info) {
    (void)impl;
    *info = (struct backend_info){.name = "null",
                                  .device = "nothing",
                                  .types = ~0u,
                                  .formulas = ~0u,
                                  .methods = ~0u,
                                  .ready = true};
}

static bool null_submit(void *impl, const struct frame_req *req, const struct target *target) {
    struct null_backend *backend = impl;
    const size_t pixels = (size_t)req->width_px * (size_t)req->height_px;
    if (target->rgba)
        memset(target->rgba, 0, pixels * sizeof *target->rgba);
    if (target->count)
        memset(target->count, 0, pixels * sizeof *target->count);
    if (target->fraction)
        memset(target->fraction, 0, pixels * sizeof *target->fraction);
    backend->submits++;
    backend->report = (struct backend_report){
        .state = backend->submits == backend->lose_after ? BACKEND_LOST : BACKEND_DONE,
        .generation = req->generation,
        .dirty = {0, 0, req->width_px, req->height_px},
        .progress = 1,
    };
    return true;
}

static void null_poll(void *impl, double budget_ms, struct backend_report *report) {
    struct null_backend *backend = impl;
    (void)budget_ms;
    *report = backend->report;
    backend->report.dirty = (struct rect){0};
}

static void null_cancel(void *impl) {
    struct null_backend *backend = impl;
    backend->report = (struct backend_report){.state = BACKEND_IDLE};
}

const struct backend_impl backend_null = {
    .name = "null",
    .usable = null_usable,
    .create = null_create,
    .destroy = null_destroy,
    .info = null_info,
    .submit = null_submit,
    .poll = null_poll,
    .cancel = null_cancel,
};
