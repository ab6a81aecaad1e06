/* The state machine of exploring. */
#include "app/explorer.h"
#include <math.h>

#define NOTCH_FACTOR    1.5   /* zoom of one wheel notch */
#define SETTLE_MS       50.0  /* the camera's time constant: 95% of the way in 150 ms */
#define SETTLED_PX      0.25  /* closer than that it snaps */
#define JUMP_PX         20000 /* a way so long is not animated */
#define JUMP_FACTOR     500
#define REST_MS         120 /* after the last change the view counts as resting */
#define STEP_MAX_MS     100 /* a stopped clock or a long turn must not skip an animation */
#define LEARN_MS        2.0 /* shorter pictures say little about speed */
#define SLIDES_PER_VIEW 8

void explorer_init(struct explorer *explorer, struct scene *scene, int width_px, int height_px) {
    *explorer = (struct explorer){
        .scene = *scene,
        .shortcuts = SHORTCUTS_ALL,
        .camera = similarity_identity,
        .width_px = width_px,
        .height_px = height_px,
        .pointer_x_px = width_px / 2.0,
        .pointer_y_px = height_px / 2.0,
        .changed = true,
        .quiet_ms = REST_MS,
    };
    if (scene->counting)
        orbits_fit(&explorer->scene);
}

void explorer_finish(struct explorer *explorer) {
    scene_finish(&explorer->scene);
}

static void touch(struct explorer *explorer) {
    explorer->changed = true;
    explorer->quiet_ms = 0;
}

/* Keeps the screen as it was although the target has moved on from `before`. */
static void follow(struct explorer *explorer, const struct view *before) {
    const int height = explorer->height_px;
    const struct similarity way = similarity_between(before, height, &explorer->scene.view, height);
    const struct similarity camera = similarity_compose(explorer->camera, way);
    const double factor = cabs(camera.factor);
    const bool far = !(factor < JUMP_FACTOR && factor > 1.0 / JUMP_FACTOR) ||
                     !(similarity_displacement(camera, explorer->width_px, height) < JUMP_PX);
    explorer->camera = far ? similarity_identity : camera;
}

void explorer_resize(struct explorer *explorer, int width_px, int height_px) {
    if (explorer->width_px == width_px && explorer->height_px == height_px)
        return;
    explorer->width_px = width_px;
    explorer->height_px = height_px;
    explorer->pointer_x_px = fmin(explorer->pointer_x_px, width_px - 1);
    explorer->pointer_y_px = fmin(explorer->pointer_y_px, height_px - 1);
    touch(explorer);
}

/* Zooms the target such that what the screen shows at (x, y) stays there all the way: when the
 * camera is still moving, that point first has to become the target's point at (x, y). */
static void zoom(struct explorer *explorer, double notches, double x_px, double y_px) {
    struct view before;
    view_init_copy(&before, &explorer->scene.view);
    struct view *view = &explorer->scene.view;
    const double complex middle = explorer->width_px / 2.0 + I * (explorer->height_px / 2.0);
    const double complex here = x_px + I * y_px - middle;
    const double complex there = similarity_apply(similarity_inverse(explorer->camera), here);
    if (there != here)
        view_pan(view, creal(there - here), cimag(there - here), explorer->height_px);
    view_zoom_at(view, pow(NOTCH_FACTOR, notches), x_px, y_px, explorer->width_px,
                 explorer->height_px);
    follow(explorer, &before);
    view_finish(&before);
    touch(explorer);
}

static void slide(struct explorer *explorer, double x, double y) {
    const double unit = fmax(round((double)explorer->height_px / SLIDES_PER_VIEW), 1);
    struct view before;
    view_init_copy(&before, &explorer->scene.view);
    view_pan(&explorer->scene.view, x * unit, y * unit, explorer->height_px);
    follow(explorer, &before);
    view_finish(&before);
    touch(explorer);
}

static void drag(struct explorer *explorer, double x_px, double y_px) {
    explorer->dragging = true;
    view_pan(&explorer->scene.view, -x_px, -y_px, explorer->height_px);
    touch(explorer);
}

static void go_home(struct explorer *explorer) {
    struct view before;
    view_init_copy(&before, &explorer->scene.view);
    view_home(&explorer->scene.view);
    follow(explorer, &before);
    view_finish(&before);
    touch(explorer);
}

/* The ladder 1, 2, 5, 10, 20, 50 ... up to the largest limit. */
static uint32_t next_limit(uint32_t limit, bool up) {
    uint64_t below = 1, above = 1;
    for (int rung = 0; above <= limit && above < FRAME_LIMIT_MAX; rung++) {
        below = above < limit ? above : below;
        above = rung % 3 == 1 ? above / 2 * 5 : above * 2;
    }
    if (up)
        return above < FRAME_LIMIT_MAX ? (uint32_t)above : FRAME_LIMIT_MAX;
    return (uint32_t)below;
}

static uint32_t climb(uint32_t limit, double steps) {
    for (; steps >= 1; steps--)
        limit = next_limit(limit, true);
    for (; steps <= -1; steps++)
        limit = next_limit(limit, false);
    return limit;
}

