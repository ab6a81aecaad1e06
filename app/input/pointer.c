/* Mouse: turns its events into actions. A drag is released with its speed by SDL's time stamps. */
#include "app/input/pointer.h"
#include <math.h>

#define NOTCHES_MAX    20 /* of one event, so that a broken device cannot throw the view far away */
#define CLICK_NOTCHES  3  /* zoom of a double click */
#define CLICK_PX       8  /* maximum movement of a click */
#define TRAIL_MS       80 /* interval before the release over which the speed is measured */
#define BUNCH_MS       400  /* maximum interval between two events of one motion */
#define FRAME_MS       16   /* minimum duration that a speed is computed with */
#define FLING_LEAST_PX 8    /* minimum movement in TRAIL_MS of a drag that glides on */
#define FLING_SLOWEST  0.15 /* [px/ms] minimum speed of a drag that glides on */
#define FLING_FASTEST  6.0  /* [px/ms] its maximum speed */

static const struct action nothing = {.kind = ACTION_NONE};

static struct action translate_wheel(const struct input *input, const SDL_MouseWheelEvent *event) {
    double notches = (double)event->preciseY;
    if (notches == 0)
        notches = event->y;
    if (!isfinite(notches) || notches == 0)
        return nothing;
    return (struct action){.kind = ACTION_ZOOM,
                           .x = input->x_px,
                           .y = input->y_px,
                           .amount = fmax(fmin(notches, NOTCHES_MAX), -NOTCHES_MAX)};
}

/* Appends the pointer's position to the trail; it replaces an earlier one of the same time. */
static void leave_trail(struct input *input, Uint32 ms) {
    const size_t last = (input->trail_count + INPUT_TRAIL - 1) % INPUT_TRAIL;
    const bool same = input->trail_count > 1 && input->trail[last].ms == ms;
    input->trail_count += !same;
    input->trail[(input->trail_count - 1) % INPUT_TRAIL] =
        (struct input_trail){ms, input->x_px, input->y_px};
}

/* Ends a drag with the speed of the last TRAIL_MS, including rest at their end. If events arrive in
 * bunches, the movement since the previous bunch counts. */
static struct action end_drag(const struct input *input, Uint32 ms) {
    const size_t count = input->trail_count < INPUT_TRAIL ? input->trail_count : INPUT_TRAIL;
    struct input_trail first = {ms, input->x_px, input->y_px};
    for (size_t i = 1; i <= count && ms - first.ms <= TRAIL_MS; i++) {
        const struct input_trail at = input->trail[(input->trail_count - i) % INPUT_TRAIL];
        if (ms - at.ms > (i == 1 ? TRAIL_MS : BUNCH_MS))
            break;
        first = at;
    }
    const double time = fmax(ms - first.ms, FRAME_MS);
    const double x = input->x_px - first.x_px, y = input->y_px - first.y_px;
    const double way = hypot(x, y), speed = way / time;
    if (way < FLING_LEAST_PX || speed < FLING_SLOWEST)
        return (struct action){.kind = ACTION_DRAG_END};
    const double slower = fmin(FLING_FASTEST / speed, 1);
    return (struct action){.kind = ACTION_DRAG_END, .x = slower * x / time, .y = slower * y / time};
}

/* Drags by whole pixels: the differences of rounded positions, so errors do not add up. */
struct action input_move(struct input *input, double at_x_px, double at_y_px, Uint32 ms) {
    const double x_px = round(at_x_px), y_px = round(at_y_px);
    struct action action = {
        .kind = ACTION_POINT, .x = x_px, .y = y_px, .from_x = input->x_px, .from_y = input->y_px};
    if (input->hand == HAND_DRAGGING) {
        action.kind = ACTION_DRAG;
        action.x -= input->x_px;
        action.y -= input->y_px;
    } else if (input->hand == HAND_SPINNING) {
        action.kind = ACTION_SPIN;
    } else if (input->hand == HAND_LIGHTING) {
        action.kind = ACTION_LIGHT;
    } else if (input->hand == HAND_BOXING) {
        action.kind = ACTION_BOX;
        action.from_x = input->from_x_px;
        action.from_y = input->from_y_px;
    }
    input->x_px = x_px;
    input->y_px = y_px;
    input->travel_px =
        fmax(input->travel_px, hypot(x_px - input->from_x_px, y_px - input->from_y_px));
    input->inside = true;
    leave_trail(input, ms);
    return action;
}

