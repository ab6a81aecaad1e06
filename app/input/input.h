/* From SDL events to actions, through one key table; the same table makes the help. */
#ifndef FATHOM_APP_INPUT_INPUT_H
#define FATHOM_APP_INPUT_INPUT_H

#include "app/input/action.h"
#include "app/input/fingers.h"
#include "app/input/gamepad.h"
#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

/* What a pressed button does until it is released. */
enum hand { HAND_FREE, HAND_DRAGGING, HAND_SPINNING, HAND_LIGHTING, HAND_BOXING };

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
    SDL_Scancode held_place;     /* its place, as the layout may change meanwhile */
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
