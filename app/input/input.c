/* Key table: turns SDL events into actions; the help and the manual list its keys. */
#include "app/input/pointer.h"
#include <string.h>

#define DENSITY_HEADING "Orbit density"
#define TOUCH_HEADING   "Touch screen"
#define GAMEPAD_HEADING "Gamepad"
#define TURN_DEGREES    5
#define TURN_FINELY     1

/* ONCE: when the key is pressed; HELD: repeatedly while it is held; BUTTON: a gamepad's button is
 * pressed. */
enum trigger { ONCE, HELD, BUTTON };

struct binding {
    const char *label, *help; /* keys and text of the help's line; NULL: not in the help */
    struct action action;
    SDL_Keymod modifiers; /* without KMOD_SHIFT the key works with and without Shift */
    enum trigger trigger;
    SDL_Keycode keys[4]; /* unused ones are 0; BUTTON: SDL's number of the button plus 1 */
};
#define HEADING(text)                                                                              \
    { .label = text }
#define NOTE(keys, text)                                                                           \
    { .label = keys, .help = text }
#define DO(what, steps)                                                                            \
    { .kind = ACTION_##what, .amount = steps }
#define STEP(steps, id)                                                                            \
    { .kind = ACTION_STEP, .amount = steps, .setting = SETTING_##id }
#define MOVE(axis, step)                                                                           \
    { .kind = ACTION_SLIDE, .axis = step }
#define SHIFT      KMOD_SHIFT
#define CTRL       KMOD_CTRL
#define CTRL_SHIFT (KMOD_CTRL | KMOD_SHIFT)
#define ON(name)   SDL_CONTROLLER_BUTTON_##name + 1

/* Key codes, not scan codes: letters are where the keys' caps show them. '=' is next to Backspace
 * and writes '+' with Shift. Rows with Shift precede those without it, so a row for the help may
 * stand before both and have no keys. */
static const struct binding bindings[] = {
    HEADING("Explore"),
    NOTE("wheel", "zoom at the pointer"),
    NOTE("drag", "move"),
    NOTE("right drag", "zoom to a box"),
    NOTE("double click", "zoom to that point"),
    NOTE("Ctrl+drag", "rotate"),
    NOTE("Shift+drag", "move the light"),
    {"Z X", "hold to zoom in, out", DO(GLIDE_ZOOM, 1), 0, ONCE, {SDLK_z}},
    {NULL, NULL, DO(GLIDE_ZOOM, -1), 0, ONCE, {SDLK_x}},
    {"A", "autopilot", DO(AUTOPILOT, 0), 0, ONCE, {SDLK_a}},
    {"Shift+Up Down", "speed of a held zoom", DO(ZOOM_SPEED, 1), SHIFT, HELD, {SDLK_UP}},
    {NULL, NULL, DO(ZOOM_SPEED, -1), SHIFT, HELD, {SDLK_DOWN}},
    {"+ -",
     "zoom at the centre",
     DO(ZOOM_MIDDLE, 1),
     0,
     HELD,
     {SDLK_PLUS, SDLK_EQUALS, SDLK_KP_PLUS}},
    {NULL, NULL, DO(ZOOM_MIDDLE, -1), 0, HELD, {SDLK_MINUS, SDLK_UNDERSCORE, SDLK_KP_MINUS}},
    {"arrows", "move", MOVE(x, -1), 0, HELD, {SDLK_LEFT}},
    {NULL, NULL, MOVE(x, 1), 0, HELD, {SDLK_RIGHT}},
    {NULL, NULL, MOVE(y, -1), 0, HELD, {SDLK_UP}},
    {NULL, NULL, MOVE(y, 1), 0, HELD, {SDLK_DOWN}},
    {NULL, NULL, DO(TURN, -TURN_FINELY), SHIFT, HELD, {SDLK_COMMA}},
    {NULL, NULL, DO(TURN, TURN_FINELY), SHIFT, HELD, {SDLK_PERIOD}},
    /* the key of the full stop on a French keyboard */
    {NULL, NULL, DO(TURN, TURN_DEGREES), SHIFT, HELD, {SDLK_SEMICOLON}},
    {", .", "rotate (Shift: 1 degree)", DO(TURN, -TURN_DEGREES), 0, HELD, {SDLK_COMMA, SDLK_LESS}},
    {NULL, NULL, DO(TURN, TURN_DEGREES), 0, HELD, {SDLK_PERIOD, SDLK_GREATER}},
    {NULL, NULL, DO(UNDO, -1), SHIFT, HELD, {SDLK_u}},
    {"U Shift+U", "undo, redo", DO(UNDO, 1), 0, HELD, {SDLK_u}},
    {NULL, NULL, DO(UNDO, -1), CTRL_SHIFT, HELD, {SDLK_z}},
    {NULL, NULL, DO(UNDO, 1), CTRL, HELD, {SDLK_z}},
    {NULL, NULL, DO(UNDO, -1), CTRL, HELD, {SDLK_y}},
    {NULL, NULL, DO(LOCATE, 1), SHIFT, ONCE, {SDLK_o}},
    {"O Shift+O", "find a minibrot, spiral centre", DO(LOCATE, 0), 0, ONCE, {SDLK_o}},
    {"R", "home: the whole set", DO(HOME, 0), 0, ONCE, {SDLK_r}},
    HEADING("Picture"),
    {NULL, NULL, STEP(-1, FORMULA), SHIFT, ONCE, {SDLK_y}},
    {"Y Shift+Y", "next, previous formula", STEP(1, FORMULA), 0, ONCE, {SDLK_y}},
    {"J", "Julia set of this point", DO(JULIA, 0), 0, ONCE, {0}},
    {"Shift+J", "Julia set in an inset", DO(JULIA, 1), SHIFT, ONCE, {SDLK_j}},
    {NULL, NULL, DO(JULIA, 0), 0, ONCE, {SDLK_j}},
    {NULL, NULL, DO(RANDOM_PALETTE, 0), SHIFT, ONCE, {SDLK_c}},
    NOTE("N Shift+N", "next style, plain look"),
    NOTE("V", "random look"),
    {"C Shift+C", "next, random palette", STEP(1, PALETTE), 0, ONCE, {SDLK_c}},
    NOTE("1 ... 9 0", "palettes 1-10 (Shift: 11-14)"),
    NOTE("Ctrl+digit", "store the palette on a digit"),
    {"T", "anti-aliasing", DO(ANTIALIAS, 0), 0, ONCE, {0}},
    {"Shift+T", "what the colours show", STEP(1, BY), SHIFT, ONCE, {SDLK_t}},
    {NULL, NULL, DO(ANTIALIAS, 0), 0, ONCE, {SDLK_t}},
    {"I", "automatic limit", DO(AUTO_LIMIT, 0), 0, ONCE, {0}},
    {"Shift+I", "next mapping", STEP(1, MAPPING), SHIFT, ONCE, {SDLK_i}},
    {NULL, NULL, DO(AUTO_LIMIT, 0), 0, ONCE, {SDLK_i}},
    {"Shift+L", "next layer", STEP(1, LAYER), SHIFT, ONCE, {SDLK_l}},
    {"[ ]", "iteration limit", STEP(-1, LIMIT), 0, HELD, {SDLK_LEFTBRACKET, SDLK_PAGEDOWN}},
    {NULL, NULL, STEP(1, LIMIT), 0, HELD, {SDLK_RIGHTBRACKET, SDLK_PAGEUP}},
    {"D", "Buddhabrot", STEP(1, ORBIT_DENSITY), 0, ONCE, {0}},
    {"Shift+D", "auto colour frequency", DO(AUTO_FREQUENCY, 0), SHIFT, ONCE, {SDLK_d}},
    {NULL, NULL, STEP(1, ORBIT_DENSITY), 0, ONCE, {SDLK_d}},
    HEADING("Window"),
    {"F1 ?", "this help", DO(HELP, 0), 0, ONCE, {SDLK_F1, SDLK_QUESTION}},
    /* Keys that write the question mark with Shift: English; German; Spanish and Italian. */
    {NULL, NULL, DO(HELP, 0), SHIFT, ONCE, {SDLK_SLASH, 0xdf, SDLK_QUOTE}},
    {"G", "gallery", DO(GALLERY, 0), 0, ONCE, {SDLK_g}},
    {"Ctrl+S", "save this location", DO(SAVE_VIEW, 0), CTRL, ONCE, {SDLK_s}},
    {"Shift+B Ctrl+B", "add, visit bookmarks", DO(KEEP_VIEW, 0), SHIFT, ONCE, {SDLK_b}},
    {NULL, NULL, DO(BOOKMARK, -1), CTRL_SHIFT, ONCE, {SDLK_b}},
    {NULL, NULL, DO(BOOKMARK, 1), CTRL, ONCE, {SDLK_b}},
    {"L", "panel with all settings", DO(PANEL, 0), 0, ONCE, {SDLK_l}},
    {NULL, NULL, STEP(1, METHOD), SHIFT, ONCE, {SDLK_m}},
    {"M", "minimap", DO(MAP, 0), 0, ONCE, {SDLK_m}},
    {"H", "numbers: brief, all, none", DO(HUD, 0), 0, ONCE, {SDLK_h}},
    {NULL, NULL, DO(SCREENSHOT, 1), SHIFT, ONCE, {SDLK_s}},
    {"S Shift+S", "screenshot, as PNG", DO(SCREENSHOT, 0), 0, ONCE, {SDLK_s}},
    {NULL, NULL, DO(COPY, 1), CTRL_SHIFT, ONCE, {SDLK_c}},
    {"Ctrl+C Ctrl+V", "copy, paste; Shift+C: picture", DO(COPY, 0), CTRL, ONCE, {SDLK_c}},
    {NULL, NULL, DO(PASTE, 0), CTRL, ONCE, {SDLK_v}},
    {"Ctrl+R Ctrl+P", "record a path, play it", DO(RECORD, 0), CTRL, ONCE, {SDLK_r}},
    {NULL, NULL, DO(PLAY, 0), CTRL, ONCE, {SDLK_p}},
    {"Ctrl+M", "make a movie", DO(MOVIE, 0), CTRL, ONCE, {SDLK_m}},
    {"F F11", "full screen", DO(FULLSCREEN, 0), 0, ONCE, {SDLK_F11, SDLK_f}},
    {NULL, NULL, DO(FULLSCREEN, 0), KMOD_ALT, ONCE, {SDLK_RETURN}},
    {"Esc", "close (twice: quit)", DO(ESCAPE, 0), 0, ONCE, {SDLK_ESCAPE}},
    {"Q", "quit", DO(QUIT, 0), 0, ONCE, {SDLK_q}},
    {NULL, NULL, DO(QUIT, 0), CTRL, ONCE, {SDLK_q}},
    HEADING(DENSITY_HEADING),
    {"V", "kind of Buddhabrot", DO(VARIANT, 0), 0, ONCE, {SDLK_v}},
    {NULL, NULL, STEP(1, LEAST), SHIFT, HELD, {SDLK_k}},
    {"K Shift+K", "minimum orbit length", STEP(-1, LEAST), 0, HELD, {SDLK_k}},
    {NULL, NULL, STEP(-1, GAMMA), SHIFT, HELD, {SDLK_w}},
    {"Shift+W Shift+E", "gamma", STEP(1, GAMMA), SHIFT, HELD, {SDLK_e}},
    {"W E", "darker, brighter", STEP(-1, EXPOSURE), 0, HELD, {SDLK_w}},
    {NULL, NULL, STEP(1, EXPOSURE), 0, HELD, {SDLK_e}},
    {NULL, NULL, DO(RESET_TONE, 0), SHIFT, ONCE, {SDLK_n}},
    {"N Shift+N", "next, default tone curve", STEP(1, CURVE), 0, ONCE, {SDLK_n}},
    HEADING(TOUCH_HEADING),
    NOTE("finger", "move"),
    NOTE("2 fingers", "zoom, rotate, move"),
    NOTE("double tap", "zoom to that point"),
    NOTE("2-finger tap", "zoom out"),
    NOTE("3-finger tap", "undo"),
    NOTE("long press", "panel; drag: zoom to a box"),
    HEADING(GAMEPAD_HEADING),
    NOTE("left stick", "fly"),
    NOTE("right stick", "zoom; sideways: rotate"),
    NOTE("triggers", "zoom out, in"),
    {"D-pad", "move a step", MOVE(x, -1), 0, BUTTON, {ON(DPAD_LEFT)}},
    {NULL, NULL, MOVE(x, 1), 0, BUTTON, {ON(DPAD_RIGHT)}},
    {NULL, NULL, MOVE(y, -1), 0, BUTTON, {ON(DPAD_UP)}},
    {NULL, NULL, MOVE(y, 1), 0, BUTTON, {ON(DPAD_DOWN)}},
    {"A", "next palette", STEP(1, PALETTE), 0, BUTTON, {ON(A)}},
    {"B", "undo", DO(UNDO, 1), 0, BUTTON, {ON(B)}},
    {"right shoulder", "redo", DO(UNDO, -1), 0, BUTTON, {ON(RIGHTSHOULDER)}},
    {"left shoulder", "autopilot", DO(AUTOPILOT, 0), 0, BUTTON, {ON(LEFTSHOULDER)}},
    {"X", "screenshot", DO(SCREENSHOT, 0), 0, BUTTON, {ON(X)}},
    {"Y", "numbers", DO(HUD, 0), 0, BUTTON, {ON(Y)}},
    {"Start", "home", DO(HOME, 0), 0, BUTTON, {ON(START)}},
    {"Back", "this help", DO(HELP, 0), 0, BUTTON, {ON(BACK)}},
    {"press left stick", "gallery", DO(GALLERY, 0), 0, BUTTON, {ON(LEFTSTICK)}},
    {"press right stick", "full screen", DO(FULLSCREEN, 0), 0, BUTTON, {ON(RIGHTSTICK)}},
    HEADING("Computation"),
    {NULL, NULL, STEP(1, EXACT), SHIFT, ONCE, {SDLK_p}},
    {"P Shift+P", "precision, exact pictures", STEP(1, PRECISION), 0, ONCE, {SDLK_p}},
    {"Shift+M", "drawing method", STEP(1, METHOD), SHIFT, ONCE, {0}},
    {"B", "next backend", DO(BACKEND, 0), 0, ONCE, {SDLK_b}},
};
#define BINDING_COUNT (sizeof bindings / sizeof *bindings)

static const struct action nothing = {.kind = ACTION_NONE};

void input_set_size(struct input *input, int width_px, int height_px, int width, int height) {
    input->width_px = width_px;
    input->height_px = height_px;
    input->scale_x = (double)width_px / (width > 0 ? width : 1);
    input->scale_y = (double)height_px / (height > 0 ? height : 1);
}

/* Returns the pressed modifiers, left and right ones alike. */
static SDL_Keymod modifiers_of(Uint16 pressed) {
    int modifiers = 0;
    modifiers |= pressed & KMOD_CTRL ? KMOD_CTRL : 0;
    modifiers |= pressed & KMOD_ALT ? KMOD_ALT : 0;
    modifiers |= pressed & KMOD_GUI ? KMOD_GUI : 0;
    modifiers |= pressed & KMOD_SHIFT ? KMOD_SHIFT : 0;
    return (SDL_Keymod)modifiers;
}

static bool binding_has(const struct binding *binding, SDL_Keycode key, SDL_Keymod modifiers) {
    const int wanted = binding->modifiers;
    const int pressed = wanted & KMOD_SHIFT ? modifiers : modifiers & ~KMOD_SHIFT;
    if (key == SDLK_UNKNOWN || binding->trigger == BUTTON || wanted != pressed)
        return false;
    for (size_t i = 0; i < sizeof binding->keys / sizeof *binding->keys; i++)
        if (binding->keys[i] == key)
            return true;
    return false;
}

/* Returns the index that a digit key stands for (1: 0, ..., 0: 9), or -1 for other keys. */
static int digit_of(SDL_Keycode key) {
    if (key >= SDLK_0 && key <= SDLK_9)
        return (key - SDLK_0 + 9) % 10;
    if (key >= SDLK_KP_1 && key <= SDLK_KP_9)
        return key - SDLK_KP_1;
    return key == SDLK_KP_0 ? 9 : -1;
}

/* Returns the index of a key that writes a digit only with Shift, as on a French keyboard, or -1
 * for other keys. */
static int shifted_digit_of(const SDL_Keysym *keysym) {
    const SDL_Scancode key = keysym->scancode;
    const bool row = key >= SDL_SCANCODE_1 && key <= SDL_SCANCODE_0;
    return row && digit_of(keysym->sym) < 0 ? (int)(key - SDL_SCANCODE_1) : -1;
}

/* Returns the action of a digit; Shift adds `tens` to its index. */
static struct action translate_digit(const SDL_KeyboardEvent *event, int digit, int tens) {
    const SDL_Keymod modifiers = modifiers_of(event->keysym.mod);
    if (!event->repeat && modifiers == KMOD_CTRL)
        return (struct action){.kind = ACTION_KEEP_PALETTE, .amount = digit};
    if (event->repeat || modifiers & ~KMOD_SHIFT)
        return nothing;
    return (struct action){.kind = ACTION_CHOOSE,
                           .setting = SETTING_PALETTE,
                           .amount = digit + (modifiers & KMOD_SHIFT ? tens : 0)};
}

struct action input_key_action(const SDL_KeyboardEvent *event) {
    const SDL_Keymod modifiers = modifiers_of(event->keysym.mod);
    for (size_t i = 0; i < BINDING_COUNT; i++)
        if (binding_has(&bindings[i], event->keysym.sym, modifiers))
            return !event->repeat || bindings[i].trigger == HELD ? bindings[i].action : nothing;
    return nothing;
}

struct action input_button_action(Uint8 button) {
    for (size_t i = 0; i < BINDING_COUNT; i++)
        if (bindings[i].trigger == BUTTON && bindings[i].keys[0] == button + 1)
            return bindings[i].action;
    return nothing;
}

static struct action translate_key(struct input *input, const SDL_KeyboardEvent *event) {
    const SDL_Keycode key = event->keysym.sym;
    if (key == SDLK_ESCAPE && input->hand == HAND_BOXING)
        return input_cancel_box(input);
    const int digit = digit_of(key), shifted = shifted_digit_of(&event->keysym);
    struct action action = digit >= 0 ? translate_digit(event, digit, 10) : input_key_action(event);
    if (shifted >= 0 && (event->keysym.mod & KMOD_SHIFT || action.kind == ACTION_NONE))
        action = translate_digit(event, shifted, 0);
    if (action.kind == ACTION_GLIDE_ZOOM) {
        input->held = key;
        input->held_place = event->keysym.scancode;
    }
    return action;
}

/* Returns true if the key is the held one. Events of scripts may have no scan code. */
static bool is_held(const struct input *input, const SDL_Keysym *key) {
    if (input->held == 0)
        return false;
    return key->scancode != SDL_SCANCODE_UNKNOWN && input->held_place != SDL_SCANCODE_UNKNOWN
               ? key->scancode == input->held_place
               : key->sym == input->held;
}

static struct action translate_window(struct input *input, const SDL_WindowEvent *event) {
    switch (event->event) {
    case SDL_WINDOWEVENT_LEAVE:
        input->inside = false;
        return nothing;
    case SDL_WINDOWEVENT_FOCUS_LOST:
    case SDL_WINDOWEVENT_MINIMIZED:
    case SDL_WINDOWEVENT_HIDDEN:
        return input_release_all(input);
    default:
        return nothing;
    }
}

struct action input_translate(struct input *input, const SDL_Event *event) {
    switch (event->type) {
    case SDL_QUIT:
        return (struct action){.kind = ACTION_QUIT};
    case SDL_KEYDOWN:
        return translate_key(input, &event->key);
    case SDL_KEYUP:
        if (!is_held(input, &event->key.keysym))
            return nothing;
        input->held = 0;
        return (struct action){.kind = ACTION_GLIDE_ZOOM, .amount = 0};
    case SDL_MOUSEWHEEL:
    case SDL_MOUSEMOTION:
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        return input_translate_pointer(input, event);
    case SDL_FINGERDOWN:
    case SDL_FINGERMOTION:
    case SDL_FINGERUP:
        return input_translate_finger(input, &event->tfinger);
    case SDL_CONTROLLERDEVICEADDED:
    case SDL_CONTROLLERDEVICEREMOVED:
    case SDL_CONTROLLERAXISMOTION:
    case SDL_CONTROLLERBUTTONDOWN:
        return input_translate_gamepad(input, event);
    case SDL_WINDOWEVENT:
        return translate_window(input, &event->window);
    case SDL_DROPFILE:
        return (struct action){.kind = ACTION_OPEN, .path = event->drop.file};
    default:
        return nothing;
    }
}

void action_finish(struct action *action) {
    SDL_free(action->path);
    action->path = NULL;
}

static enum input_use use_of(const char *heading) {
    return strcmp(heading, DENSITY_HEADING) == 0   ? INPUT_DENSITY
           : strcmp(heading, TOUCH_HEADING) == 0   ? INPUT_TOUCH
           : strcmp(heading, GAMEPAD_HEADING) == 0 ? INPUT_GAMEPAD
                                                   : INPUT_ANYWHERE;
}

bool input_help(size_t i, struct input_line *line) {
    const char *heading = NULL;
    for (size_t at = 0; at < BINDING_COUNT; at++) {
        if (bindings[at].label && !bindings[at].help)
            heading = bindings[at].label;
        if (!bindings[at].help || i-- > 0)
            continue;
        *line =
            (struct input_line){heading, bindings[at].label, bindings[at].help, use_of(heading)};
        return true;
    }
    return false;
}

const char *input_keys_of(enum action_kind kind, enum setting_id id) {
    for (size_t at = 0; at < BINDING_COUNT; at++)
        if (bindings[at].help && bindings[at].trigger != BUTTON &&
            bindings[at].action.kind == kind &&
            (kind != ACTION_STEP || bindings[at].action.setting == id))
            return bindings[at].label;
    return NULL;
}
