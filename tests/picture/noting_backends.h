/* Fake backends that record calls, and may count orbits: FAKE defines fake_0 and so on. */
#ifndef FATHOM_TESTS_PICTURE_NOTING_BACKENDS_H
#define FATHOM_TESTS_PICTURE_NOTING_BACKENDS_H

#include "render/backend.h"
#include "render/density/density_cells.h"

static struct {
    struct backend_report report; /* result of the next polls */
    bool refuses;                 /* refuse the next change */
    int frames, counts, tones, changes;
    uint64_t samples; /* last requested number */
    uint32_t limit, cells;
    double exposure;
} done;

static bool fake_usable(const struct backend_options *options, const char **why) {
    (void)options, (void)why;
    return true;
}

static void *fake_create(const struct backend_options *options) {
    (void)options;
    return &done;
}

static void *fake_another(void *impl, enum backend_priority priority) {
    (void)priority;
    return impl;
}

static void fake_destroy(void *impl) {
    (void)impl;
}

static bool fake_submit(void *impl, const struct frame_req *req, const struct target *target) {
    (void)impl, (void)target;
    done.frames++;
    done.report = (struct backend_report){.state = BACKEND_BUSY, .generation = req->generation};
    return true;
}

static void fake_poll(void *impl, double budget_ms, struct backend_report *report) {
    (void)impl, (void)budget_ms;
    *report = done.report;
    done.report.dirty = (struct rect){0};
}

static void fake_cancel(void *impl) {
    (void)impl;
}

/* Reports that about one pixel of a hundred escapes late, too few to see in motion. */
static void fake_statistics(void *impl, struct statistics *statistics) {
    (void)impl;
    *statistics = (struct statistics){.pixels = 10000, .interior = 1000, .least = 10, .most = 1000};
    statistics->histogram[statistics_bucket(20)] = 8600;
    statistics->histogram[statistics_bucket(350)] = 300;
    statistics->histogram[statistics_bucket(700)] = 100;
}

static bool fake_density_submit(void *impl, const struct density_req *req,
                                const struct target *target) {
    (void)impl, (void)target;
    done.counts++;
    done.samples = req->samples;
    done.limit = req->density.limit[0];
    done.cells = req->cells->count;
    done.exposure = req->tone.exposure;
    done.report = (struct backend_report){.state = BACKEND_BUSY, .generation = req->generation};
    return true;
}

static bool fake_recolour(void *impl, uint64_t from, uint64_t generation, const struct look *look) {
    (void)impl;
    if (!look->orbit_density || from != done.report.generation)
        return false;
    done.tones++;
    done.exposure = look->tone.exposure;
    done.report.generation = generation;
    return !done.refuses;
}

static bool fake_density_set_samples(void *impl, uint64_t samples) {
    (void)impl;
    done.changes++;
    done.samples = samples;
    return !done.refuses;
}

static const struct backend_density fake_density = {
    .submit = fake_density_submit,
    .set_samples = fake_density_set_samples,
};

#define FAKE(i, label, counts)                                                                     \
    static void info_##i(void *impl, struct backend_info *info) {                                  \
        (void)impl;                                                                                \
        *info = (struct backend_info){                                                             \
            .name = label, .device = "", .types = {~0u}, .formulas = ~0u, .ready = true};          \
    }                                                                                              \
    static const struct backend_impl fake_##i = {                                                  \
        .name = label,                                                                             \
        .automatic = true,                                                                         \
        .usable = fake_usable,                                                                     \
        .create = fake_create,                                                                     \
        .another = fake_another,                                                                   \
        .destroy = fake_destroy,                                                                   \
        .info = info_##i,                                                                          \
        .submit = fake_submit,                                                                     \
        .recolour = fake_recolour,                                                                 \
        .poll = fake_poll,                                                                         \
        .cancel = fake_cancel,                                                                     \
        .statistics = fake_statistics,                                                             \
        .density = counts,                                                                         \
    };

#endif
