/* Actions: requests to the window from keys, pointers, gamepads and scripts. */
#ifndef FATHOM_APP_INPUT_ACTION_H
#define FATHOM_APP_INPUT_ACTION_H

#include "render/files/setting_table.h"

/* Kinds of actions. Each is a row of the explorer's table (app/explore/explorer_actions.c) or of
 * the window's (app/window/actions.c). (x, y) and (from_x, from_y) are in pixels from the picture's
 * top left corner. */
enum action_kind {
    ACTION_NONE,
    ACTION_QUIT,
    ACTION_ESCAPE,      /* closes the innermost dialog; from the bare window, twice: quits */
    ACTION_POINT,       /* moves the pointer to (x, y) */
    ACTION_ZOOM,        /* zooms in by `amount` notches at (x, y) */
    ACTION_ZOOM_MIDDLE, /* zooms in by `amount` notches in the middle of the picture */
    ACTION_GRAB,        /* presses a button at (x, y), which stops glides and held zooms */
    ACTION_DRAG,        /* moves the picture by (x, y) with the pointer */
    ACTION_DRAG_END,    /* releases the button while the pointer moves at (x, y) px/ms */
    ACTION_SPIN,        /* rotates the picture: the pointer moves from (from_x, from_y) to (x, y) */
    ACTION_SPIN_END,
    ACTION_LIGHT,      /* moves the light above (x, y) */
    ACTION_BOX,        /* draws a box from (from_x, from_y) to (x, y) */
    ACTION_BOX_END,    /* zooms to the box */
    ACTION_BOX_CANCEL, /* removes the box */
    ACTION_CENTRE, /* moves the point at (x, y) to the middle and zooms in by `amount` notches */
    ACTION_PINCH,  /* moves the picture's point from (from_x, from_y) to (x, y), magnifies by
                        * `amount` and rotates by `turn`, all since the pinch began */
    ACTION_STEER,  /* sets the sticks' course: moves by (x, y), zooms in by `amount` in the middle
                        * and rotates by `turn`, as fractions of the highest speed, -1 .. 1 */
    ACTION_TURN,   /* rotates to the next multiple of `amount` degrees, clockwise; < 0: back */
    ACTION_GLIDE_ZOOM, /* holds a zoom at the pointer: `amount` 1 inwards, -1 outwards, 0 stops */
    ACTION_FLY,        /* holds a zoom at (x, y), `amount` times as fast, until a hand takes over */
    ACTION_AUTOPILOT,  /* switches the autopilot */
    ACTION_LET_GO,     /* releases all held keys and buttons */
    ACTION_ZOOM_SPEED, /* makes held zooms faster by `amount` steps */
    ACTION_UNDO,       /* undoes `amount` steps; < 0: redoes */
    ACTION_SLIDE,      /* moves the view by (x, y) eighths of its height, y downwards */
    ACTION_STEP,   /* steps `setting` by `amount`; in Buddhabrot view the palette is the gradient */
    ACTION_CHOOSE, /* sets `setting` to its choice number `amount`; the palette as above */
    ACTION_KEEP_PALETTE, /* stores the present palette as choice number `amount` */
    ACTION_RANDOM_PALETTE,
    ACTION_AUTO_LIMIT,     /* switches the automatic limit */
    ACTION_AUTO_FREQUENCY, /* switches the automatic colour frequency */
    ACTION_BACKEND,        /* switches to the next backend */
    ACTION_ANTIALIAS,      /* switches anti-aliasing of the view at rest */
    ACTION_JULIA,          /* opens the Julia set of the point under the pointer; 1: as an inset */
    ACTION_VARIANT,        /* shows the next kind of Buddhabrot; else a random style */
    ACTION_RESET_TONE, /* resets the tone except the gradient; else the style to the plain one */
    ACTION_HOME,
    ACTION_LOCATE,     /* searches a location of the kind `amount`, an enum locate_kind */
    ACTION_SCREENSHOT, /* saves the picture; `amount` 1: always as PNG */
    ACTION_GALLERY,
    ACTION_SAVE_VIEW, /* saves the view under a name that the user types */
    ACTION_KEEP_VIEW, /* saves the view as a bookmark under a generated name */
    ACTION_BOOKMARK,  /* opens the user's view that is `amount` older than the last; < 0: newer */
    ACTION_HUD,       /* shows the next level of numbers */
    ACTION_HELP,
    ACTION_PANEL,
    ACTION_MAP,
    ACTION_COPY,  /* copies the view as text to the clipboard; `amount` 1: the picture */
    ACTION_PASTE, /* opens the view in the clipboard */
    ACTION_FULLSCREEN,
    ACTION_RECORD, /* begins or ends the recording of a path */
    ACTION_PLAY,   /* plays the path, or ends that */
    ACTION_MOVIE,  /* makes a movie of the path */
    ACTION_OPEN,   /* opens the file `path` */
    ACTION_COUNT
};

/* An action with its arguments; action_finish frees it. */
struct action {
    enum action_kind kind;
    double x, y;
    double from_x, from_y;
    double amount;
    double turn; /* [rad] clockwise on the screen */
    enum setting_id setting;
    char *path;
};

#endif
