/* Touch screen: the first finger is the pointer, two fingers move, zoom and rotate. Taps and long
 * presses replace mouse buttons. */
#include "app/input/pointer.h"
#include <complex.h>
#include <math.h>

#define TAP_PX      10.0  /* maximum movement of a tap, in window coordinates */
#define TAP_MS      500   /* maximum duration of a tap of several fingers */
#define TWICE_PX    32.0  /* maximum distance between the taps of a double tap, as above */
#define TWICE_MS    500   /* maximum time between them */
#define LONG_MS     500   /* minimum duration of a long press */
#define TAP_NOTCHES 3     /* zoom of a double tap inwards, and of a tap of two fingers outwards */
#define APART_PX    16.0  /* minimum distance of fingers that zoom and rotate, as above */
#define ZOOM_SLACK  0.04  /* logarithm of the zoom below which a pinch does not zoom */
#define TURN_SLACK  0.125 /* [rad] angle below which a pinch does not rotate */
#define FARTHEST    2.0   /* windows; maximum distance of a finger outside the window */

static const struct action nothing = {.kind = ACTION_NONE};

static double complex position(const struct finger *finger) {
    return finger->x_px + I * finger->y_px;
}

static double complex origin(const struct finger *finger) {
    return finger->from_x_px + I * finger->from_y_px;
}

static struct finger *find_finger(struct fingers *fingers, const SDL_TouchFingerEvent *event) {
    for (int i = 0; i < fingers->count; i++)
        if (fingers->held[i].touch == event->touchId && fingers->held[i].id == event->fingerId)
            return &fingers->held[i];
    return NULL;
}

/* Stores the position of an event. Returns false if it is not finite. */
static bool set_position(const struct input *input, const SDL_TouchFingerEvent *event,
                         struct finger *finger) {
    const double x = (double)event->x, y = (double)event->y;
    if (!isfinite(x) || !isfinite(y))
        return false;
    finger->x_px = fmax(fmin(x, 1 + FARTHEST), -FARTHEST) * input->width_px;
    finger->y_px = fmax(fmin(y, 1 + FARTHEST), -FARTHEST) * input->height_px;
    return true;
}

/* --- one finger --- */

static bool near_by(const struct input *input, double complex from, double complex to,
                    double most_px) {
    return cabs(to - from) <= most_px * input->scale_x;
}

static struct action press(struct input *input, Uint32 ms) {
    struct fingers *fingers = &input->fingers;
    const double complex at = position(fingers->held);
    const double complex before = fingers->tap_x_px + I * fingers->tap_y_px;
    const bool twice =
        fingers->tapped && ms - fingers->tap_ms <= TWICE_MS && near_by(input, before, at, TWICE_PX);
    fingers->most = 1;
    fingers->since_ms = ms;
    fingers->moved = fingers->tapped = false;
    fingers->ignored = input->hand != HAND_FREE;
    if (fingers->ignored)
        return nothing;
    struct action action = input_press(input, creal(at), cimag(at), ms);
    input->hand = twice ? HAND_FREE : HAND_DRAGGING;
    action.kind = twice ? ACTION_CENTRE : ACTION_GRAB;
    action.amount = TAP_NOTCHES;
    return action;
}

/* Moves the picture once the finger has moved farther than a tap, from where it was pressed. */
static struct action move_finger(struct input *input, Uint32 ms) {
    struct fingers *fingers = &input->fingers;
    const double complex at = position(fingers->held);
    const double complex from = input->from_x_px + I * input->from_y_px;
    if (input->hand == HAND_FREE || (input->travel_px == 0 && near_by(input, from, at, TAP_PX)))
        return nothing;
    if (input->travel_px == 0 && fingers->most == 1 && ms - fingers->since_ms >= LONG_MS)
        input->hand = HAND_BOXING;
    fingers->moved = true;
    return input_move(input, creal(at), cimag(at), ms);
}

/* --- two fingers --- */

/* Removes the slack: 0 up to `slack`, rises continuously, and equals `way` from twice the slack
 * on. */
static double without_slack(double slack, double way) {
    const double size = fabs(way);
    return size <= slack ? 0 : size < 2 * slack ? copysign(2 * (size - slack), way) : way;
}

static void begin_pinch(struct fingers *fingers) {
    for (int i = 0; i < 2; i++) {
        fingers->held[i].from_x_px = fingers->held[i].x_px;
        fingers->held[i].from_y_px = fingers->held[i].y_px;
    }
    fingers->turn = 0;
}

