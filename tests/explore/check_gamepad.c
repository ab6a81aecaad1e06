/* Gamepads that SDL treats as real: sticks fly at the speed they are pushed with, buttons act by
 * the table, and a held action ends when the pad is unplugged. */
#include "app/input/gamepad.h"
#include "tests/shared/explorers.h"
#include <complex.h>

struct couch {
    struct explorer explorer;
    struct input input;
    struct view before; /* view at the start */
};

static void sit_down(struct couch *couch) {
    *couch = (struct couch){0};
    start(&couch->explorer, "300");
    input_set_size(&couch->input, WIDTH, HEIGHT, WIDTH, HEIGHT);
    view_init_copy(&couch->before, &couch->explorer.scene.view);
}

static void stand_up(struct couch *couch) {
    gamepads_finish(&couch->input.gamepads);
    view_finish(&couch->before);
    explorer_finish(&couch->explorer);
}

/* Handles the events in SDL's queue. Returns the last action that is not NONE. */
static struct action take(struct couch *couch) {
    struct action last = {.kind = ACTION_NONE};
    SDL_Event event;
    gamepads_update();
    while (SDL_PollEvent(&event)) {
        const struct action action = input_translate(&couch->input, &event);
        explorer_apply(&couch->explorer, &action);
        last = action.kind == ACTION_NONE ? last : action;
    }
    return last;
}

static void pass(struct couch *couch, int ms) {
    for (; ms >= 10; ms -= 10)
        explorer_advance(&couch->explorer, 10);
}

static bool comes_to_rest(struct couch *couch) {
    pass(couch, 3000);
    SCOPED(frame_req, req, WIDTH, HEIGHT);
    request(&couch->explorer, &req);
    pass(couch, 1000);
    return !explorer_moving(&couch->explorer);
}

static SDL_Joystick *plug(void) {
    const int device = SDL_JoystickAttachVirtual(
        SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX, SDL_CONTROLLER_BUTTON_MAX, 0);
    SDL_Joystick *pad = SDL_JoystickOpen(device);
    CHECK(device >= 0 && pad);
    SDL_JoystickSetVirtualAxis(pad, SDL_CONTROLLER_AXIS_TRIGGERLEFT, SDL_MIN_SINT16);
    SDL_JoystickSetVirtualAxis(pad, SDL_CONTROLLER_AXIS_TRIGGERRIGHT, SDL_MIN_SINT16);
    return pad;
}

static void unplug(SDL_Joystick *pad) {
    const SDL_JoystickID id = SDL_JoystickInstanceID(pad);
    SDL_JoystickClose(pad);
    for (int i = SDL_NumJoysticks() - 1; i >= 0; i--)
        if (SDL_JoystickGetDeviceInstanceID(i) == id)
            SDL_JoystickDetachVirtual(i);
}

static struct action push(struct couch *couch, SDL_Joystick *pad, int axis, double part) {
    SDL_JoystickSetVirtualAxis(pad, axis, (Sint16)lround(part * SDL_MAX_SINT16));
    return take(couch);
}

/* Returns how far the target moved, in pixels of the first screen. */
static double complex way(const struct couch *couch) {
    return -similarity_between(&couch->explorer.scene.view, HEIGHT, &couch->before, HEIGHT).offset;
}

static void check_flight(void) {
    struct couch couch;
    struct grid_map map;
    sit_down(&couch);
    SDL_Joystick *pad = plug();
    CHECK(take(&couch).kind == ACTION_NONE);
    /* A stick near its rest does nothing. */
    CHECK(push(&couch, pad, SDL_CONTROLLER_AXIS_LEFTX, 0.15).kind == ACTION_NONE);
    CHECK(!explorer_moving(&couch.explorer));
    /* The speed depends on the push; the motion is smooth and in whole pixels. */
    push(&couch, pad, SDL_CONTROLLER_AXIS_LEFTX, 1);
    pass(&couch, 20);
    CHECK(creal(way(&couch)) < 3 && explorer_moving(&couch.explorer));
    pass(&couch, 980);
    const double fast = creal(way(&couch)), middle = fast;
    CHECK(fast > 0.7 * HEIGHT && fast < HEIGHT && fabs(cimag(way(&couch))) < 1e-6);
    CHECK(view_grid_map(&couch.before, &couch.explorer.scene.view, WIDTH, HEIGHT, &map));
    push(&couch, pad, SDL_CONTROLLER_AXIS_LEFTX, 0.6);
    pass(&couch, 1000);
    const double half = creal(way(&couch)) - middle;
    CHECK(half > 0.45 * fast && half < 0.75 * fast);
    push(&couch, pad, SDL_CONTROLLER_AXIS_LEFTX, 0);
    CHECK(comes_to_rest(&couch));
    /* Down is down, and a diagonal push is no faster. */
    const double complex here = way(&couch);
    push(&couch, pad, SDL_CONTROLLER_AXIS_LEFTY, 1);
    push(&couch, pad, SDL_CONTROLLER_AXIS_LEFTX, -1);
    pass(&couch, 1000);
    CHECK(cimag(way(&couch) - here) > 0 && cabs(way(&couch) - here) < 1.45 * fast);
    unplug(pad);
    CHECK(take(&couch).kind == ACTION_STEER && comes_to_rest(&couch));
    stand_up(&couch);
}

