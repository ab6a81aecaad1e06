/* Script execution: executes one step per iteration of the event loop, so that waiting for a
 * picture blocks nothing. */
#include "app/script/script_types.h"
#include "render/base/clock.h"
#include "render/base/log.h"
#include <ctype.h>
#include <math.h>

#define DRAG_STEPS       8
#define REST_MS          120 /* [ms] rest before the release, which prevents a fling */
#define COMPLETE_SECONDS 300
#define TYPED_A_TURN     8
#define LOOK_MS          5    /* [ms] interval for checking the picture */
#define PANEL_MS         5000 /* [ms] time in which the panel must show a control */

/* Returns the position in the numbers `first` and `first` + 1. */
static double complex position(const struct script_state *state, const struct command *command,
                               int first) {
    const double x = command->numbers[first], y = command->numbers[first + 1];
    return (command->percent >> first & 1 ? x * state->width_px / 100 : x) +
           I * (command->percent >> (first + 1) & 1 ? y * state->height_px / 100 : y);
}

/* --- commands; they return true if there is more to do --- */

static bool run_wheel(struct script *script, const struct script_state *state,
                      const struct command *command) {
    const double all = command->numbers[0], sign = all < 0 ? -1 : 1;
    const double left = fabs(all) - script->step;
    if (script->step == 0 && command->count == 3)
        script_push_motion(script, state, position(state, command, 1));
    if (left > 0)
        script_push_wheel(script, state, sign * fmin(left, 1));
    return left > 1;
}

/* Returns true while the pointer rests before the release. */
static bool rest_pointer(struct script *script) {
    if (script->until_ms == 0)
        script->until_ms = clock_ms() + REST_MS;
    script->due_ms = script->until_ms;
    return clock_ms() < script->until_ms;
}

/* Returns the completed share of the way. */
static double part_of_way(const struct script *script, const struct command *command, int steps) {
    if (command->kind == COMMAND_TRACE)
        return fmin(1 - (script->until_ms - clock_ms()) / command->numbers[4], 1);
    return (double)script->step / steps;
}

static bool run_drag(struct script *script, const struct script_state *state,
                     const struct command *command) {
    const int steps = command->count == 5 ? (int)command->numbers[4] : DRAG_STEPS;
    const double complex from = position(state, command, 0), to = position(state, command, 2);
    if (script->step == 0) {
        script->until_ms = command->kind == COMMAND_TRACE ? clock_ms() + command->numbers[4] : 0;
        script_hold(script, command->modifiers);
        script_push_motion(script, state, from);
        script_push_button(script, state, command->button, true, 1);
        return true;
    }
    const double part = part_of_way(script, command, steps);
    if (part <= 1)
        script_push_motion(script, state, from + (to - from) * part);
    if (part < 1 || (command->kind == COMMAND_DRAG && rest_pointer(script)))
        return true;
    script_push_button(script, state, command->button, false, 1);
    script_hold(script, 0);
    return false;
}

/* Clicks once per turn; a last turn waits until the last click is handled. */
static bool run_click(struct script *script, const struct script_state *state,
                      const struct command *command) {
    const int times = command->count == 3 ? (int)command->numbers[2] : 1;
    if (script->step == times) {
        script_hold(script, 0);
        return false;
    }
    script_hold(script, command->modifiers);
    if (script->step == 0 && command->count > 0)
        script_push_motion(script, state, position(state, command, 0));
    script_push_button(script, state, command->button, true, script->step + 1);
    script_push_button(script, state, command->button, false, script->step + 1);
    return true;
}

/* Puts the finger down in one turn and lifts it in the next. */
static bool run_tap(struct script *script, const struct script_state *state,
                    const struct command *command) {
    const double complex here = script->x * state->scale_x + I * (script->y * state->scale_y);
    const Uint32 type = script->step == 0 ? SDL_FINGERDOWN : SDL_FINGERUP;
    script_push_finger(script, state, type, 0,
                       command->count > 0 ? position(state, command, 0) : here);
    return script->step == 0;
}

/* Moves the pointer onto a control of the panel. The first turn draws the changes of earlier
 * commands. */
static bool run_panel(struct script *script, const struct script_state *state,
                      const struct command *command, bool *failed) {
    double x, y;
    if (script->step == 0) {
        script->until_ms = clock_ms() + PANEL_MS;
        return true;
    }
    if (state->find_in_panel(state->user, command->text, command->numbers[0] / 100, &x, &y)) {
        script_push_motion(script, state, x * state->scale_x + I * (y * state->scale_y));
        return false;
    }
    script->due_ms = clock_ms() + LOOK_MS;
    *failed = clock_ms() > script->until_ms;
    if (*failed)
        log_error("%s:%d: the panel shows no '%s'", script->path, command->line, command->text);
    return true;
}

static void run_key(struct script *script, const struct script_state *state,
                    const struct command *command) {
    const bool down = command->kind != COMMAND_RELEASE;
    if (command->button) {
        script_hold(script, command->modifiers);
        script_push_button(script, state, command->button, down, 1);
        return;
    }
    script_push_key(script, state, command->key, command->modifiers, down);
    if (command->kind == COMMAND_KEY)
        script_push_key(script, state, command->key, command->modifiers, false);
}

