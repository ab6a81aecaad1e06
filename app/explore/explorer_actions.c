/* Table of the explorer's actions: when each is refused, and how it changes the scene or the
 * view. */
#include "app/explore/explorer_parts.h"
#include "app/explore/undo/steps.h"
#include "render/locate/home.h"
#include <math.h>

#define NOTCH_FACTOR    1.5 /* zoom of one wheel notch */
#define SPEED_STEP      1.4142135623730951
#define SLIDES_PER_VIEW 8
#define BOX_LEAST_PX    4
#define SPIN_LEAST_PX                                                                              \
    4 /* [px] minimum distance from the middle at which a pointer has a direction */

/* --- refusals --- */

static const char *refuse_julia(const struct explorer *explorer, const struct action *action) {
    (void)action;
    return explorer_setting_useless(explorer, SETTING_JULIA);
}

static const char *refuse_antialias(const struct explorer *explorer, const struct action *action) {
    (void)action;
    return explorer->scene.orbit_density ? "a Buddhabrot has its own samples" : NULL;
}

/* Returns why the scene with the changed setting cannot be drawn, or NULL if it can. */
static const char *setting_problem(const struct scene *scene, enum setting_id id, double amount,
                                   bool step) {
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

static const char *refuse_setting(const struct explorer *explorer, const struct action *action) {
    const enum setting_id id = explorer_setting_of(explorer, action->setting);
    const char *useless = explorer_setting_useless(explorer, id);
    const bool step = action->kind == ACTION_STEP;
    if (useless)
        return useless;
    if (!step && action->amount >= setting_choices(id))
        return "there is no such palette";
    return setting_problem(&explorer->scene, id, action->amount, step);
}

static const char *refuse_undo(const struct explorer *explorer, const struct action *action) {
    const struct history *history = &explorer->history;
    if (action->amount > 0)
        return history->at > 0 ? NULL : "nothing to undo";
    return history->at < history->count ? NULL : "nothing to redo";
}

static const char *refuse_zoom(const struct explorer *explorer, const struct action *action) {
    return action->amount < 0 && motion_at_bound(explorer) ? "fully zoomed out (R: home)" : NULL;
}

/* --- zooms and slides --- */

static void zoom(struct explorer *explorer, const struct action *action) {
    motion_zoom(explorer, MOTION_ZOOM, pow(NOTCH_FACTOR, action->amount), action->x, action->y);
}

static void zoom_middle(struct explorer *explorer, const struct action *action) {
    motion_zoom(explorer, MOTION_ZOOM, pow(NOTCH_FACTOR, action->amount), explorer->width_px / 2.0,
                explorer->height_px / 2.0);
}

/* Ends a drag, spin or box whose end event may never have arrived. */
static void free_hand(struct explorer *explorer) {
    struct motion *motion = &explorer->motion;
    motion->dragging = motion->spinning = motion->boxing = false;
}

static void centre(struct explorer *explorer, const struct action *action) {
    free_hand(explorer);
    motion_zoom_to(explorer, action->x + I * action->y,
                   cabs(explorer->camera.factor) * pow(NOTCH_FACTOR, action->amount));
}

static void slide(struct explorer *explorer, const struct action *action) {
    const double unit = fmax(round((double)explorer->height_px / SLIDES_PER_VIEW), 1);
    struct view before;
    motion_begin(explorer, MOTION_SLIDE);
    view_init_copy(&before, &explorer->scene.view);
    view_pan(&explorer->scene.view, action->x * unit, action->y * unit, explorer->height_px);
    motion_follow(explorer, &before);
    view_finish(&before);
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

static void undo(struct explorer *explorer, const struct action *action) {
    steps_undo(explorer, action->amount);
}

/* --- drags and pinches --- */

static void begin_drag(struct explorer *explorer) {
    explorer->motion.kind = MOTION_NONE;
    free_hand(explorer);
}

static void drag(struct explorer *explorer, const struct action *action) {
    explorer->motion.dragging = true;
    motion_drag(explorer, action->x, action->y);
}

static void end_drag(struct explorer *explorer, const struct action *action) {
    explorer->motion.dragging = false;
    if (!explorer->inertia)
        return;
    explorer->motion.glide_x = action->x;
    explorer->motion.glide_y = action->y;
}

static void pinch(struct explorer *explorer, const struct action *action) {
    gesture_pinch(explorer, action);
    explorer->motion.dragging = true;
}

/* --- rotation --- */

static void turn(struct explorer *explorer, const struct action *action) {
    const char *why;
    struct view before;
    motion_begin(explorer, MOTION_TURN);
    view_init_copy(&before, &explorer->scene.view);
    const double unit = fabs(action->amount), at = view_angle_degrees(&before) / unit;
    const double next = action->amount > 0 ? floor(at + 1e-9) + 1 : ceil(at - 1e-9) - 1;
    view_set_angle_degrees(&explorer->scene.view, next * unit, &why);
    motion_follow(explorer, &before);
    view_finish(&before);
}

static void spin(struct explorer *explorer, const struct action *action) {
    const double complex middle = explorer->width_px / 2.0 + I * (explorer->height_px / 2.0);
    const double complex from = action->from_x + I * action->from_y - middle;
    const double complex to = action->x + I * action->y - middle;
    explorer->motion.spinning = true;
    if (cabs(from) < SPIN_LEAST_PX || cabs(to) < SPIN_LEAST_PX || from == to)
        return;
    motion_begin(explorer, MOTION_TURN);
    view_rotate(&explorer->scene.view, carg(to / from)); /* y downwards: clockwise */
    motion_request_soon(explorer);
}

static void end_spin(struct explorer *explorer) {
    explorer->motion.spinning = false;
    explorer->motion.kind = MOTION_NONE;
}

/* --- boxes --- */

/* Draws the box from the corner where the button was pressed, in the window's shape. */
static void draw_box(struct explorer *explorer, const struct action *action) {
    struct motion *motion = &explorer->motion;
    const double right = action->x - action->from_x, down = action->y - action->from_y;
    const double part =
        fmin(fmax(fabs(right) / explorer->width_px, fabs(down) / explorer->height_px), 1);
    motion->boxing = fmax(fabs(right), fabs(down)) >= BOX_LEAST_PX;
    motion->box_x0 = action->from_x;
    motion->box_y0 = action->from_y;
    motion->box_x1 = action->from_x + copysign(part * explorer->width_px, right);
    motion->box_y1 = action->from_y + copysign(part * explorer->height_px, down);
}

static void zoom_to_box(struct explorer *explorer) {
    struct motion *motion = &explorer->motion;
    if (!motion->boxing)
        return;
    motion->boxing = false;
    const double complex a = motion->box_x0 + I * motion->box_y0;
    const double complex b = motion->box_x1 + I * motion->box_y1;
    const double part = fabs(creal(b - a)) / explorer->width_px;
    motion_zoom_to(explorer, (a + b) / 2, cabs(explorer->camera.factor) / part);
}

static void cancel_box(struct explorer *explorer) {
    explorer->motion.boxing = false;
}

/* --- held zooms, flights and gamepads --- */

static void hold(struct explorer *explorer, const struct action *action) {
    motion_hold(explorer, action->amount);
}

static void change_zoom_speed(struct explorer *explorer, const struct action *action) {
    motion_set_zoom_speed(explorer, motion_zoom_speed(explorer) * pow(SPEED_STEP, action->amount));
}

/* Flies: a held zoom whose speed and place change gradually. */
static void fly(struct explorer *explorer, const struct action *action) {
    struct motion *motion = &explorer->motion;
    course_leave(explorer);
    if (!motion->flown)
        motion_hold(explorer, 0);
    motion->flown = true;
    motion->fly_x_px = action->x;
    motion->fly_y_px = action->y;
    motion_hold(explorer, action->amount);
}

static void end_flight(struct explorer *explorer) {
    course_leave(explorer);
    if (!explorer->motion.flown)
        return;
    motion_hold(explorer, 0);
    explorer->motion.flown = false;
    explorer->motion.kind = MOTION_NONE;
}

/* Sticks at rest leave a flight alone. */
static void steer(struct explorer *explorer, const struct action *action) {
    if (action->x != 0 || action->y != 0 || action->amount != 0 || action->turn != 0)
        end_flight(explorer);
    gesture_steer(&explorer->motion.gesture, action);
}

static void let_go(struct explorer *explorer) {
    free_hand(explorer);
    explorer->motion.gesture.wanted = (struct gesture_course){0};
    if (!explorer->motion.flown)
        motion_hold(explorer, 0);
}

/* --- settings --- */

static void step(struct explorer *explorer, const struct action *action) {
    explorer_step_setting(explorer, explorer_setting_of(explorer, action->setting), action->amount);
}

static void choose(struct explorer *explorer, const struct action *action) {
    explorer_choose_setting(explorer, explorer_setting_of(explorer, action->setting),
                            (int)action->amount);
}

/* Switches the automatic limit. When on, it starts from the present picture's statistics, and no
 * sample is computed again. */
static void toggle_auto_limit(struct explorer *explorer) {
    auto_limit_switch(&explorer->auto_limit, !explorer->auto_limit.on);
    explorer->changed = explorer->changed || explorer->auto_limit.on;
}

/* Judges the colours of the present picture again. */
static void toggle_auto_frequency(struct explorer *explorer) {
    auto_frequency_switch(&explorer->auto_frequency, !explorer->auto_frequency.on);
    explorer->changed = explorer->changed || explorer->auto_frequency.on;
}

/* Shows the picture of single samples at once when anti-aliasing is switched off. */
static void toggle_antialias(struct explorer *explorer) {
    struct scene *scene = &explorer->scene;
    explorer->changed = explorer->changed || scene->pixel_samples > 1;
    scene->pixel_samples = scene->pixel_samples > 1 ? 1 : explorer->samples;
}

static void randomise_palette(struct explorer *explorer) {
    const struct palette *palette =
        palette_next_random(explorer->scene.palette, &explorer->random_palette);
    if (palette)
        explorer_set_palette(explorer, palette, false);
}

static void next_variant(struct explorer *explorer) {
    orbits_next_variant(&explorer->scene);
    explorer->changed = true;
}

static void reset_tone(struct explorer *explorer) {
    orbits_reset_tone(&explorer->scene.tone);
    explorer->tone_changed = true;
}

/* --- the table --- */

/* Position of the pointer after an action. */
enum pointer {
    POINTER_STAYS,
    POINTER_AT,      /* at (x, y) */
    POINTER_DRAGGED, /* at (from_x + x, from_y + y) */
    POINTER_CENTRED, /* in the middle of the picture */
};

/* Motions that continue during an action; others end before it. */
enum { KEEPS_GLIDE = 1, KEEPS_PINCH = 2 };

static const struct row {
    enum pointer pointer;
    bool hand; /* moves the view by hand, which ends a flight */
    /* Handler: `apply` if it needs the action's arguments, else `command`. Both are NULL if the row
     * only moves the pointer or if its caller applies it. */
    void (*apply)(struct explorer *explorer, const struct action *action);
    void (*command)(struct explorer *explorer);
    /* Returns why the action is impossible now, as static text, or NULL. NULL: it is always
     * possible. */
    const char *(*refuse)(const struct explorer *explorer, const struct action *action);
    enum setting_use use; /* kind of pictures that have the action */
    bool undoable; /* the change is one undo step; the other actions record their own steps */
    int keeps;
} rows[ACTION_COUNT] = {
    [ACTION_NONE] = {.keeps = KEEPS_GLIDE | KEEPS_PINCH},
    [ACTION_POINT] = {POINTER_AT, .keeps = KEEPS_GLIDE | KEEPS_PINCH},
    [ACTION_ZOOM] = {POINTER_AT, true, .apply = zoom, .refuse = refuse_zoom},
    [ACTION_ZOOM_MIDDLE] = {POINTER_STAYS, true, .apply = zoom_middle, .refuse = refuse_zoom},
    [ACTION_GRAB] = {POINTER_AT, true, .command = begin_drag},
    [ACTION_DRAG] = {POINTER_DRAGGED, true, .apply = drag},
    [ACTION_DRAG_END] = {.apply = end_drag},
    [ACTION_SPIN] = {POINTER_AT, true, .apply = spin},
    [ACTION_SPIN_END] = {.command = end_spin},
    [ACTION_BOX] = {POINTER_AT, true, .apply = draw_box},
    [ACTION_BOX_END] = {.command = zoom_to_box},
    [ACTION_BOX_CANCEL] = {.command = cancel_box},
    [ACTION_CENTRE] = {POINTER_AT, true, .apply = centre},
    [ACTION_PINCH] = {POINTER_AT, true, .apply = pinch, .keeps = KEEPS_PINCH},
    [ACTION_STEER] = {POINTER_CENTRED, false, .apply = steer, .keeps = KEEPS_PINCH},
    [ACTION_TURN] = {POINTER_STAYS, true, .apply = turn},
    [ACTION_GLIDE_ZOOM] = {POINTER_STAYS, true, .apply = hold, .refuse = refuse_zoom},
    [ACTION_FLY] = {.apply = fly},
    [ACTION_LET_GO] = {.command = let_go},
    [ACTION_ZOOM_SPEED] = {.apply = change_zoom_speed},
    [ACTION_UNDO] = {.apply = undo, .refuse = refuse_undo},
    [ACTION_SLIDE] = {POINTER_STAYS, true, .apply = slide},
    [ACTION_HOME] = {.command = go_home},
    [ACTION_JULIA] = {.refuse = refuse_julia},
    [ACTION_STEP] = {.apply = step, .refuse = refuse_setting, .undoable = true},
    [ACTION_CHOOSE] = {.apply = choose, .refuse = refuse_setting, .undoable = true},
    [ACTION_RANDOM_PALETTE] = {.command = randomise_palette,
                               .use = SETTING_OF_ESCAPE,
                               .undoable = true},
    [ACTION_AUTO_LIMIT] = {.command = toggle_auto_limit,
                           .use = SETTING_OF_ESCAPE,
                           .undoable = true},
    [ACTION_AUTO_FREQUENCY] = {.command = toggle_auto_frequency,
                               .use = SETTING_OF_ESCAPE,
                               .undoable = true},
    [ACTION_ANTIALIAS] = {.command = toggle_antialias,
                          .refuse = refuse_antialias,
                          .undoable = true},
    [ACTION_VARIANT] = {.command = next_variant, .use = SETTING_OF_DENSITY, .undoable = true},
    [ACTION_RESET_TONE] = {.command = reset_tone, .use = SETTING_OF_DENSITY, .undoable = true},
};

const char *explorer_refusal(const struct explorer *explorer, const struct action *action) {
    const struct row *row = &rows[action->kind];
    const bool density = explorer->scene.orbit_density;
    if (row->use == SETTING_OF_DENSITY && !density)
        return EXPLORER_ONLY_DENSITY;
    if (row->use == SETTING_OF_ESCAPE && density)
        return EXPLORER_NOT_DENSITY;
    return row->refuse ? row->refuse(explorer, action) : NULL;
}

static void move_pointer(struct explorer *explorer, enum pointer pointer,
                         const struct action *action) {
    const bool dragged = pointer == POINTER_DRAGGED, centred = pointer == POINTER_CENTRED;
    const double x =
        centred ? explorer->width_px / 2.0 : action->x + (dragged ? action->from_x : 0);
    const double y =
        centred ? explorer->height_px / 2.0 : action->y + (dragged ? action->from_y : 0);
    if (pointer == POINTER_STAYS)
        return;
    explorer->pointer_x_px = fmax(fmin(x, explorer->width_px - 1), 0);
    explorer->pointer_y_px = fmax(fmin(y, explorer->height_px - 1), 0);
}

void explorer_apply(struct explorer *explorer, const struct action *action) {
    const struct row *row = &rows[action->kind];
    struct history_state before;
    if (explorer_refusal(explorer, action))
        return;
    move_pointer(explorer, row->pointer, action);
    if (!(row->keeps & KEEPS_GLIDE))
        motion_stop_glide(&explorer->motion);
    if (!(row->keeps & KEEPS_PINCH))
        gesture_end_pinch(&explorer->motion.gesture);
    if (row->hand)
        end_flight(explorer);
    if (row->undoable)
        steps_remember(explorer, &before);
    if (row->apply)
        row->apply(explorer, action);
    else if (row->command)
        row->command(explorer);
    if (row->undoable)
        steps_end(explorer, &before, explorer_undo_key(action->setting));
}