/* Returns the whole movement since the pinch began, in whole pixels if it neither zooms nor
 * rotates. */
static struct action pinch(struct input *input) {
    struct fingers *fingers = &input->fingers;
    const struct finger *a = &fingers->held[0], *b = &fingers->held[1];
    const double complex before = origin(b) - origin(a), now = position(b) - position(a);
    const double complex from = (origin(a) + origin(b)) / 2;
    double complex way = (position(a) + position(b)) / 2 - from;
    const bool apart =
        fmin(cabs(before), cabs(now)) >= APART_PX * input->scale_x; /* have a direction */
    const double growth = apart ? log(cabs(now) / cabs(before)) : 0;
    if (apart)
        fingers->turn += remainder(carg(now / before) - fingers->turn, 2 * M_PI);
    const double zoom = without_slack(ZOOM_SLACK, growth),
                 turn = without_slack(TURN_SLACK, fingers->turn);
    if (!fingers->pinched && zoom == 0 && turn == 0 && near_by(input, 0, way, TAP_PX))
        return nothing;
    if (zoom == 0 && turn == 0)
        way = round(creal(way)) + I * round(cimag(way));
    fingers->pinched = fingers->moved = true;
    return (struct action){.kind = ACTION_PINCH,
                           .from_x = creal(from),
                           .from_y = cimag(from),
                           .x = creal(from + way),
                           .y = cimag(from + way),
                           .amount = exp(zoom),
                           .turn = turn};
}

static struct action end_pinch(struct fingers *fingers) {
    const bool any = fingers->pinched;
    fingers->pinched = false;
    return (struct action){.kind = any ? ACTION_DRAG_END : ACTION_NONE};
}

/* Handles a second or further finger; the second one ends the drag or box of the first. */
static struct action join(struct input *input) {
    struct fingers *fingers = &input->fingers;
    const bool boxing = input->hand == HAND_BOXING;
    fingers->most = fingers->count > fingers->most ? fingers->count : fingers->most;
    if (fingers->count != 2)
        return nothing;
    begin_pinch(fingers);
    fingers->tap_x_px = (fingers->held[0].x_px + fingers->held[1].x_px) / 2;
    fingers->tap_y_px = (fingers->held[0].y_px + fingers->held[1].y_px) / 2;
    if (boxing)
        return input_cancel_box(input);
    input->hand = HAND_FREE;
    return (struct action){.kind = ACTION_DRAG_END};
}

/* --- all of them --- */

static struct action finger_down(struct input *input, const SDL_TouchFingerEvent *event) {
    struct fingers *fingers = &input->fingers;
    struct finger finger = {.touch = event->touchId, .id = event->fingerId};
    if (fingers->count == FINGERS_MAX || !set_position(input, event, &finger))
        return nothing;
    if (fingers->count == 0)
        fingers->ignored = false;
    fingers->held[fingers->count++] = finger;
    if (fingers->count == 1)
        return press(input, event->timestamp);
    return fingers->ignored ? nothing : join(input);
}

/* Handles the last finger leaving: ends the drag, or recognises a tap or a long press. */
static struct action last_finger_up(struct input *input, Uint32 ms) {
    struct fingers *fingers = &input->fingers;
    const Uint32 stayed = ms - fingers->since_ms;
    const bool dragged = input->hand != HAND_FREE;
    const struct action end = input_release_hand(input, ms);
    fingers->tap_ms = ms;
    fingers->tapped = fingers->most == 1 && !fingers->moved && stayed < LONG_MS && dragged;
    if (fingers->moved)
        return end;
    if (fingers->most == 1)
        return dragged && stayed >= LONG_MS ? (struct action){.kind = ACTION_PANEL} : nothing;
    if (stayed > TAP_MS)
        return nothing;
    return fingers->most == 2 ? (struct action){.kind = ACTION_ZOOM,
                                                .x = fingers->tap_x_px,
                                                .y = fingers->tap_y_px,
                                                .amount = -TAP_NOTCHES}
                              : (struct action){.kind = ACTION_UNDO, .amount = 1};
}

