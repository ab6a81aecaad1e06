/* Script events: pushes events into SDL's queue as devices would, so that scripts use the same
 * code as a person's input. */
#include "app/script/script_types.h"
#include "render/base/log.h"
#include <math.h>

static void push(SDL_Event *event) {
    if (SDL_PushEvent(event) < 0)
        log_warn("an event of the script was lost: %s", SDL_GetError());
}

void script_push_motion(struct script *script, const struct script_state *state,
                        double complex at) {
    const int x = (int)lround(creal(at) / state->scale_x);
    const int y = (int)lround(cimag(at) / state->scale_y);
    SDL_Event event = {.motion = {.type = SDL_MOUSEMOTION,
                                  .windowID = SDL_GetWindowID(state->window),
                                  .state = script->buttons,
                                  .x = x,
                                  .y = y,
                                  .xrel = x - script->x,
                                  .yrel = y - script->y}};
    script->x = x;
    script->y = y;
    push(&event);
}

void script_push_button(struct script *script, const struct script_state *state, Uint8 button,
                        bool down, int clicks) {
    SDL_Event event = {.button = {.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP,
                                  .windowID = SDL_GetWindowID(state->window),
                                  .button = button,
                                  .state = down ? SDL_PRESSED : SDL_RELEASED,
                                  .clicks = (Uint8)clicks,
                                  .x = script->x,
                                  .y = script->y}};
    const Uint32 mask = SDL_BUTTON(button);
    script->buttons = down ? script->buttons | mask : script->buttons & ~mask;
    push(&event);
}

void script_push_finger(struct script *script, const struct script_state *state, Uint32 type,
                        int finger, double complex at) {
    SDL_Event event = {.tfinger = {.type = type,
                                   .fingerId = finger,
                                   .x = (float)(creal(at) / state->width_px),
                                   .y = (float)(cimag(at) / state->height_px),
                                   .pressure = 1,
                                   .windowID = SDL_GetWindowID(state->window)}};
    const unsigned bit = 1u << finger;
    script->fingers = type == SDL_FINGERUP ? script->fingers & ~bit : script->fingers | bit;
    push(&event);
}

static bool fail_gamepad(const struct script *script) {
    log_error("%s:%d: no gamepad: %s", script->path, script->current->line, SDL_GetError());
    return false;
}

static bool unplug(struct script *script) {
    const SDL_JoystickID id = SDL_JoystickInstanceID(script->gamepad);
    SDL_JoystickClose(script->gamepad);
    script->gamepad = NULL;
    for (int i = 0; i < SDL_NumJoysticks(); i++)
        if (SDL_JoystickGetDeviceInstanceID(i) == id)
            return SDL_JoystickDetachVirtual(i) == 0 || fail_gamepad(script);
    return fail_gamepad(script);
}

bool script_plug(struct script *script, bool in) {
    if (!in)
        return script->gamepad ? unplug(script) : fail_gamepad(script);
    if (SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER) != 0)
        return fail_gamepad(script);
    const int device = SDL_JoystickAttachVirtual(
        SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX, SDL_CONTROLLER_BUTTON_MAX, 0);
    script->gamepad = device < 0 ? NULL : SDL_JoystickOpen(device);
    if (!script->gamepad)
        return fail_gamepad(script);
    SDL_JoystickSetVirtualAxis(script->gamepad, SDL_CONTROLLER_AXIS_TRIGGERLEFT, SDL_MIN_SINT16);
    SDL_JoystickSetVirtualAxis(script->gamepad, SDL_CONTROLLER_AXIS_TRIGGERRIGHT, SDL_MIN_SINT16);
    return true;
}

bool script_move_gamepad(const struct script *script, const struct command *command) {
    const bool trigger = command->axis == SDL_CONTROLLER_AXIS_TRIGGERLEFT ||
                         command->axis == SDL_CONTROLLER_AXIS_TRIGGERRIGHT;
    const double part = trigger ? 2 * command->numbers[0] - 1 : command->numbers[0];
    if (!script->gamepad)
        return fail_gamepad(script);
    if (command->axis >= 0)
        SDL_JoystickSetVirtualAxis(script->gamepad, command->axis,
                                   (Sint16)lround(part * SDL_MAX_SINT16));
    else
        SDL_JoystickSetVirtualButton(script->gamepad, command->pad_button, command->numbers[0] > 0);
    return true;
}

void script_push_wheel(const struct script *script, const struct script_state *state,
                       double notches) {
    SDL_Event event = {.wheel = {.type = SDL_MOUSEWHEEL,
                                 .windowID = SDL_GetWindowID(state->window),
                                 .y = (Sint32)trunc(notches),
                                 .preciseY = (float)notches,
                                 .mouseX = script->x,
                                 .mouseY = script->y}};
    push(&event);
}

static Uint16 modifier_of(SDL_Keycode key) {
    switch (key) {
    case SDLK_LCTRL:
        return KMOD_LCTRL;
    case SDLK_RCTRL:
        return KMOD_RCTRL;
    case SDLK_LSHIFT:
        return KMOD_LSHIFT;
    case SDLK_RSHIFT:
        return KMOD_RSHIFT;
    case SDLK_LALT:
        return KMOD_LALT;
    case SDLK_LGUI:
        return KMOD_LGUI;
    default:
        return 0;
    }
}

void script_push_key(struct script *script, const struct script_state *state, SDL_Keycode key,
                     Uint16 modifiers, bool down) {
    const Uint16 own = modifier_of(key);
    script->modifiers = (Uint16)(down ? script->modifiers | own : script->modifiers & ~own);
    script_hold(script, 0);
    SDL_Event event = {.key = {.type = down ? SDL_KEYDOWN : SDL_KEYUP,
                               .windowID = SDL_GetWindowID(state->window),
                               .state = down ? SDL_PRESSED : SDL_RELEASED,
                               .keysym = {.scancode = SDL_GetScancodeFromKey(key),
                                          .sym = key,
                                          .mod = (Uint16)(script->modifiers | modifiers)}}};
    push(&event);
}

void script_hold(const struct script *script, Uint16 modifiers) {
    SDL_SetModState((SDL_Keymod)(script->modifiers | modifiers));
}

void script_push_text(const struct script_state *state, const char *text) {
    SDL_Event event = {.text = {.type = SDL_TEXTINPUT, .windowID = SDL_GetWindowID(state->window)}};
    SDL_strlcpy(event.text.text, text, sizeof event.text.text);
    push(&event);
}

void script_push_drop(const struct script_state *state, const char *file) {
    SDL_Event event = {.drop = {.type = SDL_DROPFILE,
                                .windowID = SDL_GetWindowID(state->window),
                                .file = SDL_strdup(file)}};
    push(&event);
}

void script_push_window(const struct script_state *state, Uint8 kind) {
    SDL_Event event = {.window = {.type = SDL_WINDOWEVENT,
                                  .windowID = SDL_GetWindowID(state->window),
                                  .event = kind}};
    push(&event);
}

void script_push_quit(void) {
    SDL_Event event = {.quit = {.type = SDL_QUIT}};
    push(&event);
}

void script_resize(const struct script_state *state, double width_px, double height_px) {
    SDL_SetWindowSize(state->window, (int)fmax(lround(width_px / state->scale_x), 1),
                      (int)fmax(lround(height_px / state->scale_y), 1));
}
