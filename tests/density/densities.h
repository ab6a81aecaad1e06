/* Helpers for tests of backends that count: requests, runs to the end, and comparisons of
 * counts. */
#ifndef FATHOM_TESTS_DENSITY_DENSITIES_H
#define FATHOM_TESTS_DENSITY_DENSITIES_H

#include "render/density/density_cells.h"
#include "render/density/density_counts.h"
#include "tests/shared/pictures.h"
#include <inttypes.h>

static inline size_t counters(const struct density_counts *counts) {
    return (size_t)counts->width * (size_t)counts->height * (size_t)counts->planes;
}

static inline void set_view(struct density_req *req, const char *re, const char *im,
                            const char *zoom, double angle) {
    const char *why;
    if (!view_set_centre(&req->view, re, im, 0, &why) || !view_set_zoom(&req->view, zoom, &why) ||
        !view_set_angle_degrees(&req->view, angle, &why))
        abort();
}

/* Sets the density, and makes new cells if the old ones do not match. */
static inline void set_density(struct density_req *req, const struct density *density) {
    req->density = *density;
    if (req->cells && density_cells_match(req->cells, density))
        return;
    density_cells_unref(req->cells);
    req->cells = density_cells_create(density);
    if (!req->cells)
        abort();
}

/* Polls until the run is done. */
static inline bool finish_run(struct backend *backend, struct backend_report *report) {
    do
        *report = backend_poll(backend, 50);
    while (report->state == BACKEND_BUSY);
    CHECK(report->state == BACKEND_DONE);
    return true;
}

/* Recolours the picture, complete or in flight, with the request's tone under a new generation. */
static inline bool recolour(struct backend *backend, struct density_req *req) {
    const struct look look = {.orbit_density = true, .tone = req->tone};
    const uint64_t from = req->generation++;
    return backend_recolour(backend, from, req->generation, &look);
}

static inline bool count(struct backend *backend, const struct density_req *req,
                         const struct target *target, struct density_counts *counts) {
    struct backend_report report;
    CHECK(backend_density_submit(backend, req, target));
    CHECK(finish_run(backend, &report));
    CHECK(report.generation == req->generation && report.progress == 1 && in_time(&report));
    CHECK(backend_density_read(backend, counts));
    CHECK(report.samples == counts->samples && report.points == counts->points);
    struct tone_levels levels[TONE_CHANNELS_MAX];
    density_levels(req, counts, levels);
    CHECK(report.counted == counts->samples);
    CHECK(!target || report.hit == tone_levels_hit(levels, req->density.channels));
    uint64_t sum = 0;
    for (size_t i = 0; i < counters(counts); i++)
        sum += counts->count[i];
    CHECK(sum == counts->points);
    return true;
}

static inline bool equal(const struct density_counts *want, const struct density_counts *got,
                         const char *what) {
    size_t different = 0;
    for (size_t i = 0; i < counters(want); i++)
        different += want->count[i] != got->count[i];
    if (different == 0 && want->points == got->points && want->samples == got->samples)
        return true;
    printf("%s: %s: %zu of %zu counters differ; %" PRIu64 " points of %" PRIu64 ", %" PRIu64
           " samples of %" PRIu64 "\n",
           subject, what, different, counters(want), got->points, want->points, got->samples,
           want->samples);
    return false;
}

#endif
