/* The one place that changes the scene: applies actions, settings and findings, and makes requests
 * of the result. */
#include "app/explore/explorer.h"
#include "app/explore/undo/steps.h"
#include "render/locate/home.h"
#include "render/style/style.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define SPEED_STEP   1.4142135623730951
#define REST_MS      120 /* after the last change the view counts as resting */
#define STEP_MAX_MS  100 /* a stopped clock or a long turn must not skip an animation */
#define ONLY_DENSITY "only in Buddhabrot view (D switches to it)"
/* A held zoom has references prepared that serve what it shows within SOON_MS, and then until
 * AHEAD_MS, also at AHEAD_LIMIT times an automatic limit; none of more iterations than the most. */
#define SOON_MS          1500.0
#define AHEAD_MS         12000.0
#define AHEAD_LIMIT      2
#define AHEAD_LIMIT_MOST 4000000

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
    explorer->scene.tuned = false; /* the caller has seen it */
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
    guide_end_pinch(&explorer->motion.guide);
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

/* The palette's keys mean the gradient of orbit density. */
static enum setting_id meant(const struct explorer *explorer, enum setting_id id) {
    return id == SETTING_PALETTE && explorer->scene.orbit_density ? SETTING_RAMP : id;
}

static bool is_home(const struct explorer *explorer) {
    const struct scene *scene = &explorer->scene;
    return explorer_at_home(&scene->view, &scene->fractal, explorer->width_px, explorer->height_px);
}

/* Frequency or mapping were set by hand: what adapts stays, but for ranks, of colours that change as the palette has it. */
static void follow_colours(struct explorer *explorer) {
    struct scene *scene = &explorer->scene;
    const bool ranks = scene->mapping == MAPPING_HISTOGRAM;
    if (ranks && explorer->auto_frequency.on) {
        const struct auto_frequency_colours now = {scene->frequency, scene->offset};
        const struct auto_frequency_colours own =
            auto_frequency_own(&explorer->auto_frequency, &now);
        scene->frequency = own.frequency;
        scene->offset = own.offset;
    }
    auto_frequency_switch(&explorer->auto_frequency, ranks);
}

/* The setting has another value. `home`: the view was, and moves with it, as it does where it would show nothing. */
static void follow_setting(struct explorer *explorer, enum setting_id id, bool home) {
    const struct setting *setting = &setting_table[id];
    const bool tone = setting->use == SETTING_OF_DENSITY && setting->invalidates == SETTING_COLOURS;
    explorer->tone_changed = explorer->tone_changed || tone;
    explorer->changed = explorer->changed || (!tone && setting->invalidates != SETTING_NOTHING);
    if (id == SETTING_LAYER)
        style_suit_layer(&explorer->scene);
    if (id == SETTING_FREQUENCY || id == SETTING_MAPPING)
        follow_colours(explorer);
    struct scene *scene = &explorer->scene;
    const int width = explorer->width_px, height = explorer->height_px;
    if (id != SETTING_FORMULA && id != SETTING_POWER)
        return;
    auto_frequency_restart(&explorer->auto_frequency);
    if (!home && home_has_rival(&scene->view, &scene->fractal, width, height))
        return;
    home_view(&scene->view, &scene->fractal, width, height);
    motion_target_changed(explorer);
}

static void change_limit(struct explorer *explorer, double steps) {
    struct scene *scene = &explorer->scene;
    if (scene->orbit_density)
        scene->limit = orbits_limit(scene);
    setting_step(SETTING_LIMIT, scene, steps);
    if (scene->orbit_density || scene->orbits.channels > 1)
        orbits_set_limit(scene, scene->limit);
    if (!scene->orbit_density)
        auto_limit_switch(&explorer->auto_limit, false);
    explorer->changed = true;
}

