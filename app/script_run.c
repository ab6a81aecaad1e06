/* Executing scripts, one step a turn. */
#include "app/script_types.h"
#include "render/clock.h"
#include "render/log.h"
#include <complex.h>
#include <math.h>

#define DRAG_STEPS       8
#define COMPLETE_SECONDS 300
#define LOOK_MS          5 /* how often a wait for the picture looks */

static void push(SDL_Event *event) {
    event->common.timestamp = SDL_GetTicks();
    if (SDL_PushEvent(event) < 0)
        log_warn("an event of the script was lost: %s", SDL_GetError());
}

/* The position that the numbers `first` and the one after it are. */
static double complex position(const struct script_state *state, const struct command *command,
                               int first) {
    const double x = command->numbers[first], y = command->numbers[first + 1];
    return (command->percent >> first & 1 ? x * state->width_px / 100 : x) +
           I * (command->percent >> (first + 1) & 1 ? y * state->height_px / 100 : y);
}

static void push_motion(struct script *script, const struct script_state *state, double complex at,
                        Uint32 buttons) {
    const int x = (int)lround(creal(at) / state->scale_x);
    const int y = (int)lround(cimag(at) / state->scale_y);
    SDL_Event event = {.motion = {.type = SDL_MOUSEMOTION,
                                  .windowID = SDL_GetWindowID(state->window),
                                  .state = buttons,
                                  .x = x,
                                  .y = y,
                                  .xrel = x - script->x,
                                  .yrel = y - script->y}};
    script->x = x;
    script->y = y;
    push(&event);
}

static void push_button(const struct script *script, const struct script_state *state, bool down) {
    SDL_Event event = {.button = {.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP,
                                  .windowID = SDL_GetWindowID(state->window),
                                  .button = SDL_BUTTON_LEFT,
                                  .state = down ? SDL_PRESSED : SDL_RELEASED,
                                  .clicks = 1,
                                  .x = script->x,
                                  .y = script->y}};
    push(&event);
}

static void push_wheel(const struct script *script, const struct script_state *state,
                       double notches) {
    SDL_Event event = {.wheel = {.type = SDL_MOUSEWHEEL,
                                 .windowID = SDL_GetWindowID(state->window),
                                 .y = (Sint32)trunc(notches),
                                 .preciseY = (float)notches,
                                 .mouseX = script->x,
                                 .mouseY = script->y}};
    push(&event);
}

static void push_key(const struct script_state *state, SDL_Keycode key, Uint16 modifiers) {
    SDL_Event event = {
        .key = {.type = SDL_KEYDOWN,
                .windowID = SDL_GetWindowID(state->window),
                .state = SDL_PRESSED,
                .keysym = {.scancode = SDL_GetScancodeFromKey(key), .sym = key, .mod = modifiers}}};
    push(&event);
    event.type = SDL_KEYUP;
    event.key.state = SDL_RELEASED;
    push(&event);
}

/* --- commands; true: there is more of it to do --- */

static bool run_wheel(struct script *script, const struct script_state *state,
                      const struct command *command) {
    const double all = command->numbers[0], sign = all < 0 ? -1 : 1;
    const double left = fabs(all) - script->step;
    if (script->step == 0 && command->count == 3)
        push_motion(script, state, position(state, command, 1), 0);
    if (left > 0)
        push_wheel(script, state, sign * fmin(left, 1));
    return left > 1;
}

static bool run_drag(struct script *script, const struct script_state *state,
                     const struct command *command) {
    const int steps = command->count == 5 ? (int)command->numbers[4] : DRAG_STEPS;
    const double complex from = position(state, command, 0), to = position(state, command, 2);
    if (script->step == 0) {
        push_motion(script, state, from, 0);
        push_button(script, state, true);
        return true;
    }
    push_motion(script, state, from + (to - from) * script->step / steps, SDL_BUTTON_LMASK);
    if (script->step < steps)
        return true;
    push_button(script, state, false);
    return false;
}

/* xorshift64 */
static uint32_t random_number(uint64_t *state, uint32_t below) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 32) % below;
}

static void push_random(struct script *script, const struct script_state *state, uint64_t *random) {
    static const SDL_Keycode keys[] = {
        SDLK_LEFT,        SDLK_RIGHT, SDLK_UP, SDLK_DOWN, SDLK_PLUS, SDLK_MINUS,
        SDLK_LEFTBRACKET, SDLK_p,     SDLK_c,  SDLK_r,    SDLK_h,    SDLK_F1,
        SDLK_v,           SDLK_k,     SDLK_n,  SDLK_e,    SDLK_g,    SDLK_RIGHTBRACKET};
    int width, height;
    SDL_GetWindowSize(state->window, &width, &height);
    const double x = random_number(random, (uint32_t)width + 20) * state->scale_x - 10;
    const double y = random_number(random, (uint32_t)height + 20) * state->scale_y - 10;
    switch (random_number(random, 6)) {
    case 0:
        push_wheel(script, state, (double)random_number(random, 4000) / 1000 - 2);
        break;
    case 1:
        push_button(script, state, true);
        break;
    case 2:
        push_button(script, state, false);
        break;
    case 3:
        push_key(state, keys[random_number(random, sizeof keys / sizeof *keys)], 0);
        break;
    default:
        push_motion(script, state, x + I * y, random_number(random, 2) ? SDL_BUTTON_LMASK : 0);
        break;
    }
}

