/* The table of keys, from which events become actions and the help and the manual get their lists.
 * The mouse is in pointer.c. */
#include "app/explore/input.h"
#include <string.h>

#define DENSITY_GROUP "Orbit density"
#define TURN_DEGREES  5
#define TURN_FINELY   1

/* Of a setting. */
#define STEP(steps, id)                                                                            \
    { .kind = ACTION_STEP, .amount = steps, .setting = id }

struct binding {
    SDL_Keycode keys[4];  /* unused ones are 0 */
    SDL_Keymod modifiers; /* Shift, where it is not told, makes no difference */
    bool repeats;         /* while the key is held */
    struct action action;
    const char *label, *help; /* NULL: not in the help */
    const char *group;        /* a heading of the help, and nothing else */
};

/* Key codes, not scan codes, so that letters are where their caps say. '+' is also the
 * '=' beside Backspace, with and without shift. Those with Shift come before those without. */
static const struct binding bindings[] = {
    {.group = "Explore"},
    {.label = "wheel", .help = "zoom at the pointer"},
    {.label = "drag", .help = "move"},
    {.label = "right drag", .help = "zoom to a box"},
    {.label = "double click", .help = "zoom to that point"},
    {.label = "Ctrl+drag", .help = "rotate"},
    {.keys = {SDLK_z},
     .action = {.kind = ACTION_GLIDE_ZOOM, .amount = 1},
     .label = "Z X",
     .help = "held: zoom in, out"},
    {.keys = {SDLK_x}, .action = {.kind = ACTION_GLIDE_ZOOM, .amount = -1}},
    {.keys = {SDLK_UP},
     .modifiers = KMOD_SHIFT,
     .repeats = true,
     .action = {.kind = ACTION_ZOOM_SPEED, .amount = 1},
     .label = "Shift+Up Down",
     .help = "speed of a held zoom"},
    {.keys = {SDLK_DOWN},
     .modifiers = KMOD_SHIFT,
     .repeats = true,
     .action = {.kind = ACTION_ZOOM_SPEED, .amount = -1}},
    {.keys = {SDLK_PLUS, SDLK_EQUALS, SDLK_KP_PLUS},
     .repeats = true,
     .action = {.kind = ACTION_ZOOM_MIDDLE, .amount = 1},
     .label = "+ -",
     .help = "zoom in, out at the centre"},
    {.keys = {SDLK_MINUS, SDLK_UNDERSCORE, SDLK_KP_MINUS},
     .repeats = true,
     .action = {.kind = ACTION_ZOOM_MIDDLE, .amount = -1}},
    {.keys = {SDLK_LEFT},
     .repeats = true,
     .action = {.kind = ACTION_SLIDE, .x = -1},
     .label = "arrows",
     .help = "move"},
    {.keys = {SDLK_RIGHT}, .repeats = true, .action = {.kind = ACTION_SLIDE, .x = 1}},
    {.keys = {SDLK_UP}, .repeats = true, .action = {.kind = ACTION_SLIDE, .y = -1}},
    {.keys = {SDLK_DOWN}, .repeats = true, .action = {.kind = ACTION_SLIDE, .y = 1}},
    {.keys = {SDLK_COMMA},
     .modifiers = KMOD_SHIFT,
     .repeats = true,
     .action = {.kind = ACTION_TURN, .amount = -TURN_FINELY}},
    {.keys = {SDLK_PERIOD},
     .modifiers = KMOD_SHIFT,
     .repeats = true,
     .action = {.kind = ACTION_TURN, .amount = TURN_FINELY}},
    {.keys = {SDLK_SEMICOLON}, /* where a French keyboard has the full stop */
     .modifiers = KMOD_SHIFT,
     .repeats = true,
     .action = {.kind = ACTION_TURN, .amount = TURN_DEGREES}},
    {.keys = {SDLK_COMMA, SDLK_LESS},
     .repeats = true,
     .action = {.kind = ACTION_TURN, .amount = -TURN_DEGREES},
     .label = ", .",
     .help = "rotate; Shift: by 1 degree"},
    {.keys = {SDLK_PERIOD, SDLK_GREATER},
     .repeats = true,
     .action = {.kind = ACTION_TURN, .amount = TURN_DEGREES}},
    {.keys = {SDLK_u},
     .modifiers = KMOD_SHIFT,
     .repeats = true,
     .action = {.kind = ACTION_UNDO, .amount = -1}},
    {.keys = {SDLK_u},
     .repeats = true,
     .action = {.kind = ACTION_UNDO, .amount = 1},
     .label = "U Shift+U",
     .help = "undo, redo"},
    {.keys = {SDLK_z},
     .modifiers = KMOD_CTRL | KMOD_SHIFT,
     .repeats = true,
     .action = {.kind = ACTION_UNDO, .amount = -1}},
    {.keys = {SDLK_z},
     .modifiers = KMOD_CTRL,
     .repeats = true,
     .action = {.kind = ACTION_UNDO, .amount = 1}},
    {.keys = {SDLK_y},
     .modifiers = KMOD_CTRL,
     .repeats = true,
     .action = {.kind = ACTION_UNDO, .amount = -1}},
    {.keys = {SDLK_r},
     .action = {.kind = ACTION_HOME},
     .label = "R",
     .help = "home: the whole set"},

    {.group = "Picture"},
    {.keys = {SDLK_c}, .action = STEP(1, SETTING_PALETTE), .label = "C", .help = "next palette"},
    {.label = "1 ... 9 0", .help = "palettes; Shift: from 11"},
    {.keys = {SDLK_t},
     .action = {.kind = ACTION_ANTIALIAS},
     .label = "T",
     .help = "anti-aliasing at rest"},
    {.keys = {SDLK_i},
     .action = {.kind = ACTION_AUTO_LIMIT},
     .label = "I",
     .help = "automatic iteration limit"},
    {.keys = {SDLK_LEFTBRACKET, SDLK_PAGEDOWN},
     .repeats = true,
     .action = STEP(-1, SETTING_LIMIT),
     .label = "[ ]",
     .help = "iteration limit"},
    {.keys = {SDLK_RIGHTBRACKET, SDLK_PAGEUP}, .repeats = true, .action = STEP(1, SETTING_LIMIT)},
    {.keys = {SDLK_d},
     .action = STEP(1, SETTING_ORBIT_DENSITY),
     .label = "D",
     .help = "orbit density (Buddhabrot)"},

    {.group = "Window"},
    {.keys = {SDLK_F1, SDLK_QUESTION},
     .action = {.kind = ACTION_HELP},
     .label = "F1 ?",
     .help = "this help"},
    /* Where keyboards have the question mark: English; German; Spanish and Italian. */
    {.keys = {SDLK_SLASH, 0xdf, SDLK_QUOTE},
     .modifiers = KMOD_SHIFT,
     .action = {.kind = ACTION_HELP}},
    {.keys = {SDLK_g},
     .action = {.kind = ACTION_GALLERY},
     .label = "G",
     .help = "gallery of locations"},
    {.keys = {SDLK_s},
     .modifiers = KMOD_CTRL,
     .action = {.kind = ACTION_SAVE_VIEW},
     .label = "Ctrl+S",
     .help = "save this location"},
    {.keys = {SDLK_l},
     .action = {.kind = ACTION_PANEL},
     .label = "L",
     .help = "panel: all settings"},
    {.keys = {SDLK_h},
     .action = {.kind = ACTION_HUD},
     .label = "H",
     .help = "numbers: brief, all, none"},
    {.keys = {SDLK_s}, .modifiers = KMOD_SHIFT, .action = {.kind = ACTION_SCREENSHOT, .amount = 1}},
    {.keys = {SDLK_s},
     .action = {.kind = ACTION_SCREENSHOT},
     .label = "S Shift+S",
     .help = "screenshot, as PNG"},
    {.keys = {SDLK_c},
     .modifiers = KMOD_CTRL,
     .action = {.kind = ACTION_COPY},
     .label = "Ctrl+C Ctrl+V",
     .help = "copy, paste a location"},
    {.keys = {SDLK_v}, .modifiers = KMOD_CTRL, .action = {.kind = ACTION_PASTE}},
    {.keys = {SDLK_F11, SDLK_f},
     .action = {.kind = ACTION_FULLSCREEN},
     .label = "F F11",
     .help = "full screen"},
    {.keys = {SDLK_RETURN}, .modifiers = KMOD_ALT, .action = {.kind = ACTION_FULLSCREEN}},
    {.keys = {SDLK_ESCAPE},
     .action = {.kind = ACTION_ESCAPE},
     .label = "Esc",
     .help = "back out; twice: quit"},
    {.keys = {SDLK_q}, .action = {.kind = ACTION_QUIT}, .label = "Q", .help = "quit"},
    {.keys = {SDLK_q}, .modifiers = KMOD_CTRL, .action = {.kind = ACTION_QUIT}},

    {.group = DENSITY_GROUP},
    {.keys = {SDLK_v},
     .action = {.kind = ACTION_VARIANT},
     .label = "V",
     .help = "kind of Buddhabrot"},
    {.keys = {SDLK_j},
     .repeats = true,
     .action = STEP(-1, SETTING_LEAST),
     .label = "J K",
     .help = "minimum orbit length"},
    {.keys = {SDLK_k}, .repeats = true, .action = STEP(1, SETTING_LEAST)},
    {.keys = {SDLK_w}, .modifiers = KMOD_SHIFT, .repeats = true, .action = STEP(-1, SETTING_GAMMA)},
    {.keys = {SDLK_e},
     .modifiers = KMOD_SHIFT,
     .repeats = true,
     .action = STEP(1, SETTING_GAMMA),
     .label = "Shift+W Shift+E",
     .help = "gamma"},
    {.keys = {SDLK_w},
     .repeats = true,
     .action = STEP(-1, SETTING_EXPOSURE),
     .label = "W E",
     .help = "darker, brighter"},
    {.keys = {SDLK_e}, .repeats = true, .action = STEP(1, SETTING_EXPOSURE)},
    {.keys = {SDLK_n}, .modifiers = KMOD_SHIFT, .action = {.kind = ACTION_RESET_TONE}},
    {.keys = {SDLK_n},
     .action = STEP(1, SETTING_CURVE),
     .label = "N Shift+N",
     .help = "next tone curve; reset"},

    {.group = "Computation"},
    {.keys = {SDLK_p}, .action = STEP(1, SETTING_PRECISION), .label = "P", .help = "precision"},
    {.keys = {SDLK_m}, .action = STEP(1, SETTING_METHOD), .label = "M", .help = "drawing method"},
    {.keys = {SDLK_b}, .action = {.kind = ACTION_BACKEND}, .label = "B", .help = "next backend"},
};
#define BINDING_COUNT (sizeof bindings / sizeof *bindings)

