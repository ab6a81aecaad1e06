/* What script.c reads and script_run.c executes, and a script's input as SDL's events in SDL's
 * queue. */
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
    int count; /* of numbers */
    double numbers[5];
    unsigned percent; /* bit per number that is one of the window's size */
    const char *text; /* in the buffer */
    SDL_Keycode key;
    Uint8 button; /* SDL's number; 0: none */
    Uint16 modifiers;
    int axis, pad_button; /* of a gamepad, SDL's numbers; -1: none */
};

struct script {
    const char *path;
    char *buffer;
    struct command *commands;
    size_t count;

    /* Where it is: */
    size_t next;
    const struct command *current; /* that `next` was moved past last */
    int step;                      /* of a command that takes several turns; 0: it starts */
    double until_ms;               /* of a wait */
    double due_ms;
    int x, y;              /* the pointer, in SDL's window coordinates */
    Uint32 buttons;        /* that are down, as in SDL's events */
    Uint16 modifiers;      /* likewise, by `press` */
    unsigned fingers;      /* that touch the window, a bit each */
    SDL_Joystick *gamepad; /* NULL: none is plugged in */
    int burst;             /* commands that come in this turn, too */
    bool stopped;          /* time passes for motion by commands only, */
    double passing_ms;     /* and so much of it next */
};

/* Positions are complex numbers, x + i y in pixels of the window. */
void script_push_motion(struct script *script, const struct script_state *state, double complex at);
/* Where the pointer is; the `clicks`-th of a double click and so on. */
void script_push_button(struct script *script, const struct script_state *state, Uint8 button,
                        bool down, int clicks);
/* A finger, from 0, comes, moves to `at` or leaves there. */
void script_push_finger(struct script *script, const struct script_state *state, Uint32 type,
                        int finger, double complex at);
/* Plugs a gamepad in, or unplugs it; moves its axis, to -1 .. 1, or presses its button. False: there
 * is none, or SDL cannot make one; logged. */
bool script_plug(struct script *script, bool in);
bool script_move_gamepad(const struct script *script, const struct command *command);
void script_push_wheel(const struct script *script, const struct script_state *state,
                       double notches);
/* `modifiers` in addition to what is held. A modifier's own key changes what is held. */
void script_push_key(struct script *script, const struct script_state *state, SDL_Keycode key,
                     Uint16 modifiers, bool down);
/* What the keyboard says is held beside the mouse, from now on. */
void script_hold(const struct script *script, Uint16 modifiers);
void script_push_text(const struct script_state *state, const char *text);
void script_push_drop(const struct script_state *state, const char *file);
void script_push_window(const struct script_state *state, Uint8 event);
void script_push_quit(void);
void script_resize(const struct script_state *state, double width_px, double height_px);

#endif
