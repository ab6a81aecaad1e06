/* Script internals: the commands that script.c parses and script_run.c executes, and functions
 * that push a script's input as events into SDL's queue. */
#ifndef FATHOM_APP_SCRIPT_SCRIPT_TYPES_H
#define FATHOM_APP_SCRIPT_SCRIPT_TYPES_H

#include "app/script/script.h"
#include <complex.h>
#include <stddef.h>
#include <stdint.h>

#define SCRIPT_FINGERS 10

enum command_kind {
    COMMAND_MOVE,
    COMMAND_WHEEL,
    COMMAND_DRAG,
    COMMAND_FLING,
    COMMAND_TRACE,
    COMMAND_CLICK,
    COMMAND_TOUCH,
    COMMAND_LIFT,
    COMMAND_TAP,
    COMMAND_GAMEPAD,
    COMMAND_PANEL,
    COMMAND_KEY,
    COMMAND_PRESS,
    COMMAND_RELEASE,
    COMMAND_TYPE,
    COMMAND_CLIPBOARD,
    COMMAND_RESIZE,
    COMMAND_BURST,
    COMMAND_LEAVE,
    COMMAND_UNFOCUS,
    COMMAND_WAIT,
    COMMAND_PASS,
    COMMAND_COMPLETE,
    COMMAND_SAMPLES,
    COMMAND_POINTS,
    COMMAND_GOTO,
    COMMAND_CAPTURE,
    COMMAND_MEASURE,
    COMMAND_MARK,
    COMMAND_LOSE,
    COMMAND_AGAIN,
    COMMAND_QUIT,
};

struct command {
    enum command_kind kind;
    int line;
    int count; /* number of `numbers` */
    double numbers[5];
    unsigned percent; /* a bit per number that is a percentage of the window's size */
    const char *text; /* points into the script's buffer */
    SDL_Keycode key;
    Uint8 button; /* SDL's number; 0: none */
    Uint16 modifiers;
    int axis, pad_button; /* axis or button of a gamepad, by SDL's numbers; -1: none */
};

struct script {
    const char *path;
    char *buffer;
    struct command *commands;
    size_t count;

    /* Execution: */
    size_t next;
    const struct command *current; /* the command that is being executed */
    int step;                      /* turn within the command, from 0 */
    double until_ms;               /* [ms] end of a wait */
    double due_ms;
    int x, y;              /* pointer in SDL's window coordinates */
    Uint32 buttons;        /* buttons that are held, as in SDL's events */
    Uint16 modifiers;      /* modifiers held by `press`, as in SDL's events */
    unsigned fingers;      /* a bit per finger that touches the window */
    SDL_Joystick *gamepad; /* NULL: none is plugged in */
    int burst;             /* number of further commands in this turn */
    bool stopped;          /* time passes for motion only by commands */
    double passing_ms;     /* [ms] time to pass next */
};

/* Moves the pointer to `at`. Positions are complex numbers, x + i y in pixels of the window. */
void script_push_motion(struct script *script, const struct script_state *state, double complex at);
/* Presses or releases a button at the pointer; `clicks` is 2 for the second press of a double
 * click. */
void script_push_button(struct script *script, const struct script_state *state, Uint8 button,
                        bool down, int clicks);
/* Puts down, moves or lifts finger number `finger`, from 0, at `at`. */
void script_push_finger(struct script *script, const struct script_state *state, Uint32 type,
                        int finger, double complex at);
/* Plugs a gamepad in or unplugs it; moves one of the gamepad's axes (-1 .. 1), or presses a button.
 * Both return false if there is no gamepad or SDL cannot make it; the reason is logged. */
bool script_plug(struct script *script, bool in);
bool script_move_gamepad(const struct script *script, const struct command *command);
void script_push_wheel(const struct script *script, const struct script_state *state,
                       double notches);
/* Presses or releases a key. `modifiers` are added to the held ones; a modifier's own key
 * changes these. */
void script_push_key(struct script *script, const struct script_state *state, SDL_Keycode key,
                     Uint16 modifiers, bool down);
/* Sets the modifiers that SDL reports from now on: the held ones and `modifiers`. */
void script_hold(const struct script *script, Uint16 modifiers);
void script_push_text(const struct script_state *state, const char *text);
void script_push_drop(const struct script_state *state, const char *file);
void script_push_window(const struct script_state *state, Uint8 event);
void script_push_quit(void);
void script_resize(const struct script_state *state, double width_px, double height_px);

#endif
