/* Input events become actions: keys, wheel and mouse, held keys, drags that are flung, boxes,
 * double clicks, turning; and the help's text about keys. */
#include "app/input/input.h"
#include "app/input/latin.h"
#include "tests/shared/check.h"
#include <complex.h>
#include <math.h>

static bool near(double complex a, double complex b, double tolerance) {
    return cabs(a - b) <= tolerance;
}

static struct action send_motion(struct input *input, Uint32 ms, int x, int y, Uint32 buttons) {
    const SDL_Event event = {
        .motion = {.type = SDL_MOUSEMOTION, .timestamp = ms, .state = buttons, .x = x, .y = y}};
    return input_translate(input, &event);
}

static struct action send_button(struct input *input, Uint32 ms, bool down, Uint8 which, int clicks,
                                 int x, int y) {
    const SDL_Event event = {.button = {.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP,
                                        .timestamp = ms,
                                        .button = which,
                                        .clicks = (Uint8)clicks,
                                        .x = x,
                                        .y = y}};
    return input_translate(input, &event);
}

static struct action send_place(struct input *input, bool down, SDL_Scancode place, SDL_Keycode key,
                                int modifiers) {
    const SDL_Event event = {
        .key = {.type = down ? SDL_KEYDOWN : SDL_KEYUP,
                .keysym = {.scancode = place, .sym = key, .mod = (Uint16)modifiers}}};
    return input_translate(input, &event);
}

static struct action send_key(struct input *input, bool down, SDL_Keycode key, int modifiers) {
    return send_place(input, down, SDL_SCANCODE_UNKNOWN, key, modifiers);
}

static SDL_Event key_event(SDL_Keycode key, int modifiers, bool repeat) {
    return (SDL_Event){.key = {.type = SDL_KEYDOWN,
                               .repeat = repeat,
                               .keysym = {.sym = key, .mod = (Uint16)modifiers}}};
}

static struct action key_action(SDL_Keycode key, int modifiers, bool repeat) {
    struct input input = {.scale_x = 1, .scale_y = 1};
    const SDL_Event event = key_event(key, modifiers, repeat);
    return input_translate(&input, &event);
}

static enum action_kind key_kind(SDL_Keycode key, int modifiers, bool repeat) {
    return key_action(key, modifiers, repeat).kind;
}

static double key_amount(SDL_Keycode key, int modifiers) {
    return key_action(key, modifiers, false).amount;
}

static bool key_steps(SDL_Keycode key, int modifiers, enum setting_id id) {
    const struct action action = key_action(key, modifiers, false);
    return action.kind == ACTION_STEP && action.setting == id;
}