static void change_limit(struct explorer *explorer, double steps) {
    struct scene *scene = &explorer->scene;
    scene->limit = climb(scene->counting ? orbits_limit(scene) : scene->limit, steps);
    if (scene->counting || scene->orbits.channels > 1)
        orbits_set_limit(scene, scene->limit);
    if (!scene->counting)
        auto_limit_switch(&explorer->auto_limit, false);
    explorer->changed = true;
}

/* The picture as it is says where to begin; all of it is kept. */
static void switch_auto_limit(struct explorer *explorer) {
    auto_limit_switch(&explorer->auto_limit, !explorer->auto_limit.on);
    explorer->changed = explorer->changed || explorer->auto_limit.on;
}

/* log2 of the zoom. */
static double depth_of(const struct explorer *explorer) {
    return 2 - view_step_log2(&explorer->scene.view, 1);
}

static void change_least(struct explorer *explorer, double steps) {
    const uint32_t before = explorer->scene.orbits.least;
    orbits_set_least(&explorer->scene, climb(density_least(&explorer->scene.orbits), steps));
    explorer->changed = explorer->changed || explorer->scene.orbits.least != before;
}

static void next_palette(struct explorer *explorer) {
    size_t at = 0;
    while (at < palette_count() && palette_at(at) != explorer->scene.palette)
        at++;
    explorer->scene.palette = palette_at((at + 1) % palette_count());
}

static void next_method(struct explorer *explorer) {
    explorer->scene.method = (explorer->scene.method + 1) % METHOD_COUNT;
    explorer->changed = true;
}

static void switch_kind(struct explorer *explorer) {
    explorer->scene.counting = !explorer->scene.counting;
    if (explorer->scene.counting)
        orbits_fit(&explorer->scene);
    explorer->changed = true;
}

static void change_colours(struct explorer *explorer) {
    if (explorer->scene.counting)
        orbits_next_ramp(&explorer->scene.tone);
    else
        next_palette(explorer);
    explorer->retoned = explorer->scene.counting;
    explorer->changed = explorer->changed || !explorer->scene.counting;
}

/* Actions that mean something for density pictures only. */
static void apply_density(struct explorer *explorer, const struct action *action) {
    struct scene *scene = &explorer->scene;
    switch (action->kind) {
    case ACTION_VARIANT:
        orbits_next_variant(scene);
        explorer->changed = true;
        break;
    case ACTION_LEAST:
        change_least(explorer, action->amount);
        break;
    case ACTION_CURVE:
        scene->tone.curve = (scene->tone.curve + 1) % TONE_CURVE_COUNT;
        explorer->retoned = true;
        break;
    case ACTION_EXPOSURE:
        orbits_expose(&scene->tone, action->amount);
        explorer->retoned = true;
        break;
    case ACTION_GAMMA:
        orbits_bend(&scene->tone, action->amount);
        explorer->retoned = true;
        break;
    default:
        break;
    }
}

static void point(struct explorer *explorer, double x_px, double y_px) {
    explorer->pointer_x_px = fmax(fmin(x_px, explorer->width_px - 1), 0);
    explorer->pointer_y_px = fmax(fmin(y_px, explorer->height_px - 1), 0);
}

const char *explorer_useless(const struct explorer *explorer, const struct action *action) {
    const struct scene *scene = &explorer->scene;
    switch (action->kind) {
    case ACTION_VARIANT:
    case ACTION_LEAST:
    case ACTION_CURVE:
    case ACTION_EXPOSURE:
    case ACTION_GAMMA:
        if (!scene->counting)
            return "that is for orbit density, which D shows";
        return action->kind == ACTION_LEAST && scene->orbits.orbits == DENSITY_BOUNDED
                   ? "bounded orbits have no shortest one"
                   : NULL;
    case ACTION_METHOD:
        return scene->counting ? "orbit density has no drawing method" : NULL;
    case ACTION_AUTO_LIMIT:
        return scene->counting ? "that is for escape time" : NULL;
    default:
        return NULL;
    }
}

void explorer_apply(struct explorer *explorer, const struct action *action) {
    if (explorer_useless(explorer, action))
        return;
    switch (action->kind) {
    case ACTION_POINT:
        point(explorer, action->x, action->y);
        break;
    case ACTION_ZOOM:
        point(explorer, action->x, action->y);
        zoom(explorer, action->amount, action->x, action->y);
        break;
    case ACTION_ZOOM_MIDDLE:
        zoom(explorer, action->amount, explorer->width_px / 2.0, explorer->height_px / 2.0);
        break;
    case ACTION_DRAG:
        drag(explorer, action->x, action->y);
        break;
    case ACTION_DRAG_END:
        explorer->dragging = false;
        break;
    case ACTION_SLIDE:
        slide(explorer, action->x, action->y);
        break;
    case ACTION_LIMIT:
        change_limit(explorer, action->amount);
        break;
    case ACTION_AUTO_LIMIT:
        switch_auto_limit(explorer);
        break;
    case ACTION_PRECISION:
        explorer->scene.precision = (explorer->scene.precision + 1) % PRECISION_COUNT;
        explorer->changed = true;
        break;
    case ACTION_METHOD:
        next_method(explorer);
        break;
    case ACTION_PALETTE:
        change_colours(explorer);
        break;
    case ACTION_DENSITY:
        switch_kind(explorer);
        break;
    case ACTION_HOME:
        go_home(explorer);
        break;
    default:
        apply_density(explorer, action);
        break;
    }
}

