/* The key table and the mouse. */
#include "app/input.h"
#include <math.h>

#define NOTCHES_MAX 20 /* of one event; a broken device must not throw the view away */
#define MODIFIERS   (KMOD_CTRL | KMOD_ALT | KMOD_GUI)

struct binding {
    SDL_Keycode keys[3]; /* unused ones are 0 */
    SDL_Keymod modifiers;
    bool repeats; /* while the key is held */
    struct action action;
    const char *label, *help; /* NULL: not in the help */
};

/* Key codes, not places on the keyboard, so that letters are where their caps say. '+' is also the
 * '=' beside Backspace, with and without shift. */
static const struct binding bindings[] = {
    {.label = "wheel", .help = "zoom at the pointer"},
    {.label = "left drag", .help = "move the picture"},
    {.keys = {SDLK_LEFT},
     .repeats = true,
     .action = {.kind = ACTION_SLIDE, .x = -1},
     .label = "arrows",
     .help = "move the view"},
    {.keys = {SDLK_RIGHT}, .repeats = true, .action = {.kind = ACTION_SLIDE, .x = 1}},
    {.keys = {SDLK_UP}, .repeats = true, .action = {.kind = ACTION_SLIDE, .y = -1}},
    {.keys = {SDLK_DOWN}, .repeats = true, .action = {.kind = ACTION_SLIDE, .y = 1}},
    {.keys = {SDLK_PLUS, SDLK_EQUALS, SDLK_KP_PLUS},
     .repeats = true,
     .action = {.kind = ACTION_ZOOM_MIDDLE, .amount = 1},
     .label = "+ -",
     .help = "zoom at the middle"},
    {.keys = {SDLK_MINUS, SDLK_UNDERSCORE, SDLK_KP_MINUS},
     .repeats = true,
     .action = {.kind = ACTION_ZOOM_MIDDLE, .amount = -1}},
    {.keys = {SDLK_LEFTBRACKET, SDLK_PAGEDOWN},
     .repeats = true,
     .action = {.kind = ACTION_LIMIT, .amount = -1},
     .label = "[ ]  PageDown PageUp",
     .help = "iteration limit"},
    {.keys = {SDLK_RIGHTBRACKET, SDLK_PAGEUP},
     .repeats = true,
     .action = {.kind = ACTION_LIMIT, .amount = 1}},
    {.keys = {SDLK_i},
     .action = {.kind = ACTION_AUTO_LIMIT},
     .label = "I",
     .help = "automatic limit"},
    {.keys = {SDLK_p}, .action = {.kind = ACTION_PRECISION}, .label = "P", .help = "number type"},
    {.keys = {SDLK_m}, .action = {.kind = ACTION_METHOD}, .label = "M", .help = "drawing method"},
    {.keys = {SDLK_b}, .action = {.kind = ACTION_BACKEND}, .label = "B", .help = "next backend"},
    {.keys = {SDLK_c}, .action = {.kind = ACTION_PALETTE}, .label = "C", .help = "next palette"},
    {.keys = {SDLK_d},
     .action = {.kind = ACTION_DENSITY},
     .label = "D",
     .help = "escape time or orbit density"},
    {.keys = {SDLK_v},
     .action = {.kind = ACTION_VARIANT},
     .label = "V",
     .help = "density: Buddhabrot, anti-Buddhabrot, Nebulabrot"},
    {.keys = {SDLK_j},
     .repeats = true,
     .action = {.kind = ACTION_LEAST, .amount = -1},
     .label = "J K",
     .help = "density: shortest orbit counted"},
    {.keys = {SDLK_k}, .repeats = true, .action = {.kind = ACTION_LEAST, .amount = 1}},
    {.keys = {SDLK_n},
     .action = {.kind = ACTION_CURVE},
     .label = "N",
     .help = "density: next tone curve"},
    {.keys = {SDLK_w},
     .repeats = true,
     .action = {.kind = ACTION_EXPOSURE, .amount = -1},
     .label = "W E",
     .help = "density: darker, brighter"},
    {.keys = {SDLK_e}, .repeats = true, .action = {.kind = ACTION_EXPOSURE, .amount = 1}},
    {.keys = {SDLK_f},
     .repeats = true,
     .action = {.kind = ACTION_GAMMA, .amount = -1},
     .label = "F G",
     .help = "density: gamma"},
    {.keys = {SDLK_g}, .repeats = true, .action = {.kind = ACTION_GAMMA, .amount = 1}},
    {.keys = {SDLK_r},
     .action = {.kind = ACTION_HOME},
     .label = "R",
     .help = "home: the whole set"},
    {.keys = {SDLK_s}, .action = {.kind = ACTION_SCREENSHOT}, .label = "S", .help = "screenshot"},
    {.keys = {SDLK_h}, .action = {.kind = ACTION_HUD}, .label = "H", .help = "numbers on and off"},
    {.keys = {SDLK_l},
     .action = {.kind = ACTION_PANEL},
     .label = "L",
     .help = "panel: everything to see and change"},
    {.keys = {SDLK_c},
     .modifiers = KMOD_CTRL,
     .action = {.kind = ACTION_COPY},
     .label = "Ctrl+C  Ctrl+V",
     .help = "copy the view, go to a copied one"},
    {.keys = {SDLK_v}, .modifiers = KMOD_CTRL, .action = {.kind = ACTION_PASTE}},
    {.keys = {SDLK_F1}, .action = {.kind = ACTION_HELP}, .label = "F1", .help = "this help"},
    {.keys = {SDLK_F11},
     .action = {.kind = ACTION_FULLSCREEN},
     .label = "F11",
     .help = "full screen"},
    {.keys = {SDLK_RETURN}, .modifiers = KMOD_ALT, .action = {.kind = ACTION_FULLSCREEN}},
    {.keys = {SDLK_ESCAPE, SDLK_q},
     .action = {.kind = ACTION_QUIT},
     .label = "Esc Q",
     .help = "quit"},
    {.keys = {SDLK_q}, .modifiers = KMOD_CTRL, .action = {.kind = ACTION_QUIT}},
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
    return (SDL_Keymod)modifiers;
}

