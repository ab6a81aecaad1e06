/* Makes random input for long runs: the same events for the same seed. */
#include "app/script/script_types.h"

#define BURST_MAX   40  /* events of a turn */
#define RESIZE_MAX  700 /* pixels each way */
#define RARELY      300 /* events between two of those that are slow to take */
#define GOLDEN_SEED 0x9e3779b97f4a7c15u

/* xorshift64 */
static uint32_t random_number(uint64_t *state, uint32_t below) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 32) % below;
}

/* Up to ten pixels outside the window, too. */
static double complex random_place(struct script *script, const struct script_state *state) {
    int width, height;
    SDL_GetWindowSize(state->window, &width, &height);
    const double x = random_number(&script->random, (uint32_t)width + 20) * state->scale_x - 10;
    const double y = random_number(&script->random, (uint32_t)height + 20) * state->scale_y - 10;
    return x + I * y;
}

static void tap(struct script *script, const struct script_state *state, SDL_Keycode key,
                Uint16 modifiers) {
    script_push_key(script, state, key, modifiers, true);
    script_push_key(script, state, key, modifiers, false);
}

static void push_storm(struct script *script, const struct script_state *state) {
    static const SDL_Keycode keys[] = {
        SDLK_LEFT,        SDLK_RIGHT, SDLK_UP, SDLK_DOWN, SDLK_PLUS, SDLK_MINUS,
        SDLK_LEFTBRACKET, SDLK_p,     SDLK_c,  SDLK_r,    SDLK_h,    SDLK_F1,
        SDLK_v,           SDLK_k,     SDLK_n,  SDLK_e,    SDLK_j,    SDLK_RIGHTBRACKET};
    uint64_t *random = &script->random;
    const double complex at = random_place(script, state);
    switch (random_number(random, 6)) {
    case 0:
        script_push_wheel(script, state, (double)random_number(random, 4000) / 1000 - 2);
        break;
    case 1:
        script_push_button(script, state, SDL_BUTTON_LEFT, true, 1);
        break;
    case 2:
        script_push_button(script, state, SDL_BUTTON_LEFT, false, 1);
        break;
    case 3:
        tap(script, state, keys[random_number(random, sizeof keys / sizeof *keys)], 0);
        break;
    default:
        script->buttons = random_number(random, 2) ? SDL_BUTTON_LMASK : 0;
        script_push_motion(script, state, at);
        break;
    }
}

void script_storm(struct script *script, const struct script_state *state, int count,
                  unsigned seed) {
    script->random = GOLDEN_SEED + seed;
    for (int i = 0; i < count; i++)
        push_storm(script, state);
    script_push_button(script, state, SDL_BUTTON_LEFT, false, 1);
}

/* All but those that quit, leave files behind or delete them (in the gallery), or take the window
 * out of the script's control. */
static SDL_Keycode random_key(struct script *script) {
    static const SDL_Keycode others[] = {
        SDLK_LEFT,         SDLK_RIGHT,     SDLK_UP,       SDLK_DOWN,   SDLK_PLUS,
        SDLK_MINUS,        SDLK_EQUALS,    SDLK_KP_PLUS,  SDLK_COMMA,  SDLK_PERIOD,
        SDLK_LEFTBRACKET,  SDLK_PAGEUP,    SDLK_PAGEDOWN, SDLK_F1,     SDLK_TAB,
        SDLK_RIGHTBRACKET, SDLK_BACKSPACE, SDLK_DELETE,   SDLK_RETURN, SDLK_SPACE,
        SDLK_HOME,         SDLK_END,       SDLK_SLASH,    SDLK_LCTRL,  SDLK_LSHIFT};
    const uint32_t at = random_number(&script->random, 36 + sizeof others / sizeof *others);
    if (at >= 36)
        return others[at - 36];
    const SDL_Keycode key = at < 26 ? SDLK_a + (int)at : SDLK_0 + (int)at - 26;
    return key == SDLK_q || key == SDLK_s || key == SDLK_f || key == SDLK_g ? SDLK_z : key;
}