static void step_setting(struct explorer *explorer, enum setting_id id, double steps) {
    if (id == SETTING_LIMIT) {
        change_limit(explorer, steps);
    } else if (id == SETTING_LEAST) {
        struct scene *scene = &explorer->scene;
        const uint32_t before = scene->orbits.least;
        scene->orbits.least = density_least(&scene->orbits);
        setting_step(SETTING_LEAST, scene, steps);
        orbits_set_least(scene, scene->orbits.least);
        explorer->changed = explorer->changed || scene->orbits.least != before;
    } else if (id == SETTING_ORBIT_DENSITY) {
        explorer->scene.orbit_density = !explorer->scene.orbit_density;
        if (explorer->scene.orbit_density)
            orbits_fit(&explorer->scene);
        explorer->changed = true;
    } else {
        const bool home = is_home(explorer);
        setting_step(id, &explorer->scene, steps);
        follow_setting(explorer, id, home);
    }
}

static void choose_setting(struct explorer *explorer, enum setting_id id, int index) {
    const bool home = is_home(explorer);
    if (setting_choose(id, &explorer->scene, index))
        follow_setting(explorer, id, home);
}

static void point(struct explorer *explorer, double x_px, double y_px) {
    explorer->pointer_x_px = fmax(fmin(x_px, explorer->width_px - 1), 0);
    explorer->pointer_y_px = fmax(fmin(y_px, explorer->height_px - 1), 0);
}

/* Why a setting means nothing as things are; NULL when it may. */
static const char *useless_setting(const struct explorer *explorer, enum setting_id id) {
    const struct scene *scene = &explorer->scene;
    if (setting_table[id].use == SETTING_OF_DENSITY && !scene->orbit_density)
        return ONLY_DENSITY;
    if (id == SETTING_LEAST && scene->orbits.orbits == DENSITY_BOUNDED)
        return "bounded orbits have no minimum length";
    if (id == SETTING_RAMP && scene->orbits.channels > 1)
        return "a Nebulabrot takes its colours from its three limits";
    if (id == SETTING_METHOD && scene->orbit_density)
        return "a Buddhabrot has no drawing method";
    if ((id == SETTING_FORMULA || id == SETTING_JULIA) && scene->orbit_density)
        return "the Buddhabrot exists only for the Mandelbrot set";
    return NULL;
}

/* Why a scene does not go together any more once a choice in it is made, or gone on from. */
static const char *unfit(const struct scene *scene, enum setting_id id, double amount, bool step) {
    struct scene trial;
    scene_init_copy(&trial, scene);
    if (step)
        setting_step(id, &trial, amount);
    else
        setting_choose(id, &trial, (int)amount);
    const char *problem = scene_problem(&trial);
    scene_finish(&trial);
    return problem;
}

const char *explorer_refusal(const struct explorer *explorer, const struct action *action) {
    const struct scene *scene = &explorer->scene;
    const enum setting_id id = meant(explorer, action->setting);
    const char *useless = NULL;
    switch (action->kind) {
    case ACTION_JULIA:
        return useless_setting(explorer, SETTING_JULIA);
    case ACTION_VARIANT:
    case ACTION_RESET_TONE:
        return scene->orbit_density ? NULL : ONLY_DENSITY;
    case ACTION_STEP:
        useless = useless_setting(explorer, id);
        return useless ? useless : unfit(scene, id, action->amount, true);
    case ACTION_CHOOSE:
        useless = useless_setting(explorer, id);
        if (useless || action->amount >= setting_choices(id))
            return useless ? useless : "there is no such palette";
        return unfit(scene, id, action->amount, false);
    case ACTION_UNDO:
        if (action->amount > 0)
            return explorer->history.at > 0 ? NULL : "nothing to undo";
        return explorer->history.at < explorer->history.count ? NULL : "nothing to redo";
    case ACTION_ZOOM:
    case ACTION_ZOOM_MIDDLE:
    case ACTION_GLIDE_ZOOM:
        return action->amount < 0 && motion_at_bound(explorer) ? "fully zoomed out (R: home)"
                                                               : NULL;
    case ACTION_ANTIALIAS:
        return scene->orbit_density ? "a Buddhabrot has its own samples" : NULL;
    case ACTION_RANDOM_PALETTE:
    case ACTION_AUTO_LIMIT:
    case ACTION_AUTO_FREQUENCY:
        return scene->orbit_density ? "not in Buddhabrot view (D switches back)" : NULL;
    default:
        return NULL;
    }
}

