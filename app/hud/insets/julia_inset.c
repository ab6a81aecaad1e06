/* Julia inset: requests the Julia set of the point below the pointer whenever that point
 * changes. */
#include "app/hud/insets/julia_inset.h"
#include "app/explore/go_to.h"
#include "render/locate/home.h"

#define PART       0.3   /* share of the window's height */
#define ASPECT     1.25  /* width / height */
#define LEAST_PX   48    /* [px] least height; smaller windows have no inset */
#define LIMIT_MOST 1000u /* low, so that the inset follows the pointer at once */

static bool wanted(const struct julia_inset *julia, const struct explorer *explorer,
                   bool pointing) {
    const struct scene *scene = &explorer->scene;
    return julia->on && pointing && !scene->orbit_density && !scene->fractal.julia &&
           explorer->height_px * PART >= LEAST_PX;
}

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

bool julia_inset_update(struct julia_inset *julia, const struct explorer *explorer,
                        struct active_backend *active, bool pointing) {
    struct inset *inset = &julia->inset;
    if (!wanted(julia, explorer, pointing))
        return inset_clear(inset, active);
    struct frame_req req;
    frame_req_init(&req, 1, 1);
    if (request_now(explorer, &req))
        inset_request(inset, &req);
    frame_req_finish(&req);
    return inset_poll(inset, active);
}
