/* Presenter for tests of app/picture, in place of the window's: holds one picture in memory and
 * counts the calls. SHOWN_PIXELS is its room. */
#ifndef FATHOM_TESTS_SHARED_ONE_PICTURE_H
#define FATHOM_TESTS_SHARED_ONE_PICTURE_H

#include "app/picture/picture.h"
#include "tests/shared/check.h"

static struct {
    uint32_t pixels[SHOWN_PIXELS];
    int width_px, height_px;
    bool complete;
    int starts, uploads, recoloured;
    int in_motion;            /* starts with lines in motion */
    int counted;              /* number of backdrops that were counted behind density pictures */
    bool behind;              /* the backdrop's counter is busy as long as this is set */
    double hit, transparency; /* last noted `hit`, and the value that the function returns */
} shown;

bool presenter_start(struct presenter *presenter, const struct frame_req *req,
                     const struct look *look, struct similarity camera, bool ends,
                     enum target_kind kind, struct target *target) {
    (void)presenter, (void)look, (void)camera, (void)ends, (void)kind;
    const bool in_motion = req->lines && req->lines->in_motion;
    CHECK((size_t)req->width_px * (size_t)req->height_px <= SHOWN_PIXELS);
    CHECK(!frame_req_problem(req));
    shown.width_px = req->width_px;
    shown.height_px = req->height_px;
    shown.complete = false;
    shown.starts++;
    shown.in_motion += in_motion;
    *target = (struct target){.rgba = shown.pixels, .at_once = in_motion};
    return true;
}

void presenter_await_target(struct presenter *presenter) {
    (void)presenter;
}

bool presenter_upload(struct presenter *presenter, struct rect dirty, double budget_ms) {
    (void)presenter, (void)budget_ms;
    shown.uploads += dirty.x0 < dirty.x1;
    return true;
}

void presenter_set_drawn(struct presenter *presenter, double pixels) {
    (void)presenter, (void)pixels;
}

void presenter_recolour(struct presenter *presenter, const struct look *look) {
    (void)presenter, (void)look;
    shown.recoloured++;
}

struct backdrop *presenter_backdrop(struct presenter *presenter) {
    (void)presenter;
    return NULL;
}

double presenter_set_hit(struct presenter *presenter, double hit) {
    (void)presenter;
    shown.hit = hit;
    return shown.transparency;
}

/* Stand-ins for the real functions, which draw. */
bool backdrop_counter_begin(struct backdrop_counter *counter, struct backend *backend,
                            struct backdrop *backdrop, const struct density_req *like) {
    (void)backend, (void)backdrop;
    shown.counted += like->width_px == shown.width_px;
    return counter->busy = shown.behind;
}

void backdrop_counter_step(struct backdrop_counter *counter, struct backend *backend,
                           struct backdrop *backdrop, double budget_ms) {
    (void)backend, (void)backdrop, (void)budget_ms;
    counter->busy = shown.behind;
}

void backdrop_counter_stop(struct backdrop_counter *counter) {
    counter->busy = false;
}

void presenter_replace(struct presenter *presenter, int first, int rows, const uint32_t *rgba) {
    (void)presenter, (void)first, (void)rows, (void)rgba;
}

void presenter_copy(const struct presenter *presenter, uint32_t *rgba) {
    (void)presenter;
    memcpy(rgba, shown.pixels, (size_t)shown.width_px * (size_t)shown.height_px * sizeof *rgba);
}

void presenter_complete(struct presenter *presenter) {
    (void)presenter;
    shown.complete = true;
}

#endif