void input_set_scale(struct input *input, double scale_x, double scale_y) {
    input->scale_x = scale_x;
    input->scale_y = scale_y;
}

/* Left and right modifiers count the same. */
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
    if (key == SDLK_UNKNOWN || wanted != pressed)
        return false;
    for (size_t i = 0; i < sizeof binding->keys / sizeof *binding->keys; i++)
        if (binding->keys[i] == key)
            return true;
    return false;
}

/* The index that a digit stands for, 1 being the first and 0 the tenth; -1: no digit. */
static int digit_of(SDL_Keycode key) {
    if (key >= SDLK_0 && key <= SDLK_9)
        return (key - SDLK_0 + 9) % 10;
    if (key >= SDLK_KP_1 && key <= SDLK_KP_9)
        return key - SDLK_KP_1;
    return key == SDLK_KP_0 ? 9 : -1;
}

/* Likewise, of a key that writes its digit with Shift alone, as a French keyboard's; -1: no such
 * key. */
static int shifted_digit_of(const SDL_Keysym *keysym) {
    const SDL_Scancode key = keysym->scancode;
    const bool row = key >= SDL_SCANCODE_1 && key <= SDL_SCANCODE_0;
    return row && digit_of(keysym->sym) < 0 ? (int)(key - SDL_SCANCODE_1) : -1;
}