struct action input_press(struct input *input, double x_px, double y_px, Uint32 ms) {
    input->hand = HAND_FREE;
    input->trail_count = 0;
    const struct action action = input_move(input, x_px, y_px, ms);
    input->from_x_px = input->x_px;
    input->from_y_px = input->y_px;
    input->travel_px = 0;
    return action;
}

static struct action move_to(struct input *input, int x, int y, Uint32 ms) {
    return input_move(input, x * input->scale_x, y * input->scale_y, ms);
}

static Uint8 button_of(enum hand hand) {
    return hand == HAND_BOXING ? SDL_BUTTON_RIGHT : SDL_BUTTON_LEFT;
}

struct action input_release_hand(struct input *input, Uint32 ms) {
    const enum hand hand = input->hand;
    input->hand = HAND_FREE;
    switch (hand) {
    case HAND_DRAGGING:
        return end_drag(input, ms);
    case HAND_SPINNING:
        return (struct action){.kind = ACTION_SPIN_END};
    case HAND_BOXING:
        return (struct action){.kind = ACTION_BOX_END};
    default:
        return nothing;
    }
}

static struct action translate_motion(struct input *input, const SDL_MouseMotionEvent *event) {
    const bool lost =
        input->hand != HAND_FREE && !(event->state & SDL_BUTTON(button_of(input->hand)));
    if (!lost)
        return move_to(input, event->x, event->y, event->timestamp);
    /* The button was released outside the window, without an event. */
    const struct action action = input_release_all(input);
    move_to(input, event->x, event->y, event->timestamp);
    return action;
}

/* A double click zooms instead of beginning a drag, unless its first click dragged. */
static struct action press_left(struct input *input, const SDL_MouseButtonEvent *event) {
    const bool ctrl = SDL_GetModState() & KMOD_CTRL, shift = SDL_GetModState() & KMOD_SHIFT;
    move_to(input, event->x, event->y, event->timestamp);
    const bool still = input->travel_px <= CLICK_PX;
    struct action action = input_press(input, input->x_px, input->y_px, event->timestamp);
    if (event->clicks > 0 && event->clicks % 2 == 0 && still && !ctrl && !shift) {
        action.kind = ACTION_CENTRE;
        action.amount = CLICK_NOTCHES;
        return action;
    }
    input->hand = ctrl ? HAND_SPINNING : shift ? HAND_LIGHTING : HAND_DRAGGING;
    action.kind = ACTION_GRAB;
    return action;
}

static struct action press_right(struct input *input, const SDL_MouseButtonEvent *event) {
    struct action action = move_to(input, event->x, event->y, event->timestamp);
    input->hand = HAND_BOXING;
    input->from_x_px = input->x_px;
    input->from_y_px = input->y_px;
    action.kind = ACTION_GRAB;
    return action;
}

/* Ignores other buttons while one is held. */
static struct action translate_button(struct input *input, const SDL_MouseButtonEvent *event) {
    if (event->type == SDL_MOUSEBUTTONUP)
        return input->hand != HAND_FREE && event->button == button_of(input->hand)
                   ? input_release_hand(input, event->timestamp)
                   : nothing;
    if (input->hand != HAND_FREE && event->button != button_of(input->hand))
        return nothing;
    input->hand = HAND_FREE;
    if (event->button == SDL_BUTTON_LEFT)
        return press_left(input, event);
    return event->button == SDL_BUTTON_RIGHT ? press_right(input, event) : nothing;
}

struct action input_translate_pointer(struct input *input, const SDL_Event *event) {
    if (event->type != SDL_MOUSEWHEEL && fingers_own_pointer(&input->fingers))
        return nothing;
    switch (event->type) {
    case SDL_MOUSEWHEEL:
        return translate_wheel(input, &event->wheel);
    case SDL_MOUSEMOTION:
        return translate_motion(input, &event->motion);
    default:
        return translate_button(input, &event->button);
    }
}

struct action input_cancel_box(struct input *input) {
    input->hand = HAND_FREE;
    return (struct action){.kind = ACTION_BOX_CANCEL};
}

struct action input_release_all(struct input *input) {
    const bool any = input->hand != HAND_FREE || input->held != 0 ||
                     fingers_own_pointer(&input->fingers) || gamepads_deflected(&input->gamepads);
    input->hand = HAND_FREE;
    input->held = 0;
    input_ignore_fingers(input);
    return (struct action){.kind = any ? ACTION_LET_GO : ACTION_NONE};
}
