/* Explorer: its state from the first scene on, the way to other scenes, the passing of time, and
 * requests. */
#include "app/explore/explorer_parts.h"
#include "app/explore/undo/steps.h"
#include "render/locate/home.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define REST_MS          120 /* time after the last change at which the view is at rest */
#define STEP_MAX_MS      100 /* maximum step, so that a stopped clock does not skip an animation */
#define SOON_MS          1500.0  /* a held zoom first prefetches references for this time ahead */
#define AHEAD_MS         12000.0 /* later it prefetches them for this time ahead */
#define AHEAD_LIMIT      2       /* multiple of an automatic limit that they are made for */
#define AHEAD_LIMIT_MOST 4000000 /* higher limits are not prefetched */

void explorer_init(struct explorer *explorer, struct scene *scene, int width_px, int height_px) {
    *explorer = (struct explorer){
        .scene = *scene,
        .samples = scene->pixel_samples > 1 ? scene->pixel_samples : EXPLORER_SAMPLES,
        .shortcuts = SHORTCUTS_ALL,
        .camera = similarity_identity,
        .width_px = width_px,
        .height_px = height_px,
        .pointer_x_px = width_px / 2.0,
        .pointer_y_px = height_px / 2.0,
        .changed = true,
        .quiet_ms = REST_MS,
        .inertia = true,
        .zoom_speed = 1,
    };
    hold_speed_init(&explorer->motion.speed, false);
    explorer->scene.tuned = false; /* the caller has evaluated it */
    if (scene->orbit_density)
        orbits_fit(&explorer->scene);
}

void explorer_configure(struct explorer *explorer, unsigned shortcuts, bool auto_limit,
                        bool auto_frequency, bool inertia, double zoom_speed) {
    explorer->shortcuts = shortcuts;
    explorer->auto_limit.on = auto_limit;
    explorer->auto_frequency.on = auto_frequency;
    explorer->inertia = inertia;
    explorer->zoom_speed = zoom_speed > 0 ? zoom_speed : 1;
    hold_speed_init(&explorer->motion.speed, zoom_speed == 0);
}

void explorer_finish(struct explorer *explorer) {
    history_finish(&explorer->history);
    gesture_end_pinch(&explorer->motion.gesture);
    scene_finish(&explorer->scene);
}

static bool is_fitted_home(const struct view *view, const struct fractal *fractal, int width_px,
                           int height_px) {
    struct view home;
    view_init(&home);
    home_view(&home, fractal, width_px, height_px);
    const bool equal = view_equal(view, &home);
    view_finish(&home);
    return equal;
}

bool explorer_at_home(const struct view *view, const struct fractal *fractal, int width_px,
                      int height_px) {
    struct view home;
    view_init(&home);
    const bool equal = view_equal(view, &home);
    view_finish(&home);
    return equal || is_fitted_home(view, fractal, width_px, height_px);
}

bool explorer_is_home(const struct explorer *explorer) {
    const struct scene *scene = &explorer->scene;
    return explorer_at_home(&scene->view, &scene->fractal, explorer->width_px, explorer->height_px);
}

void explorer_resize(struct explorer *explorer, int width_px, int height_px) {
    if (explorer->width_px == width_px && explorer->height_px == height_px)
        return;
    struct scene *scene = &explorer->scene;
    if (is_fitted_home(&scene->view, &scene->fractal, explorer->width_px, explorer->height_px))
        home_view(&scene->view, &scene->fractal, width_px, height_px);
    explorer->width_px = width_px;
    explorer->height_px = height_px;
    explorer->pointer_x_px = fmin(explorer->pointer_x_px, width_px - 1);
    explorer->pointer_y_px = fmin(explorer->pointer_y_px, height_px - 1);
    motion_target_changed(explorer);
}