static void run_storm(struct script *script, const struct script_state *state,
                      const struct command *command) {
    uint64_t random = 0x9e3779b97f4a7c15u + (uint64_t)fabs(command->numbers[1]);
    for (int i = 0; i < (int)command->numbers[0]; i++)
        push_random(script, state, &random);
    push_button(script, state, false);
}

static bool reached(const struct script_state *state, const struct command *command) {
    switch (command->kind) {
    case COMMAND_SAMPLES:
        return (double)state->samples >= command->numbers[0];
    case COMMAND_POINTS:
        return state->points >= command->numbers[0];
    default:
        return state->settled;
    }
}

/* Events that were pushed before are seen by now, so what is settled is what they led to. */
static bool run_until(struct script *script, const struct script_state *state,
                      const struct command *command, bool *failed) {
    const int at = command->kind == COMMAND_COMPLETE ? 0 : 1; /* of the seconds */
    const double seconds = command->count > at ? command->numbers[at] : COMPLETE_SECONDS;
    if (script->step == 0)
        script->until_ms = clock_ms() + seconds * 1e3;
    if (reached(state, command))
        return false;
    script->due_ms = clock_ms() + LOOK_MS;
    *failed = clock_ms() > script->until_ms;
    if (*failed)
        log_error("%s:%d: the picture was not %s after %g s", script->path, command->line,
                  command->kind == COMMAND_COMPLETE ? "complete" : "so far", seconds);
    return true;
}

static bool run_wait(struct script *script, const struct command *command) {
    if (script->step == 0)
        script->until_ms = clock_ms() + command->numbers[0];
    script->due_ms = script->until_ms;
    return clock_ms() < script->until_ms;
}

static void resize(const struct script_state *state, const struct command *command) {
    SDL_SetWindowSize(state->window, (int)fmax(lround(command->numbers[0] / state->scale_x), 1),
                      (int)fmax(lround(command->numbers[1] / state->scale_y), 1));
}

static void push_drop(const struct script_state *state, const char *file) {
    SDL_Event event = {.drop = {.type = SDL_DROPFILE,
                                .windowID = SDL_GetWindowID(state->window),
                                .file = SDL_strdup(file)}};
    push(&event);
}

static void push_quit(void) {
    SDL_Event event = {.quit = {.type = SDL_QUIT}};
    push(&event);
}

static enum script_order order_of(const struct command *command) {
    switch (command->kind) {
    case COMMAND_CAPTURE:
        return SCRIPT_CAPTURE;
    case COMMAND_MEASURE:
        return SCRIPT_MEASURE;
    case COMMAND_LOSE:
        return SCRIPT_LOSE_DEVICE;
    default:
        return SCRIPT_GO_ON;
    }
}

static bool run(struct script *script, const struct script_state *state,
                const struct command *command, bool *failed) {
    switch (command->kind) {
    case COMMAND_MOVE:
        push_motion(script, state, position(state, command, 0), 0);
        return false;
    case COMMAND_WHEEL:
        return run_wheel(script, state, command);
    case COMMAND_DRAG:
        return run_drag(script, state, command);
    case COMMAND_KEY:
        push_key(state, command->key, command->modifiers);
        return false;
    case COMMAND_RESIZE:
        resize(state, command);
        return false;
    case COMMAND_STORM:
        run_storm(script, state, command);
        return false;
    case COMMAND_WAIT:
        return run_wait(script, command);
    case COMMAND_COMPLETE:
    case COMMAND_SAMPLES:
    case COMMAND_POINTS:
        return run_until(script, state, command, failed);
    case COMMAND_GOTO:
        push_drop(state, command->text);
        return false;
    case COMMAND_QUIT:
        push_quit();
        return false;
    default:
        return false;
    }
}

enum script_order script_step(struct script *script, const struct script_state *state) {
    static const struct command quit = {.kind = COMMAND_QUIT};
    const struct command *command =
        script->next < script->count ? &script->commands[script->next] : &quit;
    bool failed = false;
    script->current = command;
    script->due_ms = 0;
    if (run(script, state, command, &failed)) {
        script->step++;
        return failed ? SCRIPT_FAILED : SCRIPT_GO_ON;
    }
    script->step = 0;
    script->next += script->next < script->count;
    return order_of(command);
}

const char *script_text(const struct script *script) {
    return script->current->text;
}

int script_number(const struct script *script) {
    return (int)script->current->numbers[0];
}

double script_due_ms(const struct script *script) {
    return script->due_ms;
}