/* Keeps where an action says that the pointer is. */
static void follow_pointer(struct explorer *explorer, const struct action *action) {
    switch (action->kind) {
    case ACTION_POINT:
    case ACTION_ZOOM:
    case ACTION_GRAB:
    case ACTION_SPIN:
    case ACTION_BOX:
    case ACTION_CENTRE:
    case ACTION_PINCH:
        point(explorer, action->x, action->y);
        break;
    case ACTION_STEER:
        point(explorer, explorer->width_px / 2.0, explorer->height_px / 2.0);
        break;
    case ACTION_DRAG:
        point(explorer, action->from_x + action->x, action->from_y + action->y);
        break;
    default:
        break;
    }
}

/* Numbers are set by many small steps that follow each other, which are one to undo. */
static int joined(enum setting_id id) {
    const enum setting_kind kind = setting_table[id].kind;
    const bool number = kind == SETTING_KIND_NUMBER || kind == SETTING_KIND_TURNS ||
                        kind == SETTING_KIND_WHOLE || kind == SETTING_KIND_ANGLE;
    if (id == SETTING_LIGHT_HEIGHT)
        id = SETTING_LIGHT_ANGLE; /* a hand moves both */
    return number ? 1 + (int)id : 0;
}

/* Actions that change the look, what is drawn or how, but not the view. */
static void change(struct explorer *explorer, const struct action *action) {
    switch (action->kind) {
    case ACTION_STEP:
        step_setting(explorer, meant(explorer, action->setting), action->amount);
        break;
    case ACTION_CHOOSE:
        choose_setting(explorer, meant(explorer, action->setting), (int)action->amount);
        break;
    case ACTION_AUTO_LIMIT:
        /* The present picture says where to begin; all its samples are kept. */
        auto_limit_switch(&explorer->auto_limit, !explorer->auto_limit.on);
        explorer->changed = explorer->changed || explorer->auto_limit.on;
        break;
    case ACTION_AUTO_FREQUENCY:
        /* The present picture is judged again. */
        auto_frequency_switch(&explorer->auto_frequency, !explorer->auto_frequency.on);
        explorer->changed = explorer->changed || explorer->auto_frequency.on;
        break;
    case ACTION_ANTIALIAS: {
        /* Switched off, the picture of single samples is shown again at once. */
        struct scene *scene = &explorer->scene;
        explorer->changed = explorer->changed || scene->pixel_samples > 1;
        scene->pixel_samples = scene->pixel_samples > 1 ? 1 : explorer->samples;
        break;
    }
    case ACTION_RANDOM_PALETTE: {
        const struct palette *palette =
            palette_next_random(explorer->scene.palette, &explorer->random_palette);
        if (palette)
            explorer_set_palette(explorer, palette, false);
        break;
    }
    case ACTION_VARIANT:
        orbits_next_variant(&explorer->scene);
        explorer->changed = true;
        break;
    case ACTION_RESET_TONE:
        orbits_reset_tone(&explorer->scene.tone);
        explorer->tone_changed = true;
        break;
    default:
        break;
    }
}

static void go_home(struct explorer *explorer) {
    struct view before;
    motion_begin(explorer, MOTION_NONE);
    motion_end(explorer);
    view_init_copy(&before, &explorer->scene.view);
    home_view(&explorer->scene.view, &explorer->scene.fractal, explorer->width_px,
              explorer->height_px);
    motion_follow(explorer, &before);
    view_finish(&before);
}