void explorer_set_scene(struct explorer *explorer, struct scene *scene) {
    struct scene before = explorer->scene;
    motion_begin(explorer, MOTION_NONE);
    motion_end(explorer);
    explorer->scene = *scene;
    explorer->scene.tuned = false;
    explorer->auto_frequency.judged = false;
    if (scene->tuned)
        auto_frequency_switch(&explorer->auto_frequency, false);
    if (scene->pixel_samples > 1)
        explorer->samples = scene->pixel_samples;
    else
        explorer->scene.pixel_samples = before.pixel_samples;
    if (scene->orbit_density)
        orbits_fit(&explorer->scene);
    motion_follow(explorer, &before.view);
    scene_finish(&before);
}

void explorer_update(struct explorer *explorer, struct scene *scene, bool adapts) {
    struct scene before = explorer->scene;
    if (!explorer->motion.course)
        steps_begin(explorer);
    explorer->scene = *scene;
    explorer->scene.view = before.view;
    before.view = scene->view;
    scene_finish(&before);
    if (adapts)
        auto_frequency_switch(&explorer->auto_frequency, true);
    explorer->changed = true;
}

void explorer_set_backend(struct explorer *explorer, const struct backend_info *info) {
    explorer->backend = *info;
}

void explorer_set_inertia(struct explorer *explorer, bool on) {
    explorer->inertia = on;
}

void explorer_reset_preferences(struct explorer *explorer) {
    steps_begin(explorer);
    palette_replace(&explorer->scene.palette, palette_at(0));
    explorer->scene.pixel_samples = explorer->samples = EXPLORER_SAMPLES;
    auto_limit_switch(&explorer->auto_limit, true);
    auto_frequency_switch(&explorer->auto_frequency, true);
    explorer->inertia = true;
    explorer->zoom_speed = 1;
    hold_speed_init(&explorer->motion.speed, true);
    explorer->changed = true;
}

void explorer_redraw(struct explorer *explorer, bool forget_speed) {
    if (forget_speed)
        explorer->speed = (struct plan_speed){0};
    explorer->changed = true;
}

void explorer_screen_view(const struct explorer *explorer, struct view *view) {
    const struct similarity camera = explorer->camera;
    const double complex middle = similarity_apply(similarity_inverse(camera), 0);
    const int width = explorer->width_px, height = explorer->height_px;
    view_assign(view, &explorer->scene.view);
    if (middle != 0)
        view_pan(view, creal(middle), cimag(middle), height);
    if (cabs(camera.factor) != 1)
        view_zoom_at(view, cabs(camera.factor), width / 2.0, height / 2.0, width, height);
    if (cimag(camera.factor) != 0)
        view_rotate(view, carg(camera.factor));
}

bool explorer_animating(const struct explorer *explorer) {
    return motion_continues(&explorer->motion) || !similarity_is_identity(explorer->camera);
}

bool explorer_moving(const struct explorer *explorer) {
    return motion_active(explorer) || explorer->quiet_ms < REST_MS || explorer_animating(explorer);
}

static struct plan plan_of(const struct explorer *explorer, const struct view *view, bool moving) {
    const struct plan_input input = {
        .view = view,
        .width_px = explorer->width_px,
        .height_px = explorer->height_px,
        .limit = explorer->scene.limit,
        .fractal = &explorer->scene.fractal,
        .types = explorer->backend.types,
        .precision = explorer->scene.precision,
        .moving = moving,
        .slopes = scene_has_slopes(&explorer->scene),
        .inside = scene_has_inside(&explorer->scene),
        .lines = explorer->backend.ready && explorer->backend.caps & BACKEND_CAP_LINES,
        .speed = explorer->speed,
    };
    return plan_frame(&input);
}

struct plan explorer_plan(const struct explorer *explorer, bool moving) {
    return plan_of(explorer, &explorer->scene.view, moving);
}

double explorer_room(const struct explorer *explorer) {
    const struct view *view = &explorer->scene.view;
    struct view deepest;
    view_init_copy(&deepest, view);
    plan_deepest(&explorer->scene.fractal, &deepest);
    const struct plan plan = plan_of(explorer, &deepest, false);
    const double most = view_step_log2(view, 1) - view_step_log2(&deepest, 1);
    view_finish(&deepest);
    const double room = plan_room(plan.type, &explorer->scene.fractal, view, explorer->width_px,
                                  explorer->height_px);
    return log(2) * (plan.route == ROUTE_PERTURBED ? most : fmin(room, most));
}

