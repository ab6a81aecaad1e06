/* Input: translates SDL events into actions by one key table; the help is made from the same
 * table. */
#ifndef FATHOM_APP_INPUT_INPUT_H
#define FATHOM_APP_INPUT_INPUT_H

#include "app/input/action.h"
#include "app/input/fingers.h"
#include "app/input/gamepad.h"
#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

/* Effect of the pressed button until it is released. */
enum hand { HAND_FREE, HAND_DRAGGING, HAND_SPINNING, HAND_LIGHTING, HAND_BOXING };

#define INPUT_TRAIL 64

/* State between events. Zero-initialised, then input_set_size. */
struct input {
    double scale_x, scale_y; /* pixels per unit of SDL's window coordinates */
    int width_px, height_px; /* size of the picture */
    double x_px, y_px;       /* position of the pointer */
    bool inside;             /* the pointer is over the window */
    enum hand hand;
    double from_x_px, from_y_px; /* position where the button was pressed */
    double travel_px;            /* largest distance of the pointer from there since */
    SDL_Keycode held;            /* key that zooms while it is held; 0: none */
    SDL_Scancode held_place;     /* its scan code, because the layout may change meanwhile */
    struct input_trail {
        Uint32 ms;
        double x_px, y_px;
    } trail[INPUT_TRAIL]; /* ring of the pointer's last positions */
    size_t trail_count;
    struct fingers fingers;
    struct gamepads gamepads;
};

/* Sets the size of the picture, and of the window that shows it in SDL's coordinates. */
void input_set_size(struct input *input, int width_px, int height_px, int width, int height);
/* Returns the action that an event requests; ACTION_NONE for most. The caller calls
 * action_finish. */
struct action input_translate(struct input *input, const SDL_Event *event);
/* Returns the action of a key in the key table, which has no digits. */
struct action input_key_action(const SDL_KeyboardEvent *event);
/* Releases everything that is held, when the release itself would not be reported. */
struct action input_release_all(struct input *input);
void action_finish(struct action *action);

/* Condition under which keys work. */
enum input_use { INPUT_ANYWHERE, INPUT_DENSITY, INPUT_TOUCH, INPUT_GAMEPAD };

/* Line of the help: keys and their effect, below a heading. Static texts. */
struct input_line {
    const char *heading, *keys, *text;
    enum input_use use;
};
/* Stores the i-th line; the lines below a heading follow each other. Returns false past the end. */
bool input_help(size_t i, struct input_line *line);
/* Returns the keys of an action as the help shows them, for ACTION_STEP those of the setting. NULL:
 * it has no keys. */
const char *input_keys_of(enum action_kind kind, enum setting_id id);

#endif
