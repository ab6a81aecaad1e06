/* Scripts: input events and waits, read from a file. Input of a person goes through SDL's event
 * queue. Operations of tests only (capture, measure, lose a device) are commands to the loop.
 *
 * Each line has one command; "#" starts a comment. Positions are pixels of the window from its top
 * left, or with "%" percentages of its size:
 *   move X Y                     moves the pointer
 *   wheel N [X Y]                turns the wheel by N notches, one per frame; fractions are sent as
 *                                by a touch pad
 *   drag [BUTTON] X0 Y0 X1 Y1 [STEPS]
 *                                drags with one step per frame, by default 8; the pointer rests
 *                                before the release. BUTTON is left (default), middle or right, or
 *                                has modifiers as in "Ctrl+left"
 *   fling [BUTTON] X0 Y0 X1 Y1 [STEPS]
 *                                drags as above, but releases in motion
 *   trace [BUTTON] X0 Y0 X1 Y1 MS
 *                                drags by the clock, in MS milliseconds, and releases in motion
 *   click [X Y] [BUTTON [TIMES]] clicks, by default once and at the pointer; 2 is a double click
 *   touch N X Y, lift N          puts down or moves finger N, 0 to 9; lifts it
 *   tap [X Y]                    taps with a finger, by default at the pointer
 *   gamepad plug, gamepad unplug, gamepad NAME VALUE
 *                                plugs in or unplugs a virtual gamepad of SDL; sets its sticks,
 *                                -1 to 1 (leftx), triggers and buttons, 0 to 1 (righttrigger, a)
 *   panel LABEL [PART%]          moves the pointer onto the item with that label in the panel,
 *                                the gallery or a dialog, once it is shown: the control of a row,
 *                                a choice of an open list, a palette, a button or a view; by
 *                                default to the middle of its width
 *   key NAME                     presses and releases a key, by SDL's name, with Ctrl+, Shift+,
 *                                Alt+, Gui+
 *   press NAME, release NAME     presses or releases a key, or a button such as left-button
 *   type TEXT                    types key after key, some per turn, with their text
 *   clipboard TEXT               sets the clipboard; "\n" begins a line
 *   resize W H                   resizes the window, in pixels
 *   burst N                      runs the next N commands in one turn, unless one takes longer
 *   leave, unfocus               moves the pointer out of the window; moves the keyboard's focus
 *   wait MS                      waits
 *   pass [MS]                    stops the time of motions, except for MS milliseconds, which pass
 *                                at once; without a number time continues as usual
 *   wait complete [SECONDS]      waits until the picture is complete and at rest; fails after
 *                                SECONDS, by default 300
 *   wait samples N [SECONDS]     waits until a density picture at rest shows N samples
 *   wait points N [SECONDS]      waits until such a picture shows N points per pixel
 *   drop FILE, goto FILE         drops a file onto the window
 *   capture FILE                 writes the window's complete content, as PPM or .png
 *   measure N                    draws the picture N times again
 *   mark TEXT                    passes TEXT to the code that measures
 *   lose-device                  loses the device with the next picture
 *   again                        continues with the first command
 *   quit                         quits, as does the end of the file */
#ifndef FATHOM_APP_SCRIPT_SCRIPT_H
#define FATHOM_APP_SCRIPT_SCRIPT_H

#include <SDL.h>
#include <stdbool.h>
#include <stdint.h>

struct script;

/* Reads and parses the whole file. Returns NULL on failure, which is logged as "FILE:LINE:
 * problem". */
struct script *script_load(const char *path);
/* Parses a text, which is taken over. `name` stands for FILE and must outlive the script. */
struct script *script_of_text(const char *name, char *text);
void script_destroy(struct script *script);

enum script_order {
    SCRIPT_GO_ON,
    SCRIPT_CAPTURE, /* into the file script_text */
    SCRIPT_MEASURE, /* script_number times */
    SCRIPT_MARK,    /* the mark is script_text */
    SCRIPT_LOSE_DEVICE,
    SCRIPT_FAILED, /* the reason is logged */
};

struct script_state {
    SDL_Window *window;
    double scale_x, scale_y; /* pixels per unit of SDL's window coordinates */
    int width_px, height_px;
    bool settled;     /* the picture is complete and nothing moves */
    uint64_t samples; /* samples of a density picture at rest; 0 for other pictures */
    double points;    /* points per pixel of a density picture at rest */
    /* Finds the labelled control in the panel: the position at the share `part` (0 to 1) of its
     * width, in SDL's window coordinates. Returns false if the panel does not show it. */
    bool (*find_in_panel)(const void *user, const char *label, double part, double *x, double *y);
    const void *user;
};

/* Executes the next step; called once per turn of the event loop. */
enum script_order script_step(struct script *script, const struct script_state *state);
/* Return the text and the number of the command that caused the order. */
const char *script_text(const struct script *script);
int script_number(const struct script *script);
/* Returns true if the time of motions is stopped. *ms is the time that passes in this turn; call
 * this once per turn. */
bool script_stops_time(struct script *script, double *ms);
/* Returns true if the time of motions is stopped, without letting time pass. */
bool script_stopped(const struct script *script);
/* Returns when the next turn is due at the latest, on the clock of clock.h. */
double script_due_ms(const struct script *script);

#endif
