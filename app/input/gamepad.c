/* Gamepads: turns their buttons into actions, and all their sticks into one course. */
#include "app/input/gamepad.h"
#include "app/input/input.h"
#include "render/base/log.h"
#include <math.h>

#define STICK_REST   0.2  /* dead zone of a stick in both directions */
#define AXIS_REST    0.25 /* dead zone of one direction whose stick has another use in the other */
#define TRIGGER_REST 0.05 /* dead zone of a trigger */
#define AXIS_LIMIT   32767.0

static const struct action nothing = {.kind = ACTION_NONE};

void gamepads_prepare(bool unwatched) {
    SDL_SetHint(SDL_HINT_AUTO_UPDATE_JOYSTICKS, "0");
    if (unwatched)
        SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
}

void gamepads_start(void) {
    if (SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER) != 0)
        log_info("no gamepads: %s", SDL_GetError());
}

void gamepads_update(void) {
    if (SDL_WasInit(SDL_INIT_GAMECONTROLLER))
        SDL_GameControllerUpdate();
}

bool gamepads_any(void) {
    return SDL_WasInit(SDL_INIT_GAMECONTROLLER) && SDL_NumJoysticks() > 0;
}

static struct gamepad *find_gamepad(struct gamepads *gamepads, SDL_JoystickID id) {
    for (int i = 0; i < GAMEPADS_MAX; i++)
        if (gamepads->pads[i].controller && gamepads->pads[i].id == id)
            return &gamepads->pads[i];
    return NULL;
}

/* --- sticks --- */

/* Returns a deflection without its dead zone: 0 at the zone's edge, 1 at most. */
static double without_rest(double rest, double way) {
    return copysign(fmin(fmax(fabs(way) - rest, 0) / (1 - rest), 1), way);
}

static void add_course(const struct gamepad *pad, struct action *course) {
    const double *axes = pad->axes;
    const double x = axes[SDL_CONTROLLER_AXIS_LEFTX], y = axes[SDL_CONTROLLER_AXIS_LEFTY];
    const double way = hypot(x, y), speed = without_rest(STICK_REST, way);
    if (speed > 0) {
        course->x += speed * x / way;
        course->y += speed * y / way;
    }
    course->turn += without_rest(AXIS_REST, axes[SDL_CONTROLLER_AXIS_RIGHTX]);
    course->amount += without_rest(TRIGGER_REST, axes[SDL_CONTROLLER_AXIS_TRIGGERRIGHT]) -
                      without_rest(TRIGGER_REST, axes[SDL_CONTROLLER_AXIS_TRIGGERLEFT]) -
                      without_rest(AXIS_REST, axes[SDL_CONTROLLER_AXIS_RIGHTY]);
}

static double clamp(double part) {
    return fmax(fmin(part, 1), -1);
}

static struct action steering_of(const struct gamepads *gamepads) {
    struct action course = {.kind = ACTION_STEER};
    for (int i = 0; i < GAMEPADS_MAX; i++)
        if (gamepads->pads[i].controller)
            add_course(&gamepads->pads[i], &course);
    course.x = clamp(course.x);
    course.y = clamp(course.y);
    course.amount = clamp(course.amount);
    course.turn = clamp(course.turn);
    return course;
}

bool gamepads_deflected(const struct gamepads *gamepads) {
    const struct action course = steering_of(gamepads);
    return course.x != 0 || course.y != 0 || course.amount != 0 || course.turn != 0;
}

/* --- opening and closing --- */

/* Opens a gamepad unless it is open already or all slots are used. */
static void open_gamepad(struct gamepads *gamepads, int device) {
    struct gamepad *pad = gamepads->pads, *const end = pad + GAMEPADS_MAX;
    if (find_gamepad(gamepads, SDL_JoystickGetDeviceInstanceID(device)))
        return;
    while (pad < end && pad->controller)
        pad++;
    SDL_GameController *controller = pad < end ? SDL_GameControllerOpen(device) : NULL;
    if (!controller)
        return;
    *pad = (struct gamepad){
        controller, SDL_JoystickInstanceID(SDL_GameControllerGetJoystick(controller)), {0}};
    log_info("gamepad: %s", SDL_GameControllerName(controller));
}

/* Closes a gamepad; the course continues without its sticks. */
static struct action close_gamepad(struct gamepads *gamepads, SDL_JoystickID id) {
    struct gamepad *pad = find_gamepad(gamepads, id);
    if (!pad)
        return nothing;
    SDL_GameControllerClose(pad->controller);
    *pad = (struct gamepad){0};
    return steering_of(gamepads);
}

void gamepads_finish(struct gamepads *gamepads) {
    for (int i = 0; i < GAMEPADS_MAX; i++)
        if (gamepads->pads[i].controller)
            close_gamepad(gamepads, gamepads->pads[i].id);
}

static struct action move_axis(struct gamepads *gamepads, const SDL_ControllerAxisEvent *event) {
    struct gamepad *pad = find_gamepad(gamepads, event->which);
    if (!pad || event->axis >= SDL_CONTROLLER_AXIS_MAX)
        return nothing;
    const bool steered = gamepads_deflected(gamepads);
    pad->axes[event->axis] = clamp(event->value / AXIS_LIMIT);
    /* Sticks jitter at rest: no action without a course. */
    return steered || gamepads_deflected(gamepads) ? steering_of(gamepads) : nothing;
}

struct action input_translate_gamepad(struct input *input, const SDL_Event *event) {
    struct gamepads *gamepads = &input->gamepads;
    switch (event->type) {
    case SDL_CONTROLLERDEVICEADDED:
        open_gamepad(gamepads, event->cdevice.which);
        return nothing;
    case SDL_CONTROLLERDEVICEREMOVED:
        return close_gamepad(gamepads, event->cdevice.which);
    case SDL_CONTROLLERAXISMOTION:
        return move_axis(gamepads, &event->caxis);
    default:
        return find_gamepad(gamepads, event->cbutton.which)
                   ? input_button_action(event->cbutton.button)
                   : nothing;
    }
}

bool input_button_as_key(const SDL_Event *event, SDL_Event *key) {
    static const SDL_Keycode keys[SDL_CONTROLLER_BUTTON_MAX] = {
        [SDL_CONTROLLER_BUTTON_DPAD_LEFT] = SDLK_LEFT,
        [SDL_CONTROLLER_BUTTON_DPAD_UP] = SDLK_UP,
        [SDL_CONTROLLER_BUTTON_DPAD_RIGHT] = SDLK_RIGHT,
        [SDL_CONTROLLER_BUTTON_DPAD_DOWN] = SDLK_DOWN,
        [SDL_CONTROLLER_BUTTON_A] = SDLK_RETURN,
        [SDL_CONTROLLER_BUTTON_B] = SDLK_ESCAPE};
    const Uint8 button = event->cbutton.button;
    if (event->type != SDL_CONTROLLERBUTTONDOWN || button >= SDL_CONTROLLER_BUTTON_MAX)
        return false;
    *key = (SDL_Event){.key = {.type = SDL_KEYDOWN, .keysym = {.sym = keys[button]}}};
    return keys[button] != SDLK_UNKNOWN;
}