/* `tens`: what Shift adds to the digit's index. */
static struct action translate_digit(const SDL_KeyboardEvent *event, int digit, int tens) {
    const SDL_Keymod modifiers = modifiers_of(event->keysym.mod);
    if (event->repeat || modifiers & ~KMOD_SHIFT)
        return (struct action){.kind = ACTION_NONE};
    return (struct action){.kind = ACTION_CHOOSE,
                           .setting = SETTING_PALETTE,
                           .amount = digit + (modifiers & KMOD_SHIFT ? tens : 0)};
}

static struct action translate_bound(const SDL_KeyboardEvent *event) {
    const SDL_Keymod modifiers = modifiers_of(event->keysym.mod);
    for (size_t i = 0; i < BINDING_COUNT; i++)
        if (binding_has(&bindings[i], event->keysym.sym, modifiers))
            return !event->repeat || bindings[i].repeats ? bindings[i].action
                                                         : (struct action){.kind = ACTION_NONE};
    return (struct action){.kind = ACTION_NONE};
}

static struct action translate_key(struct input *input, const SDL_KeyboardEvent *event) {
    const SDL_Keycode key = event->keysym.sym;
    if (key == SDLK_ESCAPE && input->hand == HAND_BOXING)
        return input_cancel_box(input);
    const int digit = digit_of(key), shifted = shifted_digit_of(&event->keysym);
    struct action action = digit >= 0 ? translate_digit(event, digit, 10) : translate_bound(event);
    if (shifted >= 0 && (event->keysym.mod & KMOD_SHIFT || action.kind == ACTION_NONE))
        action = translate_digit(event, shifted, 0);
    if (action.kind == ACTION_GLIDE_ZOOM)
        input->held = key;
    return action;
}