static struct action finger_up(struct input *input, struct finger *finger, Uint32 ms) {
    struct fingers *fingers = &input->fingers;
    const bool pinching = finger < fingers->held + 2 && fingers->count >= 2;
    if (fingers->most == 1) {
        fingers->tap_x_px = finger->x_px;
        fingers->tap_y_px = finger->y_px;
    }
    fingers->count--;
    for (; finger < fingers->held + fingers->count; finger++)
        finger[0] = finger[1];
    if (fingers->ignored)
        return nothing;
    if (fingers->count == 0)
        return last_finger_up(input, ms);
    if (!pinching)
        return nothing;
    if (fingers->count >= 2) {
        begin_pinch(fingers);
        return end_pinch(fingers);
    }
    input_press(input, fingers->held->x_px, fingers->held->y_px, ms);
    input->hand = HAND_DRAGGING;
    return end_pinch(fingers);
}

/* Returns false for touch pads, which some drivers report as well. SDL may only be asked about
 * devices that it lists. */
static bool is_screen(SDL_TouchID touch) {
    for (int i = 0; i < SDL_GetNumTouchDevices(); i++)
        if (SDL_GetTouchDevice(i) == touch)
            return SDL_GetTouchDeviceType(touch) == SDL_TOUCH_DEVICE_DIRECT;
    return true;
}

/* A finger that arrives again has left before without an event. */
struct action input_translate_finger(struct input *input, const SDL_TouchFingerEvent *event) {
    struct fingers *fingers = &input->fingers;
    struct finger *finger = find_finger(fingers, event);
    if (!is_screen(event->touchId))
        return nothing;
    if (event->type == SDL_FINGERUP)
        return finger ? finger_up(input, finger, event->timestamp) : nothing;
    if (event->type == SDL_FINGERDOWN) {
        const struct action end = finger ? finger_up(input, finger, event->timestamp) : nothing;
        const struct action begin = finger_down(input, event);
        return begin.kind == ACTION_NONE ? end : begin;
    }
    if (!finger || !set_position(input, event, finger) || fingers->ignored)
        return nothing;
    if (fingers->count == 1)
        return move_finger(input, event->timestamp);
    return finger < fingers->held + 2 ? pinch(input) : nothing;
}

void input_ignore_fingers(struct input *input) {
    if (fingers_own_pointer(&input->fingers))
        input->hand = HAND_FREE;
    input->fingers.ignored = input->fingers.count > 0;
    input->fingers.pinched = false;
}

/* --- as a mouse --- */

int input_finger_as_mouse(const struct input *input, const SDL_Event *event, SDL_Event mouse[2]) {
    const SDL_TouchFingerEvent *finger = &event->tfinger;
    const struct fingers *fingers = &input->fingers;
    const bool comes = event->type == SDL_FINGERDOWN, leaves = event->type == SDL_FINGERUP;
    const bool first = comes ? fingers->count == 0
                             : fingers->count > 0 && fingers->held->touch == finger->touchId &&
                                   fingers->held->id == finger->fingerId;
    const bool any = comes || leaves || event->type == SDL_FINGERMOTION;
    struct finger at = fingers->held[0]; /* the last position: some events of leaving have none */
    if (!any || !first || !is_screen(finger->touchId) ||
        (!leaves && !set_position(input, finger, &at)))
        return 0;
    const Sint32 x = (Sint32)lround(at.x_px / input->scale_x);
    const Sint32 y = (Sint32)lround(at.y_px / input->scale_y);
    const Sint32 old_x = comes ? x : (Sint32)lround(fingers->held->x_px / input->scale_x);
    const Sint32 old_y = comes ? y : (Sint32)lround(fingers->held->y_px / input->scale_y);
    mouse[0] = (SDL_Event){.motion = {.type = SDL_MOUSEMOTION,
                                      .timestamp = finger->timestamp,
                                      .windowID = finger->windowID,
                                      .which = SDL_TOUCH_MOUSEID,
                                      .state = comes ? 0 : SDL_BUTTON_LMASK,
                                      .x = x,
                                      .y = y,
                                      .xrel = x - old_x,
                                      .yrel = y - old_y}};
    mouse[1] = (SDL_Event){.button = {.type = leaves ? SDL_MOUSEBUTTONUP : SDL_MOUSEBUTTONDOWN,
                                      .timestamp = finger->timestamp,
                                      .windowID = finger->windowID,
                                      .which = SDL_TOUCH_MOUSEID,
                                      .button = SDL_BUTTON_LEFT,
                                      .state = leaves ? SDL_RELEASED : SDL_PRESSED,
                                      .clicks = 1,
                                      .x = x,
                                      .y = y}};
    return comes || leaves ? 2 : 1;
}
