/* What script.c reads and script_run.c executes. */
#ifndef FATHOM_APP_SCRIPT_SCRIPT_TYPES_H
#define FATHOM_APP_SCRIPT_SCRIPT_TYPES_H

#include "app/script/script.h"
#include <stddef.h>
#include <stdint.h>

enum command_kind {
    COMMAND_MOVE,
    COMMAND_WHEEL,
    COMMAND_DRAG,
    COMMAND_FLING,
    COMMAND_CLICK,
    COMMAND_PANEL,
    COMMAND_KEY,
    COMMAND_PRESS,
    COMMAND_RELEASE,
    COMMAND_TYPE,
    COMMAND_CLIPBOARD,
    COMMAND_RESIZE,
    COMMAND_STORM,
    COMMAND_RANDOM,
    COMMAND_WAIT,
    COMMAND_PASS,
    COMMAND_COMPLETE,
    COMMAND_SAMPLES,
    COMMAND_POINTS,
    COMMAND_GOTO,
    COMMAND_CAPTURE,
    COMMAND_MEASURE,
    COMMAND_LOSE,
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
    int x, y;          /* the pointer, in SDL's window coordinates */
    Uint32 buttons;    /* that are down, as in SDL's events */
    Uint16 modifiers;  /* likewise, by `press` */
    uint64_t random;   /* the state of its numbers */
    int left;          /* random events */
    bool stopped;      /* time passes for motion by commands only, */
    double passing_ms; /* and so much of it next */
};

#endif
