/* What hands, keys and scripts ask of the window. */
#ifndef FATHOM_APP_INPUT_ACTION_H
#define FATHOM_APP_INPUT_ACTION_H

#include "render/files/setting_table.h"

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
    ACTION_LIGHT,      /* the light stands over (x, y) px */
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
    ACTION_AUTO_FREQUENCY, /* likewise, of colours that adapt */
    ACTION_BACKEND,
    ACTION_ANTIALIAS, /* at rest: on and off */
    ACTION_JULIA,   /* to the Julia set of the point under the pointer, and back; `amount`: inset */
    ACTION_VARIANT, /* of density pictures; of others a random look */
    ACTION_RESET_TONE, /* all of it but the gradient; of other pictures the look becomes plain */
    ACTION_HOME,
    ACTION_LOCATE,     /* `amount`: enum locate_kind */
    ACTION_SCREENSHOT, /* `amount` of 1: as PNG, whatever the settings say */
    ACTION_GALLERY,
    ACTION_SAVE_VIEW, /* under a name that is asked for */
    ACTION_KEEP_VIEW, /* as a bookmark, under a name that is made */
    ACTION_BOOKMARK,  /* go to the user's view that is `amount` older than the last; < 0: newer */
    ACTION_HUD,
    ACTION_HELP,
    ACTION_PANEL,
    ACTION_MAP,
    ACTION_COPY,  /* the view, as text, to the clipboard; `amount` of 1: the picture */
    ACTION_PASTE, /* go to the view in the clipboard */
    ACTION_FULLSCREEN,
    ACTION_OPEN, /* go to the view in the file `path`, which input_release frees */
    ACTION_COUNT
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

#endif