static void check_keys(void) {
    CHECK(key_kind(SDLK_q, 0, false) == ACTION_QUIT &&
          key_kind(SDLK_ESCAPE, 0, false) == ACTION_ESCAPE);
    CHECK(key_kind(SDLK_s, 0, false) == ACTION_SCREENSHOT);
    CHECK(key_kind(SDLK_s, KMOD_NUM | KMOD_CAPS, false) == ACTION_SCREENSHOT);
    CHECK(key_kind(SDLK_s, KMOD_RCTRL, false) == ACTION_SAVE_VIEW);
    CHECK(key_kind(SDLK_c, KMOD_LCTRL, false) == ACTION_COPY);
    CHECK(key_kind(SDLK_RETURN, KMOD_RALT, false) == ACTION_FULLSCREEN);
    CHECK(key_kind(SDLK_RETURN, 0, false) == ACTION_NONE);
    CHECK(key_kind(SDLK_UNKNOWN, 0, false) == ACTION_NONE);
    /* '+' on every layout, with and without Shift. */
    CHECK(key_kind(SDLK_EQUALS, 0, false) == ACTION_ZOOM_MIDDLE && key_amount(SDLK_EQUALS, 0) == 1);
    CHECK(key_amount(SDLK_EQUALS, KMOD_LSHIFT) == 1 && key_amount(SDLK_PLUS, 0) == 1);
    CHECK(key_amount(SDLK_KP_PLUS, KMOD_NUM) == 1 && key_amount(SDLK_KP_MINUS, KMOD_NUM) == -1);
    CHECK(key_amount(SDLK_PAGEUP, 0) == 1 && key_amount(SDLK_LEFTBRACKET, 0) == -1);
    CHECK(key_kind(SDLK_F11, 0, false) == ACTION_FULLSCREEN);
    CHECK(key_kind(SDLK_f, 0, false) == ACTION_FULLSCREEN);
    CHECK(key_steps(SDLK_w, KMOD_LSHIFT, SETTING_GAMMA) && key_amount(SDLK_w, KMOD_LSHIFT) == -1 &&
          key_amount(SDLK_e, KMOD_RSHIFT) == 1);
    CHECK(key_kind(SDLK_n, KMOD_LSHIFT, false) == ACTION_RESET_TONE &&
          key_steps(SDLK_n, 0, SETTING_CURVE));
    /* Question marks of several keyboards. */
    CHECK(key_kind(SDLK_SLASH, KMOD_LSHIFT, false) == ACTION_HELP &&
          key_kind(SDLK_QUESTION, 0, false) == ACTION_HELP &&
          key_kind(0xdf, KMOD_RSHIFT, false) == ACTION_HELP &&
          key_kind(SDLK_SLASH, 0, false) == ACTION_NONE);
    /* Held keys continue a motion, but do not take a hundred screenshots. */
    CHECK(key_kind(SDLK_LEFT, 0, true) == ACTION_SLIDE);
    CHECK(key_kind(SDLK_s, 0, true) == ACTION_NONE && key_kind(SDLK_b, 0, true) == ACTION_NONE);
    CHECK(key_steps(SDLK_d, 0, SETTING_ORBIT_DENSITY) && !key_kind(SDLK_d, 0, true));
    CHECK(key_amount(SDLK_w, 0) == -1 && key_amount(SDLK_e, 0) == 1 &&
          key_steps(SDLK_e, 0, SETTING_EXPOSURE) && key_kind(SDLK_e, 0, true) == ACTION_STEP);
}

static void check_held_keys(void) {
    struct input input = {.scale_x = 1, .scale_y = 1};
    CHECK(send_key(&input, true, SDLK_u, 0).amount == 1);
    CHECK(send_key(&input, true, SDLK_u, KMOD_RSHIFT).amount == -1);
    CHECK(send_key(&input, true, SDLK_z, KMOD_LCTRL).kind == ACTION_UNDO);
    CHECK(send_key(&input, true, SDLK_z, KMOD_LCTRL | KMOD_LSHIFT).amount == -1);
    CHECK(send_key(&input, true, SDLK_COMMA, 0).amount == -5);
    CHECK(send_key(&input, true, SDLK_PERIOD, KMOD_LSHIFT).amount == 1);
    CHECK(send_key(&input, true, SDLK_GREATER, 0).amount == 5);
    CHECK(send_key(&input, true, SDLK_s, KMOD_LSHIFT).kind == ACTION_SCREENSHOT);
    CHECK(send_key(&input, true, SDLK_1, 0).kind == ACTION_CHOOSE);
    CHECK(send_key(&input, true, SDLK_1, 0).amount == 0);
    CHECK(send_key(&input, true, SDLK_KP_0, KMOD_NUM).amount == 9);
    CHECK(send_key(&input, true, SDLK_2, KMOD_LSHIFT).amount == 11);
    CHECK(send_key(&input, true, SDLK_2, KMOD_LCTRL).kind == ACTION_KEEP_PALETTE);
    /* French keyboard: digits need Shift; without Shift they work where the sign has no other
     * meaning. */
    CHECK(send_place(&input, true, SDL_SCANCODE_1, SDLK_AMPERSAND, 0).kind == ACTION_CHOOSE);
    CHECK(send_place(&input, true, SDL_SCANCODE_1, SDLK_AMPERSAND, KMOD_LSHIFT).amount == 0);
    CHECK(send_place(&input, true, SDL_SCANCODE_0, (SDL_Keycode)0xe0, 0).amount == 9);
    CHECK(send_place(&input, true, SDL_SCANCODE_6, SDLK_MINUS, 0).kind ==
          send_key(&input, true, SDLK_MINUS, 0).kind);
    CHECK(send_place(&input, true, SDL_SCANCODE_6, SDLK_MINUS, KMOD_LSHIFT).amount == 5);
    CHECK(send_place(&input, true, SDL_SCANCODE_0, (SDL_Keycode)0xe0, KMOD_LCTRL).amount == 9);
    CHECK(send_place(&input, true, SDL_SCANCODE_MINUS, SDLK_RIGHTPAREN, 0).kind == ACTION_NONE);
    /* A held key is released by its place, even if the layout has changed. */
    CHECK(send_place(&input, true, SDL_SCANCODE_Z, SDLK_z, 0).amount == 1);
    CHECK(send_place(&input, false, SDL_SCANCODE_Y, SDLK_z, 0).kind == ACTION_NONE);
    CHECK(send_place(&input, false, SDL_SCANCODE_Z, (SDL_Keycode)0x44f, 0).kind ==
          ACTION_GLIDE_ZOOM);
    /* The last of two held keys counts, until it is released. */
    CHECK(send_key(&input, true, SDLK_z, 0).amount == 1);
    CHECK(send_key(&input, true, SDLK_x, 0).amount == -1);
    CHECK(send_key(&input, false, SDLK_z, 0).kind == ACTION_NONE);
    CHECK(send_key(&input, false, SDLK_x, KMOD_LCTRL).kind == ACTION_GLIDE_ZOOM);
    CHECK(send_key(&input, false, SDLK_x, 0).kind == ACTION_NONE);
}

