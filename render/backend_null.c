/* Null backend: draws nothing, for tests of everything around a backend. */
#include "render/backend.h"
#include "render/density/density_counts.h"
#include "render/sample.h"
#include <stdlib.h>
#include <string.h>

struct null_backend {
    int submits, lose_after;
    struct backend_report report;
    struct rect whole;  /* picture of the report */
    uint64_t pixels;    /* number of its pixels */
    bool orbit_density; /* true: it is a density picture */
};

static bool null_usable(const struct backend_options *options, const char **why) {
    (void)options;
    *why = "for tests";
    return true;
}

static void *null_create(const struct backend_options *options) {
    struct null_backend *backend = calloc(1, sizeof *backend);
    if (backend)
        backend->lose_after = options->lose_after;
    return backend;
}

/* Creates another handle: there is no device that both could share or lose. */
static void *null_another(void *impl, enum backend_priority priority) {
    (void)impl;
    (void)priority;
    return calloc(1, sizeof(struct null_backend));
}

static void null_destroy(void *impl) {
    free(impl);
}

static void null_info(void *impl, struct backend_info *info) {
    (void)impl;
    *info = (struct backend_info){
        .name = "null", .device = "nothing", .types = {~0u}, .formulas = ~0u, .ready = true};
}

static void finish(struct null_backend *backend, uint64_t generation, int width_px, int height_px) {
    backend->submits++;
    backend->report = (struct backend_report){
        .state = backend->submits == backend->lose_after ? BACKEND_LOST : BACKEND_DONE,
        .generation = generation,
        .dirty = {0, 0, width_px, height_px},
        .progress = 1,
    };
    backend->whole = backend->report.dirty;
}

static bool null_submit(void *impl, const struct frame_req *req, const struct target *target) {
    struct null_backend *backend = impl;
    const size_t pixels = (size_t)req->width_px * (size_t)req->height_px;
    if (target->rgba)
        memset(target->rgba, 0, pixels * sizeof *target->rgba);
    for (int p = 0; p < SAMPLE_PLANES; p++)
        if (target->planes.plane[p])
            memset(target->planes.plane[p], 0, pixels * SAMPLE_PLANE_BYTES);
    finish(backend, req->generation, req->width_px, req->height_px);
    backend->pixels = pixels;
    backend->orbit_density = false;
    return true;
}

static bool null_recolour(void *impl, uint64_t from, uint64_t generation, const struct look *look) {
    struct null_backend *backend = impl;
    if (backend->orbit_density != look->orbit_density || backend->report.state != BACKEND_DONE ||
        backend->report.generation != from)
        return false;
    backend->report.generation = generation;
    backend->report.dirty = backend->whole;
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
    backend->orbit_density = false;
}

static uint64_t whole_chunks(uint64_t samples) {
    const uint64_t chunks = samples / DENSITY_CHUNK;
    return (chunks + (samples % DENSITY_CHUNK > 0 && samples < UINT64_MAX - DENSITY_CHUNK)) *
           DENSITY_CHUNK;
}

static bool null_density_submit(void *impl, const struct density_req *req,
                                const struct target *target) {
    struct null_backend *backend = impl;
    const size_t pixels = (size_t)req->width_px * (size_t)req->height_px;
    for (size_t i = 0; target && target->rgba && i < pixels; i++)
        target->rgba[i] = COLOUR_ALPHA;
    finish(backend, req->generation, req->width_px, req->height_px);
    backend->orbit_density = true;
    backend->report.samples = whole_chunks(req->samples);
    return true;
}

static bool null_density_set_samples(void *impl, uint64_t samples) {
    struct null_backend *backend = impl;
    if (!backend->orbit_density || backend->report.state != BACKEND_DONE)
        return false;
    if (whole_chunks(samples) > backend->report.samples)
        backend->report.samples = whole_chunks(samples);
    backend->report.dirty = backend->whole;
    return true;
}

static bool null_density_read(void *impl, struct density_counts *counts) {
    struct null_backend *backend = impl;
    if (!backend->orbit_density || backend->report.state != BACKEND_DONE)
        return false;
    counts->samples = backend->report.samples;
    counts->points = 0;
    const size_t pixels = (size_t)counts->width * (size_t)counts->height;
    memset(counts->count, 0, (size_t)counts->planes * pixels * sizeof *counts->count);
    return true;
}

/* Returns statistics in which all counts are 0. */
static void null_statistics(void *impl, struct statistics *statistics) {
    const struct null_backend *backend = impl;
    statistics_init(statistics);
    statistics->pixels = statistics->histogram[0] = backend->pixels;
    statistics->least = 0;
}

static const struct backend_density null_density = {
    .submit = null_density_submit,
    .set_samples = null_density_set_samples,
    .read = null_density_read,
};

const struct backend_impl backend_null = {
    .name = "null",
    .usable = null_usable,
    .create = null_create,
    .another = null_another,
    .destroy = null_destroy,
    .info = null_info,
    .submit = null_submit,
    .recolour = null_recolour,
    .poll = null_poll,
    .cancel = null_cancel,
    .statistics = null_statistics,
    .density = &null_density,
};
