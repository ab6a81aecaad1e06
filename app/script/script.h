/* Scripts: input events and waits, read from a file. What a person could do goes through SDL's
 * event queue; what only a test can do (capture, measure, lose a device) is a command to the loop.
 *
 * One command a line, "#" starts a comment. Positions are in pixels of the window from its top
 * left, or with "%" in parts of its size:
 *   move X Y                     move the pointer
 *   wheel N [X Y]                turn the wheel by N notches, a notch a frame; fractions are sent
 *                                as a touch pad's
 *   drag [BUTTON] X0 Y0 X1 Y1 [STEPS]
 *                                a step a frame, 8 unless said; the pointer rests before the button
 *                                is released.
 *                                BUTTON is left, middle or right, or as in "Ctrl+left"; left unless
 *                                said
 *   fling [BUTTON] X0 Y0 X1 Y1 [STEPS]
 *                                the same, but lets go in motion
 *   trace [BUTTON] X0 Y0 X1 Y1 MS
 *                                drags with the clock, in so many milliseconds, and lets go
 *   click [X Y] [BUTTON [TIMES]] once unless said; twice is a double click; without a position where
 *                                the pointer is
 *   touch N X Y, lift N          the finger N, from 0 to 9, comes to or moves to that place; leaves
 *   tap [X Y]                    a finger comes and leaves; without a position where the pointer is
 *   gamepad plug, gamepad unplug, gamepad NAME VALUE
 *                                one that SDL takes for real; its sticks, -1 to 1 (leftx, righty), triggers
 *                                and buttons, 0 to 1 (righttrigger, a), by SDL's names
 *   panel LABEL [PART%]          move the pointer onto what the panel calls so, once it shows it: the
 *                                control of a row, a choice of an open list, a palette, a button;
 *                                halfway across unless said
 *   key NAME                     press and release; SDL's names, with Ctrl+, Shift+, Alt+, Gui+
 *   press NAME, release NAME     a key that is held meanwhile; or a button, left-button and so on
 *   type TEXT                    key after key, some a turn, with the text that they make
 *   clipboard TEXT               puts it there; "\n" begins a line
 *   resize W H                   the window, in pixels
 *   burst N                      the next N commands in one turn, as far as none takes longer
 *   leave, unfocus               the pointer leaves the window; the keyboard goes to another one
 *   wait MS
 *   pass [MS]                    from the first on, time stands still for what moves, but for these
 *                                milliseconds, which pass at once; without a number it goes on as
 *                                ever
 *   wait complete [SECONDS]      until the picture is complete and at rest; fails after 300
 *   wait samples N [SECONDS]     until a density picture at rest shows N samples; likewise
 *   wait points N [SECONDS]      until it shows N points a pixel
 *   drop FILE, goto FILE         drop a file onto the window
 *   capture FILE                 the window's content with all that is in it, as PPM or .png
 *   measure N                    draw the picture N times anew
 *   mark TEXT                    tells whoever measures
 *   lose-device                  the next picture is lost
 *   again                        from the first command on
 *   quit                         as does the end */
#ifndef FATHOM_APP_SCRIPT_SCRIPT_H
#define FATHOM_APP_SCRIPT_SCRIPT_H

#include <SDL.h>
#include <stdbool.h>
#include <stdint.h>

struct script;

/* Reads and checks the whole file first. NULL: logged why, as "FILE:LINE: what". */
struct script *script_load(const char *path);
/* The same of a text, which is taken over; `name`, which outlives the script, stands for FILE. */
struct script *script_of_text(const char *name, char *text);
void script_destroy(struct script *script);

enum script_order {
    SCRIPT_GO_ON,
    SCRIPT_CAPTURE, /* into script_text */
    SCRIPT_MEASURE, /* script_number times */
    SCRIPT_MARK,    /* script_text */
    SCRIPT_LOSE_DEVICE,
    SCRIPT_FAILED, /* logged why */
};

struct script_state {
    SDL_Window *window;
    double scale_x, scale_y; /* pixels per unit of SDL's window coordinates */
    int width_px, height_px;
    bool settled;     /* the picture is complete and nothing moves */
    uint64_t samples; /* that a density picture shows while nothing moves; 0 for others */
    double points;    /* likewise, for each pixel */
    /* Where the panel shows that, `part` (0 to 1) of the way across, in SDL's window coordinates.
     * False: it does not. */
    bool (*find_in_panel)(const void *user, const char *label, double part, double *x, double *y);
    const void *user;
};

/* Does the next thing, once a turn. */
enum script_order script_step(struct script *script, const struct script_state *state);
/* The text and the number of the command just given. */
const char *script_text(const struct script *script);
int script_number(const struct script *script);
/* Whether time stands still for what moves; *ms then passes in this turn, which is to be asked
 * once. */
bool script_stops_time(struct script *script, double *ms);
/* The same without asking for time to pass. */
bool script_stopped(const struct script *script);
/* When it wants the next turn at the latest, on clock.h's clock. */
double script_due_ms(const struct script *script);

#endif