void explorer_apply(struct explorer *explorer, const struct action *action) {
    struct history_state before;
    if (explorer_refusal(explorer, action))
        return;
    follow_pointer(explorer, action);
    if (motion_apply(explorer, action))
        return;
    if (action->kind == ACTION_ZOOM_SPEED) {
        motion_set_zoom_speed(explorer,
                              motion_zoom_speed(explorer) * pow(SPEED_STEP, action->amount));
    } else if (action->kind == ACTION_HOME) {
        go_home(explorer);
    } else if (action->kind == ACTION_UNDO) {
        steps_go_back(explorer, action->amount);
    } else {
        steps_remember(explorer, &before);
        change(explorer, action);
        steps_end(explorer, &before, action->kind == ACTION_STEP ? joined(action->setting) : 0);
    }
}

void explorer_goto(struct explorer *explorer, struct scene *scene) {
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
    steps_begin(explorer, 0);
    explorer->scene = *scene;
    explorer->scene.view = before.view;
    before.view = scene->view;
    scene_finish(&before);
    if (adapts)
        auto_frequency_switch(&explorer->auto_frequency, true);
    explorer->changed = true;
}

void explorer_set_palette(struct explorer *explorer, const struct palette *palette, bool step) {
    if (step && palette != explorer->scene.palette)
        motion_begin(explorer, MOTION_NONE);
    palette_replace(&explorer->scene.palette, palette);
    explorer->changed = true;
}

static bool move(struct explorer *explorer, enum setting_id id, const char *text,
                 struct setting_problem *problem) {
    struct scene scene;
    scene_init_copy(&scene, &explorer->scene);
    bool ok = field_set(&scene, id, text, problem);
    const char *misfit = ok ? scene_problem(&scene) : NULL;
    if (misfit) {
        snprintf(problem->why, sizeof problem->why, "is not possible (%s)", misfit);
        problem->joint = ":";
        ok = false;
    }
    const bool other = ok && !fractal_equal(&scene.fractal, &explorer->scene.fractal);
    const int width = explorer->width_px, height = explorer->height_px;
    if (other && (is_home(explorer) || !home_has_rival(&scene.view, &scene.fractal, width, height)))
        home_view(&scene.view, &scene.fractal, width, height);
    if (other || (ok && !view_equal(&scene.view, &explorer->scene.view)))
        explorer_goto(explorer, &scene);
    else
        scene_finish(&scene);
    return ok;
}

bool explorer_set(struct explorer *explorer, enum setting_id id, const char *text,
                  struct setting_problem *problem) {
    if (setting_table[id].invalidates == SETTING_REFERENCE)
        return move(explorer, id, text, problem);
    struct history_state before;
    steps_remember(explorer, &before);
    const bool ok = field_set(&explorer->scene, id, text, problem);
    if (ok) {
        follow_setting(explorer, id, false);
        if (id == SETTING_LIMIT && !explorer->scene.orbit_density)
            auto_limit_switch(&explorer->auto_limit, false);
    }
    steps_end(explorer, &before, joined(id));
    return ok;
}

void explorer_set_backend(struct explorer *explorer, const struct backend_info *info) {
    explorer->backend = *info;
}

void explorer_set_inertia(struct explorer *explorer, bool on) {
    explorer->inertia = on;
}

void explorer_reset_preferences(struct explorer *explorer) {
    steps_begin(explorer, 0);
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
    /* The pixel of the target that the screen shows where it zooms comes first. */
    const double complex middle = explorer->width_px / 2.0 + I * (explorer->height_px / 2.0);
    const double complex place = motion_place(explorer) - middle;
    const double complex focus =
        similarity_apply(similarity_inverse(explorer->camera), place) + middle;
    req->focus_x_px = (int)fmax(fmin(creal(focus), explorer->width_px - 1), 0);
    req->focus_y_px = (int)fmax(fmin(cimag(focus), explorer->height_px - 1), 0);
    if (req->method != METHOD_TILES && req->method != METHOD_ROWS)
        req->first_stride = 1; /* the others have no coarse lattice to show first */
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
