/* Motion: moves the explorer's target and camera, and decides when motion requires a new
 * picture. */
#include "app/explore/motion/motion.h"
#include "app/explore/explorer.h"
#include "app/explore/undo/steps.h"
#include "app/options/options.h"
#include <math.h>

#define SETTLE_MS           50.0 /* time constant of the camera */
#define SETTLE_SLOWEST      0.08 /* [px/ms] minimum speed of the camera */
#define SOON_SHARE          0.03 /* share of the width within which the camera has almost arrived */
#define SETTLED_PX          0.5  /* distance from the target at which the camera jumps to it */
#define JUMP_PX             20000 /* a longer way is not animated */
#define JUMP_FACTOR         500   /* nor a larger zoom */
#define STEP_MS             400.0 /* rest that ends an undo step */
#define RENEW_MS            120.0 /* minimum interval between unrelated complete pictures */
#define SERVE_MS            500.0 /* time before an incomplete picture is replaced in a held zoom */
#define SERVE_LEAST_MS      250.0 /* the same in other motion */
#define PATIENCE_MS         600.0 /* the same for a picture that was not seen yet */
#define NOTCH_MS            150.0 /* the same between notches of a wheel */
#define OUTERMOST_STEP_LOG2 6.0   /* zooming out ends at a zoom of 1/16: the set is a speck */
#define BOUND_SLACK         1e-6  /* rounding error of that bound */
#define AHEAD_MS            150.0 /* minimum time by which the target of a held zoom is ahead */
#define END_MS              50.0  /* time in which a released zoom slows down */
#define AHEAD_MOST          3.5   /* [e-folds] maximum lead that the screen can follow */
#define ZOOM_ONCE_MOST      600.0 /* [e-folds] maximum zoom whose factor fits a double */
#define AHEAD_OUT_MS        250.0 /* more lead outwards, because the edges show nothing else */
#define LEAST_OUT_MS        200.0 /* minimum lead outwards */
#define COURSE_LEFT_MS      200.0 /* minimum time by which the target of a course is ahead */
#define GLIDE_MS            220.0 /* time constant of a glide */
#define GLIDE_SLOWEST       0.04  /* [px/ms] speed at which a glide ends */

void motion_target_changed(struct explorer *explorer) {
    explorer->changed = true;
    explorer->quiet_ms = 0;
}

void motion_request_soon(struct explorer *explorer) {
    explorer->motion.renew = true;
    explorer->quiet_ms = 0;
}

/* Returns true if the picture in flight may soon be seen for the first time, which quick notches
 * would prevent repeatedly. */
static bool in_sight_soon(const struct explorer *explorer) {
    const struct motion *motion = &explorer->motion;
    return explorer->generation > 0 && !explorer->changed && !explorer->scene.orbit_density &&
           !motion->seen && motion->since_request_ms < NOTCH_MS;
}

void motion_begin(struct explorer *explorer, enum motion_kind kind) {
    if (explorer->motion.gesture.steering && kind != MOTION_NONE)
        kind = MOTION_STEER;
    if (kind == MOTION_NONE || kind != explorer->motion.kind)
        steps_begin(explorer);
    explorer->motion.kind = kind;
}

static void keep_screen(struct explorer *explorer, const struct view *before) {
    const int height = explorer->height_px;
    const struct similarity way = similarity_between(before, height, &explorer->scene.view, height);
    const struct similarity camera = similarity_compose(explorer->camera, way);
    const double factor = cabs(camera.factor);
    const bool far = !(factor < JUMP_FACTOR && factor > 1.0 / JUMP_FACTOR) ||
                     !(similarity_displacement(camera, explorer->width_px, height) < JUMP_PX);
    explorer->camera = far ? similarity_identity : camera;
    if (far)
        auto_frequency_restart(&explorer->auto_frequency);
}

void motion_follow(struct explorer *explorer, const struct view *before) {
    keep_screen(explorer, before);
    motion_target_changed(explorer);
}

static double complex middle(const struct explorer *explorer) {
    return explorer->width_px / 2.0 + I * (explorer->height_px / 2.0);
}

/* Returns the point of the target that the screen shows at `place`, in pixels from the middle. */
static double complex in_target(const struct explorer *explorer, double complex place) {
    return similarity_apply(similarity_inverse(explorer->camera), place);
}

bool motion_at_bound(const struct explorer *explorer) {
    return view_step_log2(&explorer->scene.view, 1) >= OUTERMOST_STEP_LOG2 - BOUND_SLACK;
}

double motion_within_bound(const struct explorer *explorer, double factor) {
    const double left = view_step_log2(&explorer->scene.view, 1) - OUTERMOST_STEP_LOG2;
    if (factor >= 1)
        return factor;
    return motion_at_bound(explorer) ? 1 : fmax(factor, exp2(left));
}

