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

/* Returns the scene's own colours: adapted colours suit only the scene's location. */
static struct auto_frequency_colours colours_of(const struct explorer *explorer) {
    const struct auto_frequency_colours now = {explorer->scene.frequency, explorer->scene.offset};
    return auto_frequency_own(&explorer->auto_frequency, &now);
}

static bool is_wanted(const struct minimap *map, const struct explorer *explorer, int width_px,
                      int height_px) {
    const struct scene *scene = &explorer->scene;
    const struct auto_frequency_colours colours = colours_of(explorer);
    return map->width_px != width_px || map->height_px != height_px ||
           !fractal_equal(&map->fractal, &scene->fractal) || map->palette != scene->palette ||
           map->frequency != colours.frequency || map->offset != colours.offset ||
           map->banded != scene->banded || map->mapping != scene->mapping;
}

/* Requests the map with the scene's fractal and colours; its other settings suit only its
 * location. */
static void ask(struct minimap *map, const struct explorer *explorer) {
    const struct scene *scene = &explorer->scene;
    struct scene whole;
    struct frame_req req;
    scene_init(&whole);
    fractal_assign(&whole.fractal, &scene->fractal);
    home_view(&whole.view, &scene->fractal, map->width_px, map->height_px);
    whole.palette = scene->palette;
    whole.frequency = map->frequency;
    whole.offset = map->offset;
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

static void forget(struct minimap *map, struct active_backend *active) {
    inset_clear(&map->inset, active);
    if (map->width_px > 0)
        fractal_finish(&map->fractal);
    map->width_px = map->height_px = 0;
}

bool minimap_update(struct minimap *map, const struct explorer *explorer,
                    struct active_backend *active, int window_width_px, int window_height_px,
                    int text_px) {
    const struct scene *scene = &explorer->scene;
    int width, height;
    if (!map->on || !minimap_size(window_width_px, window_height_px, text_px, &width, &height)) {
        const bool shown = map->inset.screen.name != 0;
        forget(map, active);
        return shown;
    }
    if (map->width_px == 0)
        fractal_init(&map->fractal);
    if (is_wanted(map, explorer, width, height)) {
        map->width_px = width;
        map->height_px = height;
        fractal_assign(&map->fractal, &scene->fractal);
        map->palette = scene->palette;
        const struct auto_frequency_colours colours = colours_of(explorer);
        map->frequency = colours.frequency;
        map->offset = colours.offset;
        map->banded = scene->banded;
        map->mapping = scene->mapping;
        ask(map, explorer);
    }
    return inset_poll(&map->inset, active);
}

/* Returns a position, given in pixels from the middle, as a share of the map. */
static double part(double px, int size_px) {
    return fmax(fmin(0.5 + px / size_px, FAR), -FAR);
}

struct hud_map minimap_model(const struct minimap *map, const struct explorer *explorer) {
    struct hud_map model = {0};
    struct view home;
    if (map->inset.screen.name == 0 || map->width_px == 0)
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
    explorer_goto(explorer, &there);
}

double minimap_due_ms(const struct minimap *map, double pace_ms) {
    return inset_due_ms(&map->inset, pace_ms);
}

bool minimap_busy(const struct minimap *map) {
    return inset_busy(&map->inset);
}

void minimap_finish(struct minimap *map, struct active_backend *active) {
    forget(map, active);
    inset_finish(&map->inset, active);
}
