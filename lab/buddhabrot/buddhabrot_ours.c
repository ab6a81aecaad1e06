/* Ours, through the backends' contract: counts alone, no picture. */
#include "lab/buddhabrot/buddhabrot.h"
#include "render/density/density_cells.h"
#include "render/density/density_sample.h"
#include <math.h>
#include <string.h>

#define POLL_MS 20

struct backend *ours_open(const struct buddhabrot *b, const char *name, int threads,
                          const char **why) {
    struct backend_options options = b->lab->options;
    options.threads = threads;
    *why = "this program was built without it";
    for (const struct backend_impl *const *impl = b->lab->impls; *impl; impl++)
        if (strcmp((*impl)->name, name) == 0 && (*impl)->usable(&options, why)) {
            *why = (*impl)->density ? "it could not be started" : "it does not count orbits";
            return (*impl)->density ? backend_open(b->lab->impls, name, &options) : NULL;
        }
    return NULL;
}

bool ours_run(const struct buddhabrot *b, struct backend *backend, const struct density_req *req,
              struct backend_report *report) {
    if (!backend_density_submit(backend, req, NULL))
        return false;
    do {
        *report = backend_poll(backend, POLL_MS);
        if (report->state == BACKEND_BUSY && lab_stopped(b->lab))
            backend_cancel(backend);
    } while (report->state == BACKEND_BUSY && !lab_stopped(b->lab));
    return report->state == BACKEND_DONE;
}

bool ours_count(const struct buddhabrot *b, struct backend *backend, const struct density_req *req,
                struct density_counts *counts) {
    struct backend_report report;
    return ours_run(b, backend, req, &report) && backend_density_read(backend, counts);
}

bool counts_equal(const struct density_counts *a, const struct density_counts *b) {
    return a->points == b->points && a->samples == b->samples &&
           memcmp(a->count, b->count,
                  sizeof *a->count * (size_t)a->planes * (size_t)a->width * (size_t)a->height) == 0;
}

bool req_init_key(struct density_req *req, const struct density_req *from, uint64_t random) {
    density_req_init_copy(req, from);
    density_cells_unref(req->cells);
    req->density.random = random;
    req->cells = density_cells_create(&req->density);
    return req->cells != NULL;
}

uint64_t whole_rounds(const struct density_req *req, uint64_t rounds) {
    const uint64_t samples = rounds * CLUMP_SAMPLES * req->cells->count;
    return (samples + DENSITY_CHUNK - 1) / DENSITY_CHUNK * DENSITY_CHUNK;
}

bool octave_init(struct octave_job *job, const struct density_req *req, uint32_t octave,
                 uint64_t samples) {
    const uint64_t rounds = sample_octave_begin(octave + 1) - sample_octave_begin(octave);
    const uint64_t length = rounds * req->cells->count * CLUMP_SAMPLES;
    density_req_init_copy(&job->req, req);
    job->req.start = NULL;
    job->first = whole_rounds(req, sample_octave_begin(octave));
    job->req.samples = job->first + (length < samples ? length : samples);
    if (!density_counts_init(&job->start, req))
        return false;
    job->start.samples = job->first;
    job->req.start = &job->start;
    return true;
}

void octave_finish(struct octave_job *job) {
    density_counts_finish(&job->start);
    density_req_finish(&job->req);
}

bool octave_ours(const struct buddhabrot *b, struct backend *backend, const struct octave_job *job,
                 bool kernels, double *points_per_s) {
    struct backend_report report;
    if (!ours_run(b, backend, &job->req, &report))
        return false;
    const double ms = kernels && report.device_ms > 0 ? report.device_ms : report.elapsed_ms;
    *points_per_s = fmax(*points_per_s, (double)report.points / ms * 1e3);
    return true;
}