/* Types a character, with its key if it has one; returns its bytes. */
static size_t type_one(struct script *script, const struct script_state *state, const char *text) {
    char one[8] = {text[0]};
    size_t length = 1;
    while (length < 4 && ((unsigned char)text[length] & 0xc0) == 0x80) {
        one[length] = text[length];
        length++;
    }
    const SDL_Keycode key = length == 1 ? tolower((unsigned char)text[0]) : SDLK_UNKNOWN;
    script_push_key(script, state, key, 0, true);
    script_push_text(state, one);
    script_push_key(script, state, key, 0, false);
    return length;
}

/* Types some characters. `step` is the number of typed bytes, minus one for this turn. */
static bool run_type(struct script *script, const struct script_state *state,
                     const struct command *command) {
    size_t at = (size_t)script->step;
    for (int i = 0; i < TYPED_A_TURN && command->text[at]; i++)
        at += type_one(script, state, command->text + at);
    script->step = (int)at - 1;
    return command->text[at] != '\0';
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

/* Waits for a state of the picture. Earlier events are handled by now, so the state includes
 * their effects. */
static bool run_until(struct script *script, const struct script_state *state,
                      const struct command *command, bool *failed) {
    const int at = command->kind == COMMAND_COMPLETE ? 0 : 1; /* index of the seconds */
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

static enum script_order order_of(const struct command *command) {
    switch (command->kind) {
    case COMMAND_CAPTURE:
        return SCRIPT_CAPTURE;
    case COMMAND_MEASURE:
        return SCRIPT_MEASURE;
    case COMMAND_MARK:
        return SCRIPT_MARK;
    case COMMAND_LOSE:
        return SCRIPT_LOSE_DEVICE;
    default:
        return SCRIPT_GO_ON;
    }
}

static bool run(struct script *script, const struct script_state *state,
                const struct command *command, bool *failed) {
    const double *number = command->numbers;
    switch (command->kind) {
    case COMMAND_MOVE:
        script_push_motion(script, state, position(state, command, 0));
        return false;
    case COMMAND_WHEEL:
        return run_wheel(script, state, command);
    case COMMAND_DRAG:
    case COMMAND_FLING:
    case COMMAND_TRACE:
        return run_drag(script, state, command);
    case COMMAND_CLICK:
        return run_click(script, state, command);
    case COMMAND_PANEL:
        return run_panel(script, state, command, failed);
    case COMMAND_TOUCH:
        script_push_finger(script, state,
                           script->fingers >> (int)number[0] & 1 ? SDL_FINGERMOTION
                                                                 : SDL_FINGERDOWN,
                           (int)number[0], position(state, command, 1));
        return false;
    case COMMAND_LIFT:
        script_push_finger(script, state, SDL_FINGERUP, (int)number[0], 0);
        return false;
    case COMMAND_GAMEPAD:
        *failed = command->axis < 0 && command->pad_button < 0
                      ? !script_plug(script, command->numbers[0] > 0)
                      : !script_move_gamepad(script, command);
        return *failed;
    case COMMAND_TAP:
        return run_tap(script, state, command);
    case COMMAND_KEY:
    case COMMAND_PRESS:
    case COMMAND_RELEASE:
        run_key(script, state, command);
        return false;
    case COMMAND_TYPE:
        return run_type(script, state, command);
    case COMMAND_CLIPBOARD:
        SDL_SetClipboardText(command->text);
        return false;
    case COMMAND_RESIZE:
        script_resize(state, number[0], number[1]);
        return false;
    case COMMAND_BURST:
        script->burst = (int)number[0];
        return false;
    case COMMAND_LEAVE:
        script_push_window(state, SDL_WINDOWEVENT_LEAVE);
        return false;
    case COMMAND_UNFOCUS:
        script_push_window(state, SDL_WINDOWEVENT_FOCUS_LOST);
        return false;
    case COMMAND_WAIT:
        if (script->step == 0)
            script->until_ms = clock_ms() + command->numbers[0];
        script->due_ms = script->until_ms;
        return clock_ms() < script->until_ms;
    case COMMAND_PASS:
        script->stopped = command->count > 0;
        script->passing_ms = command->count > 0 ? fmax(command->numbers[0], 0) : 0;
        return false;
    case COMMAND_COMPLETE:
    case COMMAND_SAMPLES:
    case COMMAND_POINTS:
        return run_until(script, state, command, failed);
    case COMMAND_GOTO:
        script_push_drop(state, command->text);
        return false;
    case COMMAND_QUIT:
        script_push_quit();
        return false;
    default:
        return false;
    }
}

/* Executes the next step of the current command; `step` is then 0 if the command is complete. */
static enum script_order run_next(struct script *script, const struct script_state *state) {
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
    if (command->kind == COMMAND_AGAIN)
        script->next = 0;
    return order_of(command);
}

enum script_order script_step(struct script *script, const struct script_state *state) {
    enum script_order order = run_next(script, state);
    for (; order == SCRIPT_GO_ON && script->step == 0 && script->burst > 0; script->burst--)
        order = run_next(script, state);
    return order;
}

const char *script_text(const struct script *script) {
    return script->current->text;
}

int script_number(const struct script *script) {
    return (int)script->current->numbers[0];
}

bool script_stops_time(struct script *script, double *ms) {
    *ms = script->passing_ms;
    script->passing_ms = 0;
    return script->stopped;
}

bool script_stopped(const struct script *script) {
    return script->stopped;
}

double script_due_ms(const struct script *script) {
    return script->due_ms;
}
