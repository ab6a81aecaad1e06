/* Frames of orbit density: counts and paints them. */
#include "app/movie/density_frames.h"
#include "render/base/interrupt.h"
#include "render/base/log.h"
#include "render/density/density_cells.h"
#include "render/density/density_counts.h"

#define POLL_MS 50.0

static void forget(struct density_frames *frames) {
    if (frames->begun) {
        density_counts_finish(&frames->counts);
        density_req_finish(&frames->req);
    }
    frames->begun = false;
}

void density_frames_finish(struct density_frames *frames) {
    forget(frames);
    backend_close(frames->backend);
    frames->backend = NULL;
}

/* Returns true if the counts of a request go on with the last frame's. */
static bool goes_on(const struct density_frames *frames, const struct density_req *req) {
    const struct density_req *last = &frames->req;
    return frames->begun && last->width_px == req->width_px && last->height_px == req->height_px &&
           last->type == req->type && view_equal(&last->view, &req->view) &&
           density_equal(&last->density, &req->density) && frames->counts.samples <= req->samples;
}

static bool begin(struct density_frames *frames, const struct density_req *req) {
    const char *problem;
    forget(frames);
    density_req_init_copy(&frames->req, req);
    frames->begun = true;
    frames->counts = (struct density_counts){0};
    frames->req.cells = density_cells_create(&req->density);
    problem = frames->req.cells ? density_req_problem(&frames->req) : NULL;
    if (problem)
        log_error("cannot count this: %s", problem);
    return frames->req.cells && !problem && density_counts_init(&frames->counts, &frames->req);
}

/* Counts up to the request's samples. */
static bool count(struct density_frames *frames) {
    struct backend_report report;
    frames->req.start = frames->counts.samples > 0 ? &frames->counts : NULL;
    frames->req.generation++;
    if (!backend_density_submit(frames->backend, &frames->req, NULL))
        return false;
    do {
        report = backend_poll(frames->backend, POLL_MS);
        if (interrupt_requested()) {
            backend_cancel(frames->backend);
            return false;
        }
    } while (report.state == BACKEND_BUSY);
    if (report.state == BACKEND_DONE && backend_density_read(frames->backend, &frames->counts))
        return true;
    log_error("counting orbits failed");
    return false;
}

bool density_frames_make(struct density_frames *frames, const struct scene *scene, int width_px,
                         int height_px, uint32_t *rgba) {
    struct density_req req;
    struct tone_levels levels[TONE_CHANNELS_MAX];
    struct tone_map map;
    density_req_init(&req, width_px, height_px);
    scene_density_request(scene, width_px, height_px, &req);
    req.samples = (scene->samples + DENSITY_CHUNK - 1) / DENSITY_CHUNK * DENSITY_CHUNK;
    bool ok = goes_on(frames, &req) || begin(frames, &req);
    if (ok && !frames->backend)
        frames->backend = frames->open(frames->user);
    frames->req.samples = req.samples;
    frames->req.tone = req.tone;
    ok = ok && frames->backend && (frames->counts.samples >= req.samples || count(frames));
    if (ok) {
        density_levels(&frames->req, &frames->counts, levels);
        tone_map_init(&map, &req.tone, req.density.channels, levels);
        density_paint(&frames->req, &frames->counts, &map, rgba);
    }
    density_req_finish(&req);
    return ok;
}