static void advance_colours(struct explorer *explorer, double ms) {
    struct scene *scene = &explorer->scene;
    struct auto_frequency_colours colours = {scene->frequency, scene->offset};
    if (!auto_frequency_advance(&explorer->auto_frequency, scene->orbit_density ? INFINITY : ms,
                                &colours))
        return;
    scene->frequency = colours.frequency;
    scene->offset = colours.offset;
    explorer->changed = explorer->changed || !scene->orbit_density;
}

void explorer_advance(struct explorer *explorer, double elapsed_ms) {
    const double ms = fmax(fmin(elapsed_ms, STEP_MAX_MS), 0);
    const bool was_moving = explorer_moving(explorer);
    explorer->quiet_ms += ms;
    explorer->time_ms += ms;
    motion_advance(explorer, ms);
    advance_colours(explorer, ms);
    if (was_moving && !explorer_moving(explorer) && !explorer->scene.orbit_density) {
        const struct plan rest = explorer_plan(explorer, false);
        explorer->changed |= rest.type != explorer->plan.type ||
                             rest.route != explorer->plan.route ||
                             rest.widen != explorer->plan.widen;
    }
}

void explorer_begin_request(struct explorer *explorer) {
    struct scene *scene = &explorer->scene;
    if (!scene->orbit_density)
        scene->limit =
            auto_limit_follow(&explorer->auto_limit, scene->limit, auto_limit_depth(&scene->view));
    explorer->plan = explorer_plan(explorer, explorer_moving(explorer));
    explorer->generation++;
    explorer->changed = explorer->tone_changed = false;
    motion_requested(explorer);
}

void explorer_request(const struct explorer *explorer, struct frame_req *req) {
    scene_request(&explorer->scene, explorer->width_px, explorer->height_px, &explorer->plan, req);
    /* The pixel of the target at which the screen zooms is drawn first. */
    const double complex middle = explorer->width_px / 2.0 + I * (explorer->height_px / 2.0);
    const double complex place = motion_place(explorer) - middle;
    const double complex focus =
        similarity_apply(similarity_inverse(explorer->camera), place) + middle;
    req->focus_x_px = (int)fmax(fmin(creal(focus), explorer->width_px - 1), 0);
    req->focus_y_px = (int)fmax(fmin(cimag(focus), explorer->height_px - 1), 0);
    if (req->method != METHOD_TILES && req->method != METHOD_ROWS)
        req->first_stride = 1; /* the other methods have no coarse lattice */
    req->shortcuts = explorer->shortcuts;
    req->reuse = true;
    req->generation = explorer->generation;
}

bool explorer_request_ahead(const struct explorer *explorer, struct frame_req *req,
                            struct view *soon) {
    struct scene far;
    if (explorer->scene.orbit_density || explorer->scene.limit > AHEAD_LIMIT_MOST ||
        !motion_view_after(explorer, SOON_MS, soon) ||
        plan_of(explorer, soon, true).route != ROUTE_PERTURBED)
        return false;
    scene_init_copy(&far, &explorer->scene);
    motion_view_after(explorer, AHEAD_MS, &far.view);
    if (explorer->auto_limit.on)
        far.limit *= AHEAD_LIMIT;
    const struct plan plan = plan_of(explorer, &far.view, true);
    if (plan.route == ROUTE_PERTURBED)
        scene_request(&far, explorer->width_px, explorer->height_px, &plan, req);
    scene_finish(&far);
    return plan.route == ROUTE_PERTURBED;
}

void explorer_density_request(const struct explorer *explorer, struct frame_req *req,
                              struct density_req *density) {
    explorer_request(explorer, req);
    scene_density_request(&explorer->scene, req->width_px, req->height_px, density);
    density->generation = req->generation;
    req->type = density->type;
    req->first_stride = 1;
}
