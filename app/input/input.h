/* From SDL events to actions, through one key table; the same table makes the help. */
#ifndef FATHOM_APP_INPUT_INPUT_H
#define FATHOM_APP_INPUT_INPUT_H

#include "app/input/fingers.h"
#include "app/input/gamepad.h"
#include "render/files/setting_table.h"
#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

enum action_kind {
    ACTION_NONE,
    ACTION_QUIT,
    ACTION_ESCAPE, /* leaves what is innermost; from the bare window it quits when it comes again */
    ACTION_POINT,  /* the pointer is at (x, y) px */
    ACTION_ZOOM,   /* `amount` notches, inwards, at (x, y) px */
    ACTION_ZOOM_MIDDLE, /* the same at the middle of the picture */
    ACTION_GRAB,        /* a button is pressed at (x, y) px: glides and held zooms stop */
    ACTION_DRAG,        /* the picture moves with the pointer, by (x, y) px */
    ACTION_DRAG_END,    /* the button is released, the pointer moving at (x, y) px/ms */
    ACTION_SPIN,        /* the picture turns about its middle with the pointer, which went from
                         * (from_x, from_y) to (x, y) px */
    ACTION_SPIN_END,
    ACTION_BOX,        /* a box is drawn from (from_x, from_y) to (x, y) px */
    ACTION_BOX_END,    /* it is to fill the window */
    ACTION_BOX_CANCEL, /* it is not */
    ACTION_CENTRE,     /* what is at (x, y) px comes to the middle, `amount` notches nearer */
    ACTION_PINCH,      /* since two fingers came, what they had at (from_x, from_y) px has gone to
                        * (x, y) px and has become `amount` times as large, turned by `turn` */
    ACTION_STEER, /* from now on: the view moves by (x, y), zooms in by `amount` at the middle, the
                   * picture turns by `turn`: parts of the fastest, -1 .. 1 */
    ACTION_TURN,  /* to the next multiple of `amount` degrees, clockwise; < 0: anticlockwise */
    ACTION_GLIDE_ZOOM, /* at the pointer from now on, `amount` of 1 inwards, -1 outwards, 0 stops */
    ACTION_FLY,        /* likewise at (x, y) px, `amount` times as fast, until a hand interferes */
    ACTION_AUTOPILOT,  /* flies by itself, or no longer */
    ACTION_LET_GO,     /* all held keys and buttons count as released */
    ACTION_ZOOM_SPEED, /* `amount` steps faster */
    ACTION_UNDO,       /* `amount` steps back; < 0: forward */
    ACTION_SLIDE,      /* the view moves by (x, y) eighths of its height, y downwards */
    ACTION_STEP, /* `setting` goes on by `amount` steps; in density the palette means the gradient */
    ACTION_CHOOSE,         /* `setting` has the index `amount`; likewise */
    ACTION_KEEP_PALETTE,   /* it is to be chosen by the index `amount` from now on */
    ACTION_RANDOM_PALETTE, /* the next one */
    ACTION_AUTO_LIMIT,     /* on and off */
    ACTION_BACKEND,
    ACTION_ANTIALIAS, /* at rest: on and off */
    ACTION_JULIA,   /* to the Julia set of the point under the pointer, and back; `amount`: inset */
    ACTION_VARIANT, /* of density pictures */
    ACTION_RESET_TONE, /* all of it but the gradient */
    ACTION_HOME,
    ACTION_LOCATE,     /* `amount`: enum locate_kind */
    ACTION_SCREENSHOT, /* `amount` of 1: as PNG, whatever the settings say */
    ACTION_GALLERY,
    ACTION_SAVE_VIEW, /* under a name that is asked for */
    ACTION_HUD,
    ACTION_HELP,
    ACTION_PANEL,
    ACTION_MAP,
    ACTION_COPY,  /* the view, as text, to the clipboard */
    ACTION_PASTE, /* go to the view in the clipboard */
    ACTION_FULLSCREEN,
    ACTION_OPEN, /* go to the view in the file `path`, which input_release frees */
};

struct action {
    enum action_kind kind;
    double x, y;
    double from_x, from_y;
    double amount;
    double turn; /* radians, clockwise on the screen */
    enum setting_id setting;
    char *path;
};

/* What a pressed button does until it is released. */
enum hand { HAND_FREE, HAND_DRAGGING, HAND_SPINNING, HAND_BOXING };

#define INPUT_TRAIL 64

/* What has to be remembered between events. Zero-initialised, then input_set_size. */
struct input {
    double scale_x, scale_y; /* pixels per unit of SDL's window coordinates */
    int width_px, height_px; /* of the picture */
    double x_px, y_px;       /* of the pointer */
    bool inside;             /* the pointer is over the window */
    enum hand hand;
    double from_x_px, from_y_px; /* where the button was pressed */
    double travel_px;            /* the farthest it went from there since */
    SDL_Keycode held;            /* the key that zooms as long as it is held; 0: none */
    struct input_trail {
        Uint32 ms;
        double x_px, y_px;
    } trail[INPUT_TRAIL]; /* where the pointer was lately, a ring */
    size_t trail_count;
    struct fingers fingers;
    struct gamepads gamepads;
};

/* The size of the picture, and of the window that shows it in SDL's coordinates. */
void input_set_size(struct input *input, int width_px, int height_px, int width, int height);
/* The action that an event asks for; ACTION_NONE for most. */
struct action input_translate(struct input *input, const SDL_Event *event);
void input_release(struct action *action);
/* All that is held is let go, because its release would not be noticed. */
struct action input_let_go(struct input *input);

/* What there has to be for keys to mean something. */
enum input_use { INPUT_ANYWHERE, INPUT_DENSITY, INPUT_TOUCH, INPUT_GAMEPAD };

/* A line of the help: keys and what they do, below the heading `group`. Static texts. */
struct input_line {
    const char *group, *keys, *text;
    enum input_use use;
};
/* The i-th; lines of a group follow each other. False past the end. */
bool input_help(size_t i, struct input_line *line);
/* The keys that do it, as the help has them; of ACTION_STEP those of the setting; NULL: none. */
const char *input_keys_of(enum action_kind kind, enum setting_id id);

#endif