/* Checks layouts without Latin letters: shortcuts are at their places on an American keyboard. */
static void check_other_scripts(void) {
    static const struct {
        SDL_Scancode place;
        SDL_Keycode key, wanted;
    } keys[] = {{SDL_SCANCODE_Z, 0x44f, SDLK_z},         {SDL_SCANCODE_Q, 0x439, SDLK_q},
                {SDL_SCANCODE_A, 0x3b1, SDLK_a},         {SDL_SCANCODE_COMMA, 0x431, SDLK_COMMA},
                {SDL_SCANCODE_RIGHTBRACKET, 0x44a, ']'}, {SDL_SCANCODE_SLASH, 0x5e9, '/'},
                {SDL_SCANCODE_Q, SDLK_a, SDLK_a},        {SDL_SCANCODE_SEMICOLON, 0xf6, 0xf6},
                {SDL_SCANCODE_F1, SDLK_F1, SDLK_F1},     {SDL_SCANCODE_KP_5, SDLK_KP_5, SDLK_KP_5},
                {SDL_SCANCODE_UNKNOWN, 0x44f, 0x44f}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        for (int up = 0; up < 2; up++) {
            SDL_Event event = key_event(keys[i].key, 0, false);
            event.type = up ? SDL_KEYUP : SDL_KEYDOWN;
            event.key.keysym.scancode = keys[i].place;
            latin_key(&event);
            CHECK(event.key.keysym.sym == keys[i].wanted);
        }
}

/* Drags by 4 px every 10 ms, and releases after a rest. */
static struct action fling(struct input *input, Uint32 rest_ms, int steps) {
    send_button(input, 1000, true, SDL_BUTTON_LEFT, 1, 100, 100);
    Uint32 ms = 1000;
    for (int i = 1; i <= steps; i++)
        send_motion(input, ms = 1000 + 10 * (Uint32)i, 100 + 4 * i, 100 - 3 * i, SDL_BUTTON_LMASK);
    return send_button(input, ms + rest_ms, false, SDL_BUTTON_LEFT, 1, 0, 0);
}

static void check_hands(void) {
    struct input input = {.scale_x = 1, .scale_y = 1};
    struct action action = fling(&input, 0, 30);
    CHECK(action.kind == ACTION_DRAG_END && near(action.x + I * action.y, 0.4 - 0.3 * I, 1e-9));
    action = fling(&input, 100, 30);
    CHECK(action.kind == ACTION_DRAG_END && action.x == 0 && action.y == 0);
    action = fling(&input, 0, 1); /* a click of an unsteady hand */
    CHECK(action.kind == ACTION_DRAG_END && action.x == 0 && action.y == 0);
    send_button(&input, 0, true, SDL_BUTTON_LEFT, 1, 0, 0);
    send_motion(&input, 0, 500, 0, SDL_BUTTON_LMASK);
    action = send_button(&input, 0, false, SDL_BUTTON_LEFT, 1, 0, 0);
    CHECK(action.x > 0 && action.x <= 6);
    /* The motion of the last frame counts if frames are slow. */
    send_button(&input, 1000, true, SDL_BUTTON_LEFT, 1, 0, 0);
    for (int i = 1; i <= 5; i++)
        send_motion(&input, 1150, 6 * i, 0, SDL_BUTTON_LMASK);
    for (int i = 6; i <= 10; i++)
        send_motion(&input, 1300, 6 * i, 0, SDL_BUTTON_LMASK);
    action = send_button(&input, 1300, false, SDL_BUTTON_LEFT, 1, 60, 0);
    CHECK(near(action.x + I * action.y, 0.2, 1e-9));
    /* A double click, but not if the hand dragged in between. */
    send_button(&input, 0, true, SDL_BUTTON_LEFT, 1, 30, 40);
    send_motion(&input, 0, 32, 40, SDL_BUTTON_LMASK);
    send_button(&input, 0, false, SDL_BUTTON_LEFT, 1, 32, 40);
    action = send_button(&input, 0, true, SDL_BUTTON_LEFT, 2, 32, 40);
    CHECK(action.kind == ACTION_CENTRE && action.x == 32 && action.y == 40);
    CHECK(send_motion(&input, 0, 50, 60, SDL_BUTTON_LMASK).kind == ACTION_POINT);
    send_button(&input, 0, false, SDL_BUTTON_LEFT, 2, 32, 40);
    send_button(&input, 0, true, SDL_BUTTON_LEFT, 1, 30, 40);
    send_motion(&input, 0, 50, 40, SDL_BUTTON_LMASK);
    send_motion(&input, 0, 31, 40, SDL_BUTTON_LMASK);
    send_button(&input, 0, false, SDL_BUTTON_LEFT, 1, 31, 40);
    CHECK(send_button(&input, 0, true, SDL_BUTTON_LEFT, 2, 31, 40).kind == ACTION_GRAB);
    /* Only a single button works at a time; Escape only removes the box. */
    CHECK(send_button(&input, 0, true, SDL_BUTTON_RIGHT, 1, 31, 40).kind == ACTION_NONE);
    CHECK(send_motion(&input, 0, 30, 40, SDL_BUTTON_LMASK | SDL_BUTTON_RMASK).kind == ACTION_DRAG);
    send_button(&input, 0, false, SDL_BUTTON_LEFT, 1, 30, 40);
    send_button(&input, 0, true, SDL_BUTTON_RIGHT, 1, 30, 40);
    action = send_motion(&input, 0, 70, 50, SDL_BUTTON_RMASK);
    CHECK(action.kind == ACTION_BOX && action.from_x == 30 && action.x == 70);
    CHECK(send_key(&input, true, SDLK_ESCAPE, 0).kind == ACTION_BOX_CANCEL);
    CHECK(send_button(&input, 0, false, SDL_BUTTON_RIGHT, 1, 70, 50).kind == ACTION_NONE);
    CHECK(send_key(&input, true, SDLK_ESCAPE, 0).kind == ACTION_ESCAPE);
    SDL_SetModState(KMOD_RCTRL);
    send_button(&input, 0, true, SDL_BUTTON_LEFT, 1, 70, 50);
    SDL_SetModState(KMOD_NONE);
    action = send_motion(&input, 0, 71, 52, SDL_BUTTON_LMASK);
    CHECK(action.kind == ACTION_SPIN && action.from_x == 70 && action.y == 52);
}

static void check_mouse(void) {
    struct input input = {0};
    input_set_size(&input, 960, 540, 640, 360);
    struct action action = send_motion(&input, 0, 10, 20, 0);
    CHECK(action.kind == ACTION_POINT && action.x == 15 && action.y == 30);
    send_button(&input, 0, true, SDL_BUTTON_LEFT, 1, 10, 20);
    /* Whole pixels, whose sum is the whole way, at any scale. */
    double x = 0, y = 0;
    for (int i = 1; i <= 7; i++) {
        action = send_motion(&input, 0, 10 + i, 20 - 3 * i, SDL_BUTTON_LMASK);
        CHECK(action.kind == ACTION_DRAG && action.x == round(action.x));
        x += action.x;
        y += action.y;
    }
    CHECK(x == round(17 * 1.5) - 15 && y == round(-1 * 1.5) - 30);
    CHECK(send_button(&input, 0, false, SDL_BUTTON_LEFT, 1, 17, -1).kind == ACTION_DRAG_END);
    CHECK(send_motion(&input, 0, 1, 1, 0).kind == ACTION_POINT);
    CHECK(send_button(&input, 0, false, SDL_BUTTON_LEFT, 1, 1, 1).kind == ACTION_NONE);
    /* A missed release also ends the drag, as does a loss of focus. */
    send_button(&input, 0, true, SDL_BUTTON_LEFT, 1, 1, 1);
    CHECK(send_motion(&input, 0, 5, 5, 0).kind == ACTION_LET_GO);
    send_button(&input, 0, true, SDL_BUTTON_LEFT, 1, 1, 1);
    const SDL_Event lost = {
        .window = {.type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_FOCUS_LOST}};
    CHECK(input_translate(&input, &lost).kind == ACTION_LET_GO);
    CHECK(input_translate(&input, &lost).kind == ACTION_NONE);
    send_button(&input, 0, true, SDL_BUTTON_RIGHT, 1, 1, 1);
    CHECK(send_motion(&input, 0, 5, 5, SDL_BUTTON_RMASK).kind == ACTION_BOX);
}

static struct action wheel(float precise, int whole) {
    struct input input = {.scale_x = 1, .scale_y = 1, .x_px = 3, .y_px = 4};
    const SDL_Event event = {.wheel = {.type = SDL_MOUSEWHEEL, .y = whole, .preciseY = precise}};
    return input_translate(&input, &event);
}

static void check_wheel(void) {
    CHECK(wheel(0.25f, 0).kind == ACTION_ZOOM && wheel(0.25f, 0).amount == 0.25);
    CHECK(wheel(0, -2).amount == -2 && wheel(0, -2).x == 3 && wheel(0, -2).y == 4);
    CHECK(wheel(0, 0).kind == ACTION_NONE && wheel(NAN, 1).kind == ACTION_NONE);
    CHECK(fabs(wheel(1e9f, 0).amount) <= 20 && fabs(wheel(0, -1000000).amount) <= 20);
}

static void check_help(void) {
    struct input_line line, before = {0};
    size_t lines = 0, groups = 0;
    bool screenshot = false;
    for (; input_help(lines, &line); lines++) {
        CHECK(*line.heading && *line.keys && *line.text);
        groups += !before.heading || strcmp(line.heading, before.heading) != 0;
        screenshot = screenshot || strcmp(line.keys, "S Shift+S") == 0;
        before = line;
    }
    CHECK(screenshot && lines > 10 && lines < 90);
    CHECK(groups > 2 && groups < 9);
}

int main(void) {
    check_keys();
    check_held_keys();
    check_other_scripts();
    check_mouse();
    check_wheel();
    check_help();
    check_hands();
    return failures > 0;
}