/* If the camera still moves, the point on the screen first becomes the target's point at (x, y). */
void motion_zoom(struct explorer *explorer, enum motion_kind kind, double factor, double x_px,
                 double y_px) {
    struct view view;
    const bool out = factor < 1;
    factor = motion_within_bound(explorer, factor);
    if (out && factor == 1)
        return;
    const double complex here = x_px + I * y_px - middle(explorer);
    const double complex there = in_target(explorer, here);
    view_init_copy(&view, &explorer->scene.view);
    if (there != here)
        view_pan(&view, creal(there - here), cimag(there - here), explorer->height_px);
    view_zoom_at(&view, factor, x_px, y_px, explorer->width_px, explorer->height_px);
    if (!view_equal(&view, &explorer->scene.view)) { /* equal at the end of the zoom range */
        motion_begin(explorer, kind);
        const struct view before = explorer->scene.view;
        explorer->scene.view = view;
        view = before;
        keep_screen(explorer, &view);
        if (kind == MOTION_HOLD || in_sight_soon(explorer))
            motion_request_soon(explorer);
        else
            motion_target_changed(explorer);
    }
    view_finish(&view);
}

void motion_zoom_to(struct explorer *explorer, double complex place, double factor) {
    struct view before;
    struct view *view = &explorer->scene.view;
    const double complex there = in_target(explorer, place - middle(explorer));
    motion_begin(explorer, MOTION_NONE);
    motion_end(explorer);
    view_init_copy(&before, view);
    view_pan(view, creal(there), cimag(there), explorer->height_px);
    view_zoom_at(view, factor, creal(middle(explorer)), cimag(middle(explorer)), explorer->width_px,
                 explorer->height_px);
    motion_follow(explorer, &before);
    view_finish(&before);
}

void motion_drag(struct explorer *explorer, double x_px, double y_px) {
    if (x_px == 0 && y_px == 0)
        return;
    motion_begin(explorer, MOTION_DRAG);
    view_pan(&explorer->scene.view, -x_px, -y_px, explorer->height_px);
    if (explorer->scene.view.angle == 0)
        motion_target_changed(explorer);
    else
        motion_request_soon(explorer);
}

/* --- held zooms and glides --- */

double motion_zoom_speed(const struct explorer *explorer) {
    const struct motion *motion = &explorer->motion;
    return motion->flown ? explorer->zoom_speed : explorer->zoom_speed * motion->speed.factor;
}

static double hold_ms(const struct explorer *explorer) {
    return HOLD_MS / motion_zoom_speed(explorer);
}

void motion_set_zoom_speed(struct explorer *explorer, double speed) {
    const double least = ZOOM_SPEED_MIN, most = ZOOM_SPEED_MAX;
    explorer->zoom_speed = fmin(fmax(round(speed * 100) / 100, least), most);
    hold_speed_init(&explorer->motion.speed, false);
    if (explorer->motion.hold != 0)
        explorer->motion.hold = copysign(1 / hold_ms(explorer), explorer->motion.hold);
}

/* Returns the e-folds of a held zoom in that time, at most AHEAD_MOST. */
static double held_in(const struct explorer *explorer, double ms) {
    return fmin(ms / hold_ms(explorer), AHEAD_MOST);
}

/* Returns the lead of a held zoom's target over the screen, in e-folds. */
static double left_to_hold(const struct explorer *explorer) {
    const double behind = -log(cabs(explorer->camera.factor));
    return explorer->motion.hold > 0 ? behind : -behind;
}

double complex motion_place(const struct explorer *explorer) {
    const struct motion *motion = &explorer->motion;
    if (motion->course)
        return middle(explorer);
    return motion->flown ? motion->fly_x_px + I * motion->fly_y_px
                         : explorer->pointer_x_px + I * explorer->pointer_y_px;
}

/* Moves the target to this lead over the screen. At the end of the zoom range it cannot move, and
 * the screen stays. */
static void go_ahead(struct explorer *explorer, double ahead_ms) {
    const double more = held_in(explorer, ahead_ms) - left_to_hold(explorer);
    const double complex place = motion_place(explorer);
    motion_zoom(explorer, MOTION_HOLD, exp(copysign(1, explorer->motion.hold) * more), creal(place),
                cimag(place));
    if (left_to_hold(explorer) <= 0)
        explorer->camera = similarity_identity;
}

/* Ends the undo step, except in flight: a whole flight is one step. */
static void end_step(struct motion *motion) {
    if (!motion->flown)
        motion->kind = MOTION_NONE;
}

