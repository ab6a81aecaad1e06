/* Backdrop maker: draws the backdrop's missing levels while the backend is idle. */
#include "app/picture/backdrop/backdrop_maker.h"
#include "render/base/clock.h"
#include "render/base/memory.h"
#include <math.h>
#include <stdlib.h>

#define STEP_MS 3.0
/* levels drawn before anything is shown: the whole set, and its surroundings */
#define FIRST_LEVELS 2

static void release(struct backdrop_maker *maker) {
    free(maker->target.rgba);
    sample_planes_finish(&maker->target.planes);
    maker->target.rgba = NULL;
}

void backdrop_maker_stop(struct backdrop_maker *maker) {
    if (maker->busy) {
        frame_req_finish(&maker->req);
        release(maker);
    }
    maker->busy = false;
    maker->generation = 0;
}

static bool allocate(struct backdrop_maker *maker) {
    const size_t pixels = (size_t)maker->req.width_px * (size_t)maker->req.height_px;
    static const char what[] = "the backdrop";
    maker->target.rgba = memory_alloc(4 * (uint64_t)pixels, what);
    return maker->target.rgba &&
           sample_planes_init(&maker->target.planes, maker->req.planes, pixels, what);
}

/* Passes the samples to the backdrop. */
static void pass_samples(struct backdrop_maker *maker, struct backdrop *backdrop) {
    backdrop_add_level(backdrop, &maker->req, &maker->target.planes);
    maker->busy = false;
    frame_req_finish(&maker->req);
    release(maker);
}

/* Prepares a request for the next missing level. Returns false if there is none, or no memory. */
static bool prepare(struct backdrop_maker *maker, const struct backdrop *backdrop,
                    const struct frame_req *req) {
    if (!backdrop_wanted(backdrop, req, &maker->req))
        return false;
    maker->busy = true;
    if (allocate(maker))
        return true;
    backdrop_maker_stop(maker);
    return false;
}

bool backdrop_maker_works(const struct backdrop_maker *maker, const struct frame_req *req) {
    return maker->generation != req->generation;
}

/* Submits the next missing level. */
static enum backdrop_state begin_next(struct backdrop_maker *maker, struct backend *backend,
                                      struct backdrop *backdrop, const struct frame_req *req) {
    const bool wanted = prepare(maker, backdrop, req);
    if (wanted && backend_submit(backend, &maker->req, &maker->target))
        return BACKDROP_WORKS;
    backdrop_maker_stop(maker);
    maker->generation = req->generation;
    return wanted && backend_poll(backend, 0).state == BACKEND_LOST ? BACKDROP_LOST : BACKDROP_DONE;
}

enum backdrop_state backdrop_maker_step(struct backdrop_maker *maker, struct backend *backend,
                                        struct backdrop *backdrop, const struct frame_req *req) {
    const double begin = clock_ms();
    if (!backdrop_maker_works(maker, req))
        return BACKDROP_DONE;
    enum backdrop_state state =
        maker->busy ? BACKDROP_WORKS : begin_next(maker, backend, backdrop, req);
    while (state == BACKDROP_WORKS) {
        const double left = STEP_MS - (clock_ms() - begin);
        const enum backend_state drawn = backend_poll(backend, fmax(left, 0)).state;
        if (drawn == BACKEND_DONE) {
            pass_samples(maker, backdrop);
            state = begin_next(maker, backend, backdrop, req);
        } else if (drawn != BACKEND_BUSY) {
            backdrop_maker_stop(maker);
            maker->generation = req->generation; /* do not try again */
            state = BACKDROP_LOST;
        }
        if (left <= 0)
            break;
    }
    return state;
}

void backdrop_maker_begin(struct backdrop_maker *maker, struct backend *backend,
                          struct backdrop *backdrop, const struct frame_req *req) {
    struct backend_report report;
    struct frame_req plain = *req; /* without layers, which would delay the first picture */
    bool drawn = true;
    plain.planes = SAMPLE_BASIC;
    for (int i = 0; i < FIRST_LEVELS && drawn && prepare(maker, backdrop, &plain); i++) {
        drawn = backend_draw(backend, &maker->req, &maker->target, NULL, NULL, &report);
        if (drawn)
            pass_samples(maker, backdrop);
        else
            backdrop_maker_stop(maker);
    }
}
