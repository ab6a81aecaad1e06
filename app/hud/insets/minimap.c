/* Minimap: requests the home view as an inset, and finds the screen's corners in it. */
#include "app/hud/insets/minimap.h"
#include "render/locate/home.h"
#include <complex.h>
#include <math.h>

#define WIDE        14.0 /* largest width, in heights of the text */
#define LEAST_WIDE  8.0
#define SHARE       0.25 /* largest share of the window's width */
#define SHARE_DOWN  0.34 /* largest share of the window's height */
#define SHAPE       0.75 /* height / width */
#define OVER        2    /* drawn pixels per pixel of the screen, each way */
#define CLICK_PARTS 16   /* a click leads to a view of at least 1/16 of the map */
#define FAR         1e4  /* [maps] positions farther away are clamped */

bool minimap_size(int window_width_px, int window_height_px, int text_px, int *width_px,
                  int *height_px) {
    const double most = fmin(SHARE * window_width_px, SHARE_DOWN * window_height_px / SHAPE);
    const double width = fmin(floor(fmin(most, WIDE * text_px)), INSET_SIZE_MAX / OVER);
    *width_px = (int)width;
    *height_px = (int)round(SHAPE * width);
    return width >= LEAST_WIDE * text_px;
}

/* Requests the map with the scene's fractal and its own colours: adapted colours and the other
 * settings suit only the scene's location. */
static void request_map(struct minimap *map, const struct explorer *explorer) {
    const struct scene *scene = &explorer->scene;
    const struct auto_frequency_colours now = {scene->frequency, scene->offset};
    const struct auto_frequency_colours own = auto_frequency_own(&explorer->auto_frequency, &now);
    struct scene whole;
    struct frame_req req;
    scene_init(&whole);
    fractal_assign(&whole.fractal, &scene->fractal);
    home_view(&whole.view, &scene->fractal, map->width_px, map->height_px);
    palette_replace(&whole.palette, palette_ref(scene->palette));
    whole.frequency = own.frequency;
    whole.offset = own.offset;
    whole.banded = scene->banded;
    whole.mapping = scene->mapping;
    frame_req_init(&req, 1, 1);
    const struct plan_input input = {
        .view = &whole.view,
        .width_px = OVER * map->width_px,
        .height_px = OVER * map->height_px,
        .limit = whole.limit,
        .fractal = &whole.fractal,
        .types = explorer->backend.types,
        .precision = whole.precision,
    };
    const struct plan plan = plan_frame(&input);
    scene_request(&whole, input.width_px, input.height_px, &plan, &req);
    req.shortcuts = explorer->shortcuts;
    req.reuse = true;
    inset_request(&map->inset, &req);
    frame_req_finish(&req);
    scene_finish(&whole);
}

bool minimap_update(struct minimap *map, const struct explorer *explorer,
                    struct active_backend *active, int window_width_px, int window_height_px,
                    int text_px) {
    if (!map->on ||
        !minimap_size(window_width_px, window_height_px, text_px, &map->width_px, &map->height_px))
        return inset_clear(&map->inset, active);
    request_map(map, explorer);
    return inset_poll(&map->inset, active);
}

/* Returns a position, given in pixels from the middle, as a share of the map. */
static double part(double px, int size_px) {
    return fmax(fmin(0.5 + px / size_px, FAR), -FAR);
}

struct hud_map minimap_model(const struct minimap *map, const struct explorer *explorer) {
    struct hud_map model = {0};
    struct view home;
    if (map->inset.screen.name == 0)
        return model;
    view_init(&home);
    home_view(&home, &explorer->scene.fractal, map->width_px, map->height_px);
    const struct similarity target =
        similarity_between(&home, map->height_px, &explorer->scene.view, explorer->height_px);
    const struct similarity screen =
        similarity_compose(target, similarity_inverse(explorer->camera));
    view_finish(&home);
    model.inset.texture = map->inset.screen.name;
    model.inset.width_px = map->width_px;
    model.inset.height_px = map->height_px;
    for (int i = 0; i < 4; i++) {
        const double x = (i == 1 || i == 2 ? 0.5 : -0.5) * explorer->width_px;
        const double y = (i >= 2 ? 0.5 : -0.5) * explorer->height_px;
        const double complex at = similarity_apply(screen, x + I * y);
        model.corners[i][0] = part(creal(at), map->width_px);
        model.corners[i][1] = part(cimag(at), map->height_px);
    }
    return model;
}

void minimap_go(const struct minimap *map, struct explorer *explorer, double x, double y) {
    struct scene there;
    const int width = map->width_px, height = map->height_px;
    scene_init_copy(&there, &explorer->scene);
    struct view *view = &there.view;
    home_view(view, &there.fractal, width, height);
    const double nearest = CLICK_PARTS * mpfr_get_d(view->zoom, MPFR_RNDN);
    view_pan(view, (x - 0.5) * width, (y - 0.5) * height, height);
    mpfr_set(view->zoom, explorer->scene.view.zoom, MPFR_RNDN);
    if (mpfr_cmp_d(view->zoom, nearest) > 0)
        mpfr_set_d(view->zoom, nearest, MPFR_RNDN);
    view->angle = explorer->scene.view.angle;
    explorer_set_scene(explorer, &there);
}
