/* Gestures: moves the target with two fingers, always from its start so that errors do not add up,
 * and with gamepad sticks. */
#include "app/explore/motion/gesture.h"
#include "app/explore/explorer.h"
#include <math.h>

#define EASE_MS 90.0 /* time constant of the sticks' speed */
#define SLIDE   0.9  /* [heights/s] highest speed */
#define TURN    1.6  /* [rad/s] highest speed */
#define LEAST   0.01 /* fraction of the highest speed that counts as rest */

/* --- fingers --- */

/* Returns the movement of the picture on the screen since the pinch began. */
static struct similarity pinch_movement(const struct explorer *explorer,
                                        const struct action *action) {
    const double complex middle = explorer->width_px / 2.0 + I * (explorer->height_px / 2.0);
    const double complex from = action->from_x + I * action->from_y - middle;
    const double complex to = action->x + I * action->y - middle;
    const double complex factor = action->amount * cexp(I * action->turn);
    return (struct similarity){factor, to - factor * from};
}

/* Limits the zoom of a movement; the point under the fingers stays there. */
static struct similarity within_bound(const struct explorer *explorer, struct similarity way,
                                      const struct action *action) {
    const double complex fingers =
        action->x - explorer->width_px / 2.0 + I * (action->y - explorer->height_px / 2.0);
    const double wanted = cabs(way.factor), most = motion_within_bound(explorer, wanted);
    if (most == wanted)
        return way;
    const double complex under = (fingers - way.offset) / way.factor;
    way.factor *= most / wanted;
    way.offset = fingers - way.factor * under;
    return way;
}

static void move_picture(struct view *view, struct similarity way, int width_px, int height_px) {
    const double zoom = cabs(way.factor), turn = carg(way.factor);
    if (zoom != 1)
        view_zoom_at(view, zoom, width_px / 2.0, height_px / 2.0, width_px, height_px);
    if (turn != 0)
        view_rotate(view, turn); /* y downwards: clockwise */
    view_pan(view, -creal(way.offset), -cimag(way.offset), height_px);
}

static bool same_grid(const struct view *a, const struct view *b) {
    return a->angle == 0 && b->angle == 0 && mpfr_equal_p(a->zoom, b->zoom);
}

static void begin_pinch(struct explorer *explorer, struct similarity behind) {
    struct gesture *gesture = &explorer->motion.gesture;
    motion_begin(explorer, MOTION_PINCH);
    view_init_copy(&gesture->before, &explorer->scene.view);
    gesture->behind = behind;
    gesture->pinching = true;
}

/* A pinch that was ended by other motion begins again at the present target. */
void gesture_pinch(struct explorer *explorer, const struct action *action) {
    const struct gesture *gesture = &explorer->motion.gesture;
    struct view *view = &explorer->scene.view, last;
    if (!(action->amount > 0) || !isfinite(action->amount))
        return; /* both fingers are at one point */
    struct similarity way = pinch_movement(explorer, action);
    if (!gesture->pinching)
        begin_pinch(explorer, explorer->motion.dragging ? way : similarity_identity);
    way = similarity_compose(way, similarity_inverse(gesture->behind));
    view_init_copy(&last, view);
    view_assign(view, &gesture->before);
    way = within_bound(explorer, way, action);
    move_picture(view, way, explorer->width_px, explorer->height_px);
    if (same_grid(&last, view))
        motion_target_changed(explorer);
    else
        motion_request_soon(explorer);
    view_finish(&last);
}

void gesture_end_pinch(struct gesture *gesture) {
    if (gesture->pinching)
        view_finish(&gesture->before);
    gesture->pinching = false;
}

/* --- sticks --- */

void gesture_steer(struct gesture *gesture, const struct action *action) {
    gesture->wanted = (struct gesture_course){action->x, action->y, action->amount, action->turn};
    gesture->steering = true;
}

static bool eased(double *now, double wanted, double part) {
    *now += (wanted - *now) * part;
    if (wanted == 0 && fabs(*now) < LEAST)
        *now = 0;
    return *now == 0;
}

/* Slides by whole pixels, so that pictures share them. The speed applies to the screen, from which
 * the target may differ. */
static void slide(struct explorer *explorer, double ms) {
    struct gesture *gesture = &explorer->motion.gesture;
    const double complex way = gesture->now.x + I * gesture->now.y;
    gesture->rest_px -= way * (SLIDE * explorer->height_px * ms / 1000) / explorer->camera.factor;
    const double x = trunc(creal(gesture->rest_px)), y = trunc(cimag(gesture->rest_px));
    gesture->rest_px -= x + I * y;
    motion_drag(explorer, x, y);
}

static void turn(struct explorer *explorer, double ms) {
    const double radians = TURN * explorer->motion.gesture.now.turn * ms / 1000;
    if (radians == 0)
        return;
    motion_begin(explorer, MOTION_STEER);
    view_rotate(&explorer->scene.view, radians);
    motion_request_soon(explorer);
}

void gesture_advance(struct explorer *explorer, double ms) {
    struct gesture *gesture = &explorer->motion.gesture;
    struct gesture_course *now = &gesture->now;
    const double part = 1 - exp(-ms / EASE_MS);
    if (!gesture->steering)
        return;
    const bool zoomed = now->zoom != 0;
    const bool still_x = eased(&now->x, gesture->wanted.x, part);
    const bool still = eased(&now->y, gesture->wanted.y, part) && still_x;
    const bool straight = eased(&now->turn, gesture->wanted.turn, part);
    const bool level = eased(&now->zoom, gesture->wanted.zoom, part);
    if (zoomed || !level)
        motion_hold(explorer, now->zoom);
    turn(explorer, ms);
    slide(explorer, ms);
    gesture->steering = !(still && straight && level);
}