static void end_hold(struct explorer *explorer) {
    const double least = fmax(END_MS, AHEAD_MS - explorer->motion.held_ms); /* taps are visible */
    const double ahead = explorer->motion.flown ? 0 : least; /* flights slow down themselves */
    if (explorer->motion.hold == 0)
        return;
    if (left_to_hold(explorer) > held_in(explorer, ahead))
        go_ahead(explorer, ahead);
    explorer->motion.hold = 0;
    end_step(&explorer->motion);
}

/* Returns the time by which a held zoom's target should lead: its picture is complete when the
 * screen arrives. */
static double ahead_ms(const struct motion *motion) {
    const double in = fmax(AHEAD_MS, motion->took_ms);
    return motion->hold < 0 ? in + AHEAD_OUT_MS : in;
}

/* Returns the fraction of the camera's way that is left after that time: an exponential decay of a
 * slightly longer way. */
static double left_to_settle(const struct explorer *explorer, double ms) {
    const double way = similarity_way(explorer->camera, explorer->width_px, explorer->height_px);
    const double more = way > 0 ? SETTLE_SLOWEST * SETTLE_MS / way : 0;
    return fmin(fmax((1 + more) * exp(-ms / SETTLE_MS) - more, 0), 1);
}

/* Returns the camera when the screen shows the course's view after that time. */
static struct similarity camera_on_course(const struct explorer *explorer, double ms) {
    const struct course *course = explorer->motion.course;
    struct view view;
    view_init(&view);
    course->view_after(course->user, ms, &view);
    const struct similarity camera =
        similarity_between(&view, explorer->height_px, &explorer->scene.view, explorer->height_px);
    view_finish(&view);
    return camera;
}

struct similarity motion_camera_after(const struct explorer *explorer, double ms) {
    if (explorer->motion.course)
        return camera_on_course(explorer, ms);
    if (explorer->motion.hold == 0)
        return similarity_towards_identity(explorer->camera, left_to_settle(explorer, ms));
    const double complex place = motion_place(explorer) - middle(explorer);
    const double factor = exp(explorer->motion.hold * ms);
    const struct similarity about = {factor, place - factor * place};
    return similarity_compose(about, explorer->camera);
}

bool motion_view_after(const struct explorer *explorer, double ms, struct view *view) {
    const double in = log(cabs(explorer->camera.factor)) + explorer->motion.hold * ms;
    const double complex place = in_target(explorer, motion_place(explorer) - middle(explorer));
    const int width = explorer->width_px, height = explorer->height_px;
    const struct course *course = explorer->motion.course;
    if (course) {
        course->view_after(course->user, ms, view);
        return mpfr_greater_p(view->zoom, explorer->scene.view.zoom);
    }
    if (!(explorer->motion.hold > 0))
        return false;
    view_assign(view, &explorer->scene.view);
    view_pan(view, creal(place), cimag(place), height);
    view_zoom_at(view, exp(fmin(in, ZOOM_ONCE_MOST)), width / 2.0, height / 2.0, width, height);
    return true;
}

static void advance_hold(struct explorer *explorer, double ms) {
    explorer->motion.held_ms += ms;
    explorer->camera = motion_camera_after(explorer, ms);
    const bool out = explorer->motion.hold < 0;
    if (left_to_hold(explorer) <= (out ? LEAST_OUT_MS / hold_ms(explorer) : 0))
        go_ahead(explorer, ahead_ms(&explorer->motion));
}

/* Moves the target ahead before the screen reaches it. */
static void advance_course(struct explorer *explorer, double ms) {
    struct motion *motion = &explorer->motion;
    motion->course_left_ms -= ms;
    if (motion->course_left_ms < COURSE_LEFT_MS) {
        struct view then;
        view_init(&then);
        motion->course_left_ms = ahead_ms(motion) + AHEAD_OUT_MS;
        motion->course->view_after(motion->course->user, motion->course_left_ms, &then);
        if (!view_equal(&then, &explorer->scene.view)) {
            view_assign(&explorer->scene.view, &then);
            motion_request_soon(explorer);
        }
        view_finish(&then);
    }
    explorer->camera = camera_on_course(explorer, 0);
}

void motion_hold(struct explorer *explorer, double speed) {
    if (speed * explorer->motion.hold > 0) {
        explorer->motion.hold = speed / hold_ms(explorer);
        return;
    }
    end_hold(explorer);
    if (speed == 0)
        return;
    end_step(&explorer->motion);
    explorer->motion.held_ms = 0;
    explorer->motion.hold = speed / hold_ms(explorer);
    if (left_to_hold(explorer) < held_in(explorer, AHEAD_MS))
        go_ahead(explorer, AHEAD_MS);
}

void motion_stop_glide(struct motion *motion) {
    motion->glide_x = motion->glide_y = 0;
    motion->remainder_x_px = motion->remainder_y_px = 0;
}

