/* From SDL events to actions, through one key table; the same table makes the help. */
#ifndef FATHOM_APP_INPUT_H
#define FATHOM_APP_INPUT_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

enum action_kind {
    ACTION_NONE,
    ACTION_QUIT,
    ACTION_POINT,       /* the pointer is at (x, y) px */
    ACTION_ZOOM,        /* `amount` notches, inwards, at (x, y) px */
    ACTION_ZOOM_MIDDLE, /* the same at the middle of the picture */
    ACTION_DRAG,        /* the picture moves with the pointer, by (x, y) px */
    ACTION_DRAG_END,
    ACTION_SLIDE,      /* the view moves by (x, y) eighths of its height, y downwards */
    ACTION_LIMIT,      /* `amount` steps up the ladder of iteration limits */
    ACTION_AUTO_LIMIT, /* on and off */
    ACTION_PRECISION,
    ACTION_METHOD,
    ACTION_BACKEND,
    ACTION_PALETTE,  /* of a density picture its ramp */
    ACTION_DENSITY,  /* between escape time and orbit density */
    ACTION_VARIANT,  /* from here on: of density pictures */
    ACTION_LEAST,    /* `amount` steps up the ladder of shortest orbits that are counted */
    ACTION_CURVE,    /* the next tone curve */
    ACTION_EXPOSURE, /* `amount` steps brighter */
    ACTION_GAMMA,    /* `amount` steps */
    ACTION_HOME,
    ACTION_SCREENSHOT,
    ACTION_HUD,
    ACTION_HELP,
    ACTION_PANEL,
    ACTION_COPY,  /* the view, as text, to the clipboard */
    ACTION_PASTE, /* go to the view in the clipboard */
    ACTION_FULLSCREEN,
    ACTION_OPEN, /* go to the view in the file `path`, which input_release frees */
};

struct action {
    enum action_kind kind;
    double x, y;
    double amount;
    char *path;
};

/* What has to be remembered between events. Zero-initialised, then input_set_scale. */
struct input {
    double scale_x, scale_y; /* pixels per unit of SDL's window coordinates */
    double x_px, y_px;       /* of the pointer */
    bool inside;             /* the pointer is over the window */
    bool dragging;
};

void input_set_scale(struct input *input, double scale_x, double scale_y);
/* The action that an event asks for; ACTION_NONE for most. */
struct action input_translate(struct input *input, const SDL_Event *event);
void input_release(struct action *action);

/* The i-th line of the help: keys and what they do. False past the end. */
bool input_help(size_t i, const char **keys, const char **text);
/* The keys that do it, as the help has them; NULL: there are none. */
const char *input_keys_of(enum action_kind kind);

#endif
