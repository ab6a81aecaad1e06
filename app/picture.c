/* From the explorer's target to the presenter's texture. */
#include "app/picture.h"
#include "render/clock.h"
#include "render/log.h"
#include <math.h>
#include <string.h>

#define UPLOAD_MS 3.0 /* of one turn; the rest of what has arrived waits for the next */

void picture_init(struct picture *picture, struct presenter *presenter, struct engine *engine,
                  struct explorer *explorer) {
    *picture = (struct picture){.presenter = presenter, .engine = engine, .explorer = explorer};
    frame_req_init(&picture->req, explorer->width_px, explorer->height_px);
}

static void cancel(struct picture *picture) {
    const double start = clock_ms();
    backend_cancel(engine_backend(picture->engine));
    picture->cancel_ms_max = fmax(picture->cancel_ms_max, clock_ms() - start);
}

void picture_finish(struct picture *picture) {
    cancel(picture);
    frame_req_finish(&picture->req);
}

/* Whether the backend draws into a buffer of OpenGL's; says once when a GPU cannot. */
static bool choose_target(struct picture *picture) {
    const struct backend_info info = engine_info(picture->engine);
    const bool gl = info.ready && info.caps & BACKEND_CAP_GL_TARGET;
    const bool host_copy = !gl && info.ready && strcmp(info.name, "cuda") == 0;
    if (host_copy && !picture->host_copy)
        log_warn("OpenGL does not run on the GPU that draws; pictures go through host memory");
    picture->host_copy = host_copy;
    return gl;
}

static bool submit_once(struct picture *picture, bool *no_memory) {
    struct target target;
    picture->gl = choose_target(picture);
    *no_memory = !presenter_start(picture->presenter, &picture->req, picture->explorer->camera,
                                  picture->gl, &target);
    if (*no_memory)
        return false;
    if (!(engine_info(picture->engine).methods >> picture->req.method & 1))
        picture->req.method = METHOD_TILES; /* the HUD says so */
    const double start = clock_ms();
    const bool ok = backend_submit(engine_backend(picture->engine), &picture->req, &target);
    picture->submit_ms_max = fmax(picture->submit_ms_max, clock_ms() - start);
    if (ok)
        presenter_started(picture->presenter);
    return ok;
}

bool picture_submit(struct picture *picture, bool reuse) {
    cancel(picture);
    explorer_request(picture->explorer, &picture->req);
    picture->req.reuse = reuse;
    picture->report = (struct backend_report){.state = BACKEND_BUSY};
    picture->copied = true;
    bool no_memory = false;
    while (!submit_once(picture, &no_memory))
        if (no_memory || !engine_lost(picture->engine))
            return false;
    return true;
}

static bool lose_device(struct picture *picture) {
    explorer_redraw(picture->explorer, true);
    return engine_lost(picture->engine);
}

bool picture_poll(struct picture *picture, double budget_ms, bool *news) {
    *news = false;
    if (!picture_busy(picture))
        return true;
    picture->report.dirty = (struct rect){0};
    if (picture->report.state == BACKEND_BUSY)
        picture->report = backend_poll(engine_backend(picture->engine), budget_ms);
    if (picture->report.state == BACKEND_LOST)
        return lose_device(picture);
    const struct rect dirty = picture->report.dirty;
    *news = dirty.x0 < dirty.x1 || !picture->copied || picture->report.state == BACKEND_DONE;
    picture->copied = presenter_upload(picture->presenter, dirty, UPLOAD_MS);
    explorer_learn(picture->explorer, &picture->report);
    if (picture_complete(picture)) {
        presenter_complete(picture->presenter);
        picture->complete_ms = picture->report.elapsed_ms;
    }
    return true;
}

bool picture_busy(const struct picture *picture) {
    return picture->report.state == BACKEND_BUSY ||
           (picture->report.state == BACKEND_DONE && !picture->copied);
}

bool picture_complete(const struct picture *picture) {
    return picture->report.state == BACKEND_DONE && picture->copied &&
           picture->report.generation == picture->explorer->generation;
}