static bool binding_has(const struct binding *binding, SDL_Keycode key, SDL_Keymod modifiers) {
    if (key == SDLK_UNKNOWN || binding->modifiers != modifiers)
        return false;
    for (size_t i = 0; i < sizeof binding->keys / sizeof *binding->keys; i++)
        if (binding->keys[i] == key)
            return true;
    return false;
}

static struct action translate_key(const SDL_KeyboardEvent *event) {
    const SDL_Keymod modifiers = modifiers_of(event->keysym.mod);
    for (size_t i = 0; i < BINDING_COUNT; i++)
        if (binding_has(&bindings[i], event->keysym.sym, modifiers) &&
            (!event->repeat || bindings[i].repeats))
            return bindings[i].action;
    return (struct action){.kind = ACTION_NONE};
}

static struct action translate_wheel(const struct input *input, const SDL_MouseWheelEvent *event) {
    double notches = (double)event->preciseY;
    if (notches == 0)
        notches = event->y;
    if (!isfinite(notches) || notches == 0)
        return (struct action){.kind = ACTION_NONE};
    return (struct action){.kind = ACTION_ZOOM,
                           .x = input->x_px,
                           .y = input->y_px,
                           .amount = fmax(fmin(notches, NOTCHES_MAX), -NOTCHES_MAX)};
}

/* Dragging moves by whole pixels: the difference of rounded positions, so nothing adds up. */
static struct action move_to(struct input *input, int x, int y) {
    const double x_px = round(x * input->scale_x), y_px = round(y * input->scale_y);
    const struct action action = {.kind = input->dragging ? ACTION_DRAG : ACTION_POINT,
                                  .x = input->dragging ? x_px - input->x_px : x_px,
                                  .y = input->dragging ? y_px - input->y_px : y_px};
    input->x_px = x_px;
    input->y_px = y_px;
    input->inside = true;
    return action;
}

static struct action end_drag(struct input *input) {
    const bool dragging = input->dragging;
    input->dragging = false;
    return (struct action){.kind = dragging ? ACTION_DRAG_END : ACTION_NONE};
}

static struct action translate_motion(struct input *input, const SDL_MouseMotionEvent *event) {
    if (!(event->state & SDL_BUTTON_LMASK) && input->dragging) {
        move_to(input, event->x, event->y);
        return end_drag(input);
    }
    return move_to(input, event->x, event->y);
}

static struct action translate_button(struct input *input, const SDL_MouseButtonEvent *event) {
    if (event->button != SDL_BUTTON_LEFT)
        return (struct action){.kind = ACTION_NONE};
    if (event->type == SDL_MOUSEBUTTONUP)
        return end_drag(input);
    input->dragging = false;
    const struct action action = move_to(input, event->x, event->y);
    input->dragging = true;
    return action;
}

static struct action translate_window(struct input *input, const SDL_WindowEvent *event) {
    if (event->event == SDL_WINDOWEVENT_LEAVE)
        input->inside = false;
    if (event->event == SDL_WINDOWEVENT_FOCUS_LOST)
        return end_drag(input);
    return (struct action){.kind = ACTION_NONE};
}

struct action input_translate(struct input *input, const SDL_Event *event) {
    switch (event->type) {
    case SDL_QUIT:
        return (struct action){.kind = ACTION_QUIT};
    case SDL_KEYDOWN:
        return translate_key(&event->key);
    case SDL_MOUSEWHEEL:
        return translate_wheel(input, &event->wheel);
    case SDL_MOUSEMOTION:
        return translate_motion(input, &event->motion);
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        return translate_button(input, &event->button);
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

bool input_help(size_t i, const char **keys, const char **text) {
    for (size_t at = 0; at < BINDING_COUNT; at++) {
        if (!bindings[at].label || i-- > 0)
            continue;
        *keys = bindings[at].label;
        *text = bindings[at].help;
        return true;
    }
    return false;
}

const char *input_keys_of(enum action_kind kind) {
    for (size_t at = 0; at < BINDING_COUNT; at++)
        if (bindings[at].label && bindings[at].action.kind == kind)
            return bindings[at].label;
    return NULL;
}