static double growth(const struct couch *couch) {
    return log(mpfr_get_d(couch->explorer.scene.view.zoom, MPFR_RNDN) /
               mpfr_get_d(couch->before.zoom, MPFR_RNDN));
}

static void check_zoom(void) {
    struct couch couch;
    sit_down(&couch);
    SDL_Joystick *pad = plug();
    push(&couch, pad, SDL_CONTROLLER_AXIS_TRIGGERRIGHT, 1);
    push(&couch, pad, SDL_CONTROLLER_AXIS_LEFTX, -1);
    push(&couch, pad, SDL_CONTROLLER_AXIS_RIGHTX, 1);
    pass(&couch, 1400);
    CHECK(explorer_animating(&couch.explorer));
    /* Button and stick have the same direction, and together they are no faster. */
    push(&couch, pad, SDL_CONTROLLER_AXIS_RIGHTY, -1);
    pass(&couch, 700);
    for (int axis = 0; axis < SDL_CONTROLLER_AXIS_MAX; axis++)
        push(&couch, pad, axis, axis < SDL_CONTROLLER_AXIS_TRIGGERLEFT ? 0 : -1);
    CHECK(comes_to_rest(&couch));
    CHECK(growth(&couch) > 2.4 && growth(&couch) < 3.6);
    CHECK(couch.explorer.scene.view.angle != 0);
    /* A single undo takes all of it back. */
    apply(&couch.explorer, ACTION_UNDO, 0, 0, 1);
    CHECK(view_equal(&couch.before, &couch.explorer.scene.view));
    pass(&couch, 1000);
    /* Half-pulled trigger, outwards. (SDL takes the first small value for the trigger's rest.) */
    push(&couch, pad, SDL_CONTROLLER_AXIS_TRIGGERLEFT, 0.3);
    pass(&couch, 1400);
    push(&couch, pad, SDL_CONTROLLER_AXIS_TRIGGERLEFT, -1);
    CHECK(comes_to_rest(&couch) && growth(&couch) < -0.8 && growth(&couch) > -2);
    /* Another window gets the keyboard focus. */
    push(&couch, pad, SDL_CONTROLLER_AXIS_TRIGGERLEFT, 1);
    pass(&couch, 100);
    const SDL_Event lost = {
        .window = {.type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_FOCUS_LOST}};
    const struct action let_go = input_translate(&couch.input, &lost);
    explorer_apply(&couch.explorer, &let_go);
    CHECK(let_go.kind == ACTION_LET_GO && comes_to_rest(&couch));
    unplug(pad);
    take(&couch);
    stand_up(&couch);
}

static struct action tap(struct couch *couch, SDL_Joystick *pad, int button) {
    SDL_JoystickSetVirtualButton(pad, button, 1);
    const struct action action = take(couch);
    SDL_JoystickSetVirtualButton(pad, button, 0);
    CHECK(take(couch).kind == ACTION_NONE);
    return action;
}

