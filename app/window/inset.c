/* Draws Julia sets of what the pointer is on, one after the other, and shows the last one that is
 * complete. */
#include "app/window/inset.h"
#include "app/explore/go_to.h"
#include "render/base/clock.h"
#include "render/base/memory.h"
#include "render/locate/home.h"
#include "render/palette.h"
#include <math.h>
#include <stdlib.h>

#define PART       0.3   /* of the window's height */
#define ASPECT     1.25  /* width to height */
#define LEAST_PX   48    /* of its height: in smaller windows there is none */
#define MARGIN     0.015 /* to the window's edges, of the window's height */
#define FRAME_PX   2
#define LIMIT_MOST 1000u /* so that it follows at once */
#define RETRY_MS   2000.0

/* NULL: there is no other handle than the main picture's. */
static struct backend *handle(struct active_backend *active) {
    struct backend *beside = active_backend_beside(active, BACKEND_INSET);
    return beside == active_backend_get(active) ? NULL : beside;
}

static void stop(struct inset *inset, struct active_backend *active) {
    struct backend *backend = inset->busy ? handle(active) : NULL;
    if (backend)
        backend_cancel(backend);
    inset->busy = false;
}

void inset_finish(struct inset *inset, struct active_backend *active) {
    stop(inset, active);
    if (inset->made)
        frame_req_finish(&inset->req);
    gl_texture_finish(&inset->texture);
    if (inset->framebuffer)
        glDeleteFramebuffers(1, &inset->framebuffer);
    free(inset->rgba);
    *inset = (struct inset){0};
}

bool inset_busy(const struct inset *inset) {
    return inset->busy;
}

static bool wanted(const struct inset *inset, const struct explorer *explorer, bool pointing) {
    const struct scene *scene = &explorer->scene;
    return inset->on && pointing && !scene->orbit_density && !scene->fractal.julia &&
           explorer->height_px * PART >= LEAST_PX;
}

/* --- what it shows --- */

static bool request_now(const struct explorer *explorer, struct frame_req *req) {
    const int height = (int)(explorer->height_px * PART), width = (int)(height * ASPECT);
    struct scene scene;
    scene_init_copy(&scene, &explorer->scene);
    go_to_parameter(explorer, &scene.fractal);
    home_view(&scene.view, &scene.fractal, width, height);
    scene.limit = scene.limit < LIMIT_MOST ? scene.limit : LIMIT_MOST;
    scene.method = METHOD_TILES;
    const struct plan plan = {.route = ROUTE_DIRECT, .type = TYPE_DOUBLE, .first_stride = 1};
    scene_request(&scene, width, height, &plan, req);
    scene_finish(&scene);
    req->shortcuts = explorer->shortcuts;
    req->reuse = false;
    return frame_req_problem(req) == NULL;
}

static bool same(const struct frame_req *a, const struct frame_req *b) {
    return a->width_px == b->width_px && a->height_px == b->height_px && a->limit == b->limit &&
           a->arithmetic == b->arithmetic && fractal_equal(&a->fractal, &b->fractal) &&
           colouring_equal(&a->colouring, &b->colouring);
}

/* Takes over the request and starts on it. */
static void begin(struct inset *inset, struct backend *backend, struct frame_req *req) {
    const size_t pixels = (size_t)req->width_px * (size_t)req->height_px;
    if (inset->pixels < pixels) {
        free(inset->rgba);
        inset->rgba = memory_alloc(4 * (uint64_t)pixels, "the inset");
        inset->pixels = inset->rgba ? pixels : 0;
    }
    if (inset->made)
        frame_req_finish(&inset->req);
    frame_req_init_copy(&inset->req, req);
    inset->made = true;
    const struct target target = {.rgba = inset->rgba};
    inset->busy = inset->rgba && backend_submit(backend, &inset->req, &target);
    if (!inset->busy)
        inset->retry_ms = clock_ms() + RETRY_MS;
}

static bool take(struct inset *inset) {
    const int width = inset->req.width_px, height = inset->req.height_px;
    if (!gl_texture_resize(&inset->texture, width, height))
        return false;
    glBindTexture(GL_TEXTURE_2D, inset->texture.name);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, inset->rgba);
    return true;
}

/* True: it has become complete. */
static bool poll(struct inset *inset, struct active_backend *active) {
    struct backend *backend = handle(active);
    const enum backend_state state = backend ? backend_poll(backend, 0).state : BACKEND_IDLE;
    inset->busy = state == BACKEND_BUSY;
    return state == BACKEND_DONE && take(inset);
}

bool inset_advance(struct inset *inset, struct active_backend *active,
                   const struct explorer *explorer, bool pointing) {
    if (!wanted(inset, explorer, pointing)) {
        const bool shown = inset->texture.width_px > 0;
        stop(inset, active);
        gl_texture_finish(&inset->texture);
        return shown;
    }
    const bool news = inset->busy && poll(inset, active);
    if (inset->busy || clock_ms() < inset->retry_ms)
        return news;
    struct backend *backend = handle(active);
    if (!backend) {
        inset->retry_ms = clock_ms() + RETRY_MS;
        return news;
    }
    struct frame_req req;
    frame_req_init(&req, 1, 1);
    if (request_now(explorer, &req) &&
        (!inset->made || inset->texture.width_px == 0 || !same(&inset->req, &req)))
        begin(inset, backend, &req);
    frame_req_finish(&req);
    return news;
}

/* --- on the screen --- */

static void fill(int x, int y, int width, int height) {
    glEnable(GL_SCISSOR_TEST);
    glScissor(x, y, width, height);
    glClearColor(0.85f, 0.88f, 0.92f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
}

void inset_draw(struct inset *inset, int width_px, int height_px) {
    const int width = inset->texture.width_px, height = inset->texture.height_px;
    const int margin = (int)ceil(MARGIN * height_px) + FRAME_PX;
    const int x = width_px - width - margin, y = margin;
    GLint screen;
    if (width == 0 || x < FRAME_PX || y + height + FRAME_PX > height_px)
        return;
    if (!inset->framebuffer)
        glGenFramebuffers(1, &inset->framebuffer);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &screen);
    fill(x - FRAME_PX, y - FRAME_PX, width + 2 * FRAME_PX, height + 2 * FRAME_PX);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, inset->framebuffer);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                           inset->texture.name, 0);
    glBlitFramebuffer(0, 0, width, height, x, y + height, x + width, y, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)screen);
}