void explorer_goto(struct explorer *explorer, struct scene *scene) {
    struct scene before = explorer->scene;
    explorer->scene = *scene;
    if (scene->counting)
        orbits_fit(&explorer->scene);
    follow(explorer, &before.view);
    scene_finish(&before);
    touch(explorer);
}

void explorer_redraw(struct explorer *explorer, bool forget_speed) {
    for (int type = 0; forget_speed && type < TYPE_COUNT; type++)
        explorer->speed[type] = 0;
    explorer->changed = true;
}

bool explorer_animating(const struct explorer *explorer) {
    return explorer->camera.factor != similarity_identity.factor ||
           explorer->camera.offset != similarity_identity.offset;
}

bool explorer_moving(const struct explorer *explorer) {
    return explorer->dragging || explorer->quiet_ms < REST_MS || explorer_animating(explorer);
}

static struct plan make_plan(const struct explorer *explorer) {
    struct plan_input input = {
        .view = &explorer->scene.view,
        .width_px = explorer->width_px,
        .height_px = explorer->height_px,
        .limit = explorer->scene.limit,
        .precision = explorer->scene.precision,
        .moving = explorer_moving(explorer),
    };
    for (int type = 0; type < TYPE_COUNT; type++)
        input.iterations_per_ms[type] = explorer->speed[type];
    return plan_frame(&input);
}

void explorer_advance(struct explorer *explorer, double elapsed_ms) {
    const double ms = fmax(fmin(elapsed_ms, STEP_MAX_MS), 0);
    const bool was_moving = explorer_moving(explorer);
    explorer->quiet_ms += ms;
    explorer->camera = similarity_settle(explorer->camera, exp(-ms / SETTLE_MS));
    if (similarity_displacement(explorer->camera, explorer->width_px, explorer->height_px) <
        SETTLED_PX)
        explorer->camera = similarity_identity;
    if (was_moving && !explorer_moving(explorer) && !explorer->scene.counting &&
        make_plan(explorer).type != explorer->plan.type)
        explorer->changed = true;
}

/* The pixel of the target that the screen shows at the pointer comes first. */
static void set_focus(const struct explorer *explorer, struct frame_req *req) {
    const double complex middle = explorer->width_px / 2.0 + I * (explorer->height_px / 2.0);
    const double complex pointer = explorer->pointer_x_px + I * explorer->pointer_y_px - middle;
    const double complex focus =
        similarity_apply(similarity_inverse(explorer->camera), pointer) + middle;
    req->focus_x_px = (int)fmax(fmin(creal(focus), explorer->width_px - 1), 0);
    req->focus_y_px = (int)fmax(fmin(cimag(focus), explorer->height_px - 1), 0);
}

void explorer_request(struct explorer *explorer, struct frame_req *req) {
    struct scene *scene = &explorer->scene;
    if (!scene->counting)
        scene->limit = auto_limit_follow(&explorer->auto_limit, scene->limit, depth_of(explorer));
    explorer->plan = make_plan(explorer);
    scene_request(&explorer->scene, explorer->width_px, explorer->height_px, &explorer->plan, req);
    set_focus(explorer, req);
    if (req->method != METHOD_TILES && req->method != METHOD_ROWS)
        req->first_stride = 1; /* the others have no coarse lattice to show first */
    req->shortcuts = explorer->shortcuts;
    req->reuse = true;
    req->generation = ++explorer->generation;
    explorer->changed = explorer->retoned = false;
}

void explorer_density_request(struct explorer *explorer, struct frame_req *req,
                              struct density_req *density) {
    explorer_request(explorer, req);
    scene_density_request(&explorer->scene, req->width_px, req->height_px, density);
    density->generation = req->generation;
    req->type = density->type;
    req->first_stride = 1;
}

void explorer_learn(struct explorer *explorer, const struct backend_report *report) {
    if (explorer->scene.counting || report->generation != explorer->generation ||
        report->iterations + report->skipped == 0 || report->elapsed_ms < LEARN_MS)
        return;
    explorer->speed[explorer->plan.type] =
        (double)(report->iterations + report->skipped) / report->elapsed_ms;
}

void explorer_judge(struct explorer *explorer, const struct statistics *statistics) {
    struct scene *scene = &explorer->scene;
    if (scene->counting || explorer->changed)
        return;
    const uint32_t limit =
        auto_limit_judge(&explorer->auto_limit, statistics, scene->limit, depth_of(explorer),
                         explorer->speed[explorer->plan.type], explorer_moving(explorer));
    explorer->changed = limit != scene->limit;
    scene->limit = limit;
}