static void push_random_key(struct script *script, const struct script_state *state) {
    static const Uint16 modifiers[] = {0, 0, 0, 0, KMOD_LSHIFT, KMOD_LSHIFT, KMOD_LCTRL};
    const SDL_Keycode key = random_key(script);
    const Uint16 held = modifiers[random_number(&script->random, 7)];
    switch (random_number(&script->random, 6)) {
    case 0:
        script_push_key(script, state, key, held, true);
        break;
    case 1:
        script_push_key(script, state, key, held, false);
        break;
    default:
        tap(script, state, key, held);
        break;
    }
}

static void push_random_button(struct script *script, const struct script_state *state) {
    const Uint8 button = (Uint8)(1 + random_number(&script->random, 3));
    const int clicks = 1 + (int)random_number(&script->random, 3);
    const bool down = random_number(&script->random, 2);
    script_push_button(script, state, button, down, clicks);
}

static void push_random_finger(struct script *script, const struct script_state *state) {
    static const Uint32 types[] = {SDL_FINGERDOWN, SDL_FINGERMOTION, SDL_FINGERMOTION,
                                   SDL_FINGERUP};
    const Uint32 type = types[random_number(&script->random, 4)];
    const int finger = (int)random_number(&script->random, 3);
    script_push_finger(script, state, type, finger, random_place(script, state));
}

static void push_rare(struct script *script, const struct script_state *state) {
    switch (random_number(&script->random, 4)) {
    case 0:
        script_push_window(state, SDL_WINDOWEVENT_FOCUS_LOST);
        break;
    case 1:
        script_push_window(state, SDL_WINDOWEVENT_LEAVE);
        break;
    default: {
        const double width = 1 + random_number(&script->random, RESIZE_MAX);
        script_resize(state, width, 1 + random_number(&script->random, RESIZE_MAX));
        break;
    }
    }
}

static void push_any(struct script *script, const struct script_state *state) {
    uint64_t *random = &script->random;
    char letter[2] = {(char)(' ' + random_number(random, 95)), '\0'};
    if (random_number(random, RARELY) == 0) {
        push_rare(script, state);
        return;
    }
    switch (random_number(random, 10)) {
    case 0:
        script_push_wheel(script, state, (double)random_number(random, 4000) / 1000 - 2);
        break;
    case 9:
        push_random_finger(script, state);
        break;
    case 1:
    case 2:
        push_random_button(script, state);
        break;
    case 3:
    case 4:
        push_random_key(script, state);
        break;
    case 5:
        script_push_text(state, letter);
        break;
    default:
        script_push_motion(script, state, random_place(script, state));
        break;
    }
}

/* Releases all that is held, so that the next command begins with no button or key down. */
static void let_go(struct script *script, const struct script_state *state) {
    static const SDL_Keycode modifiers[] = {SDLK_LCTRL, SDLK_LSHIFT};
    for (int finger = 0; finger < SCRIPT_FINGERS; finger++)
        script_push_finger(script, state, SDL_FINGERUP, finger, 0);
    for (Uint8 button = 1; button <= 3; button++)
        script_push_button(script, state, button, false, 1);
    for (SDL_Keycode key = SDLK_a; key <= SDLK_z; key++)
        script_push_key(script, state, key, 0, false);
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++)
        script_push_key(script, state, modifiers[i], 0, false);
}

bool script_random(struct script *script, const struct script_state *state, unsigned seed,
                   int count) {
    if (script->step == 0) {
        script->random = GOLDEN_SEED + seed;
        script->left = count;
    }
    int burst = 1 + (int)random_number(&script->random, BURST_MAX);
    for (; burst > 0 && script->left > 0; burst--, script->left--)
        push_any(script, state);
    if (script->left > 0)
        return true;
    let_go(script, state);
    return false;
}