static void check_buttons(void) {
    struct couch couch;
    sit_down(&couch);
    SDL_Joystick *pad = plug();
    take(&couch);
    CHECK(tap(&couch, pad, SDL_CONTROLLER_BUTTON_START).kind == ACTION_HOME);
    CHECK(tap(&couch, pad, SDL_CONTROLLER_BUTTON_B).kind == ACTION_UNDO);
    CHECK(view_equal(&couch.before, &couch.explorer.scene.view));
    CHECK(tap(&couch, pad, SDL_CONTROLLER_BUTTON_A).setting == SETTING_PALETTE);
    CHECK(tap(&couch, pad, SDL_CONTROLLER_BUTTON_X).kind == ACTION_SCREENSHOT);
    CHECK(tap(&couch, pad, SDL_CONTROLLER_BUTTON_RIGHTSTICK).kind == ACTION_FULLSCREEN);
    CHECK(tap(&couch, pad, SDL_CONTROLLER_BUTTON_DPAD_UP).y == -1);
    /* No button loses anything by accident, and numbers of no button are bound to nothing. */
    for (int button = 0; button < 256; button++) {
        const enum action_kind kind = input_button_action((Uint8)button).kind;
        CHECK(kind != ACTION_QUIT && kind != ACTION_ESCAPE);
        CHECK(button < SDL_CONTROLLER_BUTTON_MAX || kind == ACTION_NONE);
    }
    for (int key = 0; key < 40; key++) {
        const SDL_Event event = {.key = {.type = SDL_KEYDOWN, .keysym = {.sym = key}}};
        CHECK(key == 27 || key == 39 || input_translate(&couch.input, &event).kind == ACTION_NONE);
    }
    unplug(pad);
    take(&couch);
    stand_up(&couch);
}

static void check_several(void) {
    SDL_Joystick *pads[GAMEPADS_MAX + 1];
    struct couch couch;
    sit_down(&couch);
    for (int i = 0; i <= GAMEPADS_MAX; i++)
        pads[i] = plug();
    take(&couch);
    CHECK(push(&couch, pads[0], SDL_CONTROLLER_AXIS_LEFTX, 1).x == 1);
    CHECK(push(&couch, pads[1], SDL_CONTROLLER_AXIS_LEFTX, 1).x == 1);
    CHECK(push(&couch, pads[GAMEPADS_MAX], SDL_CONTROLLER_AXIS_LEFTX, -1).kind == ACTION_NONE);
    unplug(pads[0]);
    CHECK(take(&couch).x == 1);
    unplug(pads[1]);
    const struct action last = take(&couch);
    CHECK(last.kind == ACTION_STEER && last.x == 0 && comes_to_rest(&couch));
    /* A new pad takes the place of one that was unplugged. */
    pads[0] = plug();
    take(&couch);
    CHECK(push(&couch, pads[0], SDL_CONTROLLER_AXIS_LEFTY, -1).y == -1);
    unplug(pads[0]);
    for (int i = 2; i <= GAMEPADS_MAX; i++)
        unplug(pads[i]);
    take(&couch);
    CHECK(!gamepads_any() && comes_to_rest(&couch));
    stand_up(&couch);
}

/* Sends events of unknown pads, and numbers that are not valid. */
static void check_nonsense(void) {
    struct couch couch;
    sit_down(&couch);
    SDL_Joystick *pad = plug();
    take(&couch);
    const SDL_JoystickID id = SDL_JoystickInstanceID(pad);
    const SDL_Event events[] = {
        {.caxis = {.type = SDL_CONTROLLERAXISMOTION, .which = 999, .axis = 0, .value = 32767}},
        {.caxis = {.type = SDL_CONTROLLERAXISMOTION, .which = id, .axis = 6, .value = 32767}},
        {.caxis = {.type = SDL_CONTROLLERAXISMOTION, .which = id, .axis = 255, .value = 32767}},
        {.cbutton = {.type = SDL_CONTROLLERBUTTONDOWN, .which = 999}},
        {.cbutton = {.type = SDL_CONTROLLERBUTTONDOWN, .which = id, .button = 255}},
        {.cdevice = {.type = SDL_CONTROLLERDEVICEADDED, .which = 77}},
        {.cdevice = {.type = SDL_CONTROLLERDEVICEADDED, .which = -1}},
        {.cdevice = {.type = SDL_CONTROLLERDEVICEADDED, .which = 0}},
        {.cdevice = {.type = SDL_CONTROLLERDEVICEREMOVED, .which = 77}},
    };
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        CHECK(input_translate(&couch.input, &events[i]).kind == ACTION_NONE);
    CHECK(push(&couch, pad, SDL_CONTROLLER_AXIS_LEFTX, -32768.0 / 32767).x == -1);
    unplug(pad);
    CHECK(take(&couch).x == 0 && comes_to_rest(&couch));
    stand_up(&couch);
}

int main(void) {
    gamepads_prepare(true);
    gamepads_start();
    if (!SDL_WasInit(SDL_INIT_GAMECONTROLLER)) {
        printf("skipped: SDL has no gamepads here: %s\n", SDL_GetError());
        return 77;
    }
    check_flight();
    check_zoom();
    check_buttons();
    check_several();
    check_nonsense();
    SDL_Quit();
    return failures > 0;
}