static bool gliding(const struct motion *motion) {
    return motion->glide_x != 0 || motion->glide_y != 0;
}

/* Glides by whole pixels, so that pictures share them. */
static void advance_glide(struct explorer *explorer, double ms) {
    struct motion *motion = &explorer->motion;
    const double slower = exp(-ms / GLIDE_MS), time = GLIDE_MS * (1 - slower);
    motion->remainder_x_px += motion->glide_x * time;
    motion->remainder_y_px += motion->glide_y * time;
    const double x = trunc(motion->remainder_x_px), y = trunc(motion->remainder_y_px);
    motion->remainder_x_px -= x;
    motion->remainder_y_px -= y;
    motion->glide_x *= slower;
    motion->glide_y *= slower;
    motion_drag(explorer, x, y);
    if (hypot(motion->glide_x, motion->glide_y) < GLIDE_SLOWEST)
        motion_stop_glide(motion);
}

static void approach_target(struct explorer *explorer, double ms) {
    explorer->camera = motion_camera_after(explorer, ms);
    if (similarity_displacement(explorer->camera, explorer->width_px, explorer->height_px) <
        SETTLED_PX)
        explorer->camera = similarity_identity;
}

/* Returns true if the picture in flight may be replaced. If each were replaced at once, none would
 * get beyond its first pass. */
static bool renewal_due(const struct explorer *explorer) {
    const struct motion *motion = &explorer->motion;
    if (motion->complete || explorer->scene.orbit_density)
        return motion->since_request_ms >= RENEW_MS;
    if (!motion->seen)
        return motion->since_request_ms >= PATIENCE_MS;
    return motion->since_request_ms >= (motion->hold != 0 ? SERVE_MS : SERVE_LEAST_MS);
}

/* Requests a target that has moved. The time of the present picture is the estimate for the next
 * one. */
static void renew(struct explorer *explorer) {
    struct motion *motion = &explorer->motion;
    if (motion->hold != 0 && !motion->complete)
        motion->took_ms = fmin(motion->since_request_ms, SERVE_MS);
    if (motion->hold != 0 && left_to_hold(explorer) < held_in(explorer, ahead_ms(motion)))
        go_ahead(explorer, ahead_ms(motion));
    explorer->changed = true;
}

void motion_advance(struct explorer *explorer, double ms) {
    struct motion *motion = &explorer->motion;
    motion->since_request_ms += ms;
    const double faster = hold_speed_advance(&motion->speed, ms, motion->hold != 0);
    if (!motion->flown)
        motion->hold *= faster;
    gesture_advance(explorer, ms);
    if (motion->course)
        advance_course(explorer, ms);
    else if (motion->hold != 0)
        advance_hold(explorer, ms);
    else
        approach_target(explorer, ms);
    if (gliding(motion))
        advance_glide(explorer, ms);
    if (explorer->quiet_ms >= STEP_MS && !motion_active(explorer))
        end_step(motion);
    const bool on =
        motion->dragging || motion->spinning || motion->course || motion_continues(motion);
    if (motion->renew && (on ? renewal_due(explorer) : !in_sight_soon(explorer)))
        renew(explorer);
}

void motion_requested(struct explorer *explorer) {
    explorer->motion.since_request_ms = 0;
    explorer->motion.renew = explorer->motion.seen = explorer->motion.complete = false;
}

void motion_note_progress(struct explorer *explorer, double progress) {
    struct motion *motion = &explorer->motion;
    const double stride = explorer->plan.first_stride;
    motion->seen = motion->seen || progress * stride * stride >= 1;
    if (progress < 1 || motion->complete)
        return;
    motion->complete = true;
    motion->took_ms = fmin(motion->since_request_ms, SERVE_MS);
}

bool motion_active(const struct explorer *explorer) {
    const struct motion *motion = &explorer->motion;
    const bool follows = motion->course && !similarity_is_identity(explorer->camera);
    return motion->dragging || motion->spinning || motion->renew || follows ||
           motion_continues(motion);
}

bool motion_ends(const struct explorer *explorer) {
    const int width = explorer->width_px, height = explorer->height_px;
    return !motion_active(explorer) && explorer_animating(explorer) &&
           similarity_displacement(explorer->camera, width, height) < SOON_SHARE * width;
}

bool motion_zooms(const struct motion *motion) {
    return motion->hold != 0 || motion->course;
}

bool motion_continues(const struct motion *motion) {
    return motion->hold != 0 || motion->gesture.steering || gliding(motion);
}

void motion_end(struct explorer *explorer) {
    explorer->motion.flown = false;
    explorer->motion.course = NULL;
    explorer->motion.kind = MOTION_NONE;
    explorer->motion.hold = 0;
    gesture_end_pinch(&explorer->motion.gesture);
    motion_stop_glide(&explorer->motion);
}
