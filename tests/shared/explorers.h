/* Explorer tests: an explorer at a fixed point, actions on it, and the places of points on its
 * screen. The window has WIDTH by HEIGHT pixels. */
#ifndef FATHOM_TESTS_SHARED_EXPLORERS_H
#define FATHOM_TESTS_SHARED_EXPLORERS_H

#include "app/explore/explorer.h"
#include "app/explore/similarity.h"
#include "render/locate/home.h"
#include "tests/shared/check.h"
#include <math.h>

#define WIDTH  640
#define HEIGHT 360

static inline void start(struct explorer *explorer, const char *zoom) {
    struct scene scene;
    const char *why;
    scene_init(&scene);
    CHECK(view_set_centre(&scene.view, "-0.743643887037158704752191506114774", "0.1318259043", 0,
                          &why) &&
          view_set_zoom(&scene.view, zoom, &why));
    explorer_init(explorer, &scene, WIDTH, HEIGHT);
}

/* Declares and starts an explorer. */
#define EXPLORER(...) SCOPED_BY(start, explorer, __VA_ARGS__)

static inline void apply(struct explorer *explorer, enum action_kind kind, double x, double y,
                         double amount) {
    explorer_apply(explorer, &(struct action){.kind = kind, .x = x, .y = y, .amount = amount});
}

static inline void step(struct explorer *explorer, enum setting_id id, double steps) {
    explorer_apply(explorer, &(struct action){.kind = ACTION_STEP, .setting = id, .amount = steps});
}

/* Requests the target, and checks that filling the request changes nothing in the explorer. */
static inline void request(struct explorer *explorer, struct frame_req *req) {
    explorer_begin_request(explorer);
    const struct explorer before = *explorer;
    explorer_request(explorer, req);
    CHECK(memcmp(&before, explorer, sizeof before) == 0);
}

static inline bool near(double complex a, double complex b, double tolerance) {
    return cabs(a - b) <= tolerance;
}

/* Returns the screen place of the point that `view` shows at `p`, in pixels from the middle. */
static inline double complex shown_at(const struct explorer *explorer, const struct view *view,
                                      double complex p) {
    const struct similarity place = similarity_between(&explorer->scene.view, HEIGHT, view, HEIGHT);
    return similarity_apply(similarity_compose(explorer->camera, place), p);
}

/* Sets the Mandelbrot set's home in windows of this shape. */
static inline void home_at(struct view *view, int width_px, int height_px) {
    SCOPED(fractal, fractal);
    home_view(view, &fractal, width_px, height_px);
}

#endif