static struct action translate_key_up(struct input *input, const SDL_KeyboardEvent *event) {
    if (input->held == 0 || event->keysym.sym != input->held)
        return (struct action){.kind = ACTION_NONE};
    input->held = 0;
    return (struct action){.kind = ACTION_GLIDE_ZOOM, .amount = 0};
}

static struct action translate_window(struct input *input, const SDL_WindowEvent *event) {
    switch (event->event) {
    case SDL_WINDOWEVENT_LEAVE:
        input->inside = false;
        return (struct action){.kind = ACTION_NONE};
    case SDL_WINDOWEVENT_FOCUS_LOST:
    case SDL_WINDOWEVENT_MINIMIZED:
    case SDL_WINDOWEVENT_HIDDEN:
        return input_let_go(input);
    default:
        return (struct action){.kind = ACTION_NONE};
    }
}

struct action input_translate(struct input *input, const SDL_Event *event) {
    switch (event->type) {
    case SDL_QUIT:
        return (struct action){.kind = ACTION_QUIT};
    case SDL_KEYDOWN:
        return translate_key(input, &event->key);
    case SDL_KEYUP:
        return translate_key_up(input, &event->key);
    case SDL_MOUSEWHEEL:
    case SDL_MOUSEMOTION:
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        return input_translate_pointer(input, event);
    case SDL_WINDOWEVENT:
        return translate_window(input, &event->window);
    case SDL_DROPFILE:
        return (struct action){.kind = ACTION_OPEN, .path = event->drop.file};
    default:
        return (struct action){.kind = ACTION_NONE};
    }
}

void input_release(struct action *action) {
    SDL_free(action->path);
    action->path = NULL;
}

bool input_help(size_t i, struct input_line *line) {
    const char *group = NULL;
    for (size_t at = 0; at < BINDING_COUNT; at++) {
        if (bindings[at].group)
            group = bindings[at].group;
        if (!bindings[at].label || i-- > 0)
            continue;
        *line = (struct input_line){group, bindings[at].label, bindings[at].help,
                                    strcmp(group, DENSITY_GROUP) == 0};
        return true;
    }
    return false;
}

const char *input_keys_of(enum action_kind kind, enum setting_id id) {
    for (size_t at = 0; at < BINDING_COUNT; at++)
        if (bindings[at].label && bindings[at].action.kind == kind &&
            (kind != ACTION_STEP || bindings[at].action.setting == id))
            return bindings[at].label;
    return NULL;
}
