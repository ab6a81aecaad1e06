/* Inset: draws into host memory with a handle of its own, and copies the picture to a texture
 * when it is complete. */
#include "app/picture/inset/inset.h"
#include "app/picture/upload.h"
#include "render/base/clock.h"
#include "render/base/memory.h"
#include "render/palette.h"
#include <math.h>
#include <stdlib.h>

#define RETRY_MS 500.0 /* [ms] delay after a failure or a lost device */
/* [ms] after this time without a new picture, the request in flight may finish */
#define STALE_MS  50.0
#define FINISH_MS 2000.0 /* [ms] unless it takes longer than this */

static void stop(struct inset *inset, struct active_backend *active) {
    struct backend *backend = inset->busy ? active_backend_inset(active, inset->number) : NULL;
    if (backend)
        backend_cancel(backend);
    inset->busy = false;
}

bool inset_clear(struct inset *inset, struct active_backend *active) {
    const bool shown = inset->screen.name != 0;
    stop(inset, active);
    if (inset->initialised) {
        frame_req_finish(&inset->wanted);
        frame_req_finish(&inset->drawn);
    }
    gl_texture_finish(&inset->screen);
    inset->initialised = inset->due = false;
    return shown;
}

void inset_finish(struct inset *inset, struct active_backend *active) {
    inset_clear(inset, active);
    free(inset->rgba);
    *inset = (struct inset){.number = inset->number};
}

static void replace(struct frame_req *req, const struct frame_req *by) {
    frame_req_finish(req);
    frame_req_init_copy(req, by);
}

/* Returns true if both requests give the same picture, as far as insets differ. */
static bool same(const struct frame_req *a, const struct frame_req *b) {
    return a->width_px == b->width_px && a->height_px == b->height_px && a->limit == b->limit &&
           view_equal(&a->view, &b->view) && fractal_equal(&a->fractal, &b->fractal) &&
           colouring_equal(&a->colouring, &b->colouring);
}

void inset_request(struct inset *inset, const struct frame_req *req) {
    if (inset->initialised && same(&inset->wanted, req))
        return;
    if (!inset->initialised) {
        frame_req_init(&inset->wanted, 1, 1);
        frame_req_init(&inset->drawn, 1, 1);
        inset->shown_ms = clock_ms();
    }
    replace(&inset->wanted, req);
    inset->wanted.generation = ++inset->count;
    inset->wanted.first_stride = 1;
    inset->wanted.focus_x_px = req->width_px / 2;
    inset->wanted.focus_y_px = req->height_px / 2;
    inset->wanted.planes = SAMPLE_BASIC;
    inset->initialised = inset->due = true;
}

static bool allocate(struct inset *inset, size_t pixels) {
    if (inset->room >= pixels)
        return true;
    free(inset->rgba);
    inset->rgba = memory_alloc(4 * (uint64_t)pixels, "an inset");
    inset->room = inset->rgba ? pixels : 0;
    return inset->rgba != NULL;
}

/* Submits the wanted request. The handle cancels the request in flight before its target may be
 * freed. */
static void submit(struct inset *inset, struct backend *backend) {
    const struct frame_req *req = &inset->wanted;
    backend_cancel(backend);
    inset->busy = false;
    inset->retry_ms = clock_ms() + RETRY_MS;
    if (req->width_px > INSET_SIZE_MAX || req->height_px > INSET_SIZE_MAX ||
        !allocate(inset, (size_t)req->width_px * (size_t)req->height_px))
        return;
    const struct target target = {.rgba = inset->rgba};
    inset->busy = backend_submit(backend, req, &target);
    if (!inset->busy)
        return;
    replace(&inset->drawn, req);
    inset->due = false;
    inset->begun_ms = clock_ms();
    inset->retry_ms = 0;
}

static bool show(struct inset *inset) {
    const int width = inset->drawn.width_px, height = inset->drawn.height_px;
    inset->shown_ms = clock_ms();
    if (!gl_texture_resize(&inset->screen, width, height))
        return false;
    upload_rect(&inset->screen, (struct rect){0, 0, width, height}, width, inset->rgba);
    return true;
}

/* Returns true if the request in flight may be replaced by the next one. */
static bool may_be_replaced(const struct inset *inset) {
    const double now = clock_ms();
    return !inset->busy || now - inset->shown_ms < STALE_MS || now - inset->begun_ms > FINISH_MS;
}

/* Collects a finished picture. After a device switch the new handle has no request in flight. */
static bool take_picture(struct inset *inset, struct backend *backend) {
    const enum backend_state state =
        backend ? backend_poll(backend, 0).state : (enum backend_state)BACKEND_IDLE;
    if (state == BACKEND_BUSY)
        return false;
    inset->busy = false;
    if (state == BACKEND_DONE)
        return show(inset);
    inset->due = true;
    inset->retry_ms = state == BACKEND_LOST ? clock_ms() + RETRY_MS : 0;
    return false;
}

bool inset_poll(struct inset *inset, struct active_backend *active) {
    if (!inset->busy && !inset->due)
        return false;
    struct backend *backend = active_backend_inset(active, inset->number);
    const bool news = inset->busy && take_picture(inset, backend);
    if (backend && inset->due && clock_ms() >= inset->retry_ms && may_be_replaced(inset))
        submit(inset, backend);
    else if (!backend && inset->due)
        inset->retry_ms = clock_ms() + RETRY_MS;
    return news;
}

double inset_due_ms(const struct inset *inset, double pace_ms) {
    if (inset->busy)
        return pace_ms;
    return inset->due ? fmax(inset->retry_ms, pace_ms) : (double)INFINITY;
}

bool inset_busy(const struct inset *inset) {
    return inset->busy || inset->due;
}
