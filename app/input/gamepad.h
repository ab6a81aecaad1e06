/* Gamepads: opens and closes them as they are plugged in and out; their sticks and triggers add up
 * to one course. Part of input.h. */
#ifndef FATHOM_APP_INPUT_GAMEPAD_H
#define FATHOM_APP_INPUT_GAMEPAD_H

#include <SDL.h>
#include <stdbool.h>

struct action;
struct input;

#define GAMEPADS_MAX 4 /* further gamepads are not opened */

/* Zero-initialised: no gamepad is open. Pairs with gamepads_finish. */
struct gamepads {
    struct gamepad {
        SDL_GameController *controller; /* NULL: the slot is free */
        SDL_JoystickID id;
        double axes[SDL_CONTROLLER_AXIS_MAX]; /* -1 .. 1 */
    } pads[GAMEPADS_MAX];
};

/* Sets SDL's hints before it opens the video: only gamepads_update polls gamepads, so SDL's waits
 * for events do not. `unwatched`: gamepads work even if another window has the keyboard focus. */
void gamepads_prepare(bool unwatched);
/* Starts SDL's gamepad subsystem, which takes some milliseconds. A failure is logged and
 * harmless. */
void gamepads_start(void);
/* Polls the gamepads and puts their events into SDL's queue. */
void gamepads_update(void);
/* Returns true if a gamepad is plugged in; gamepads_update must then be called often. */
bool gamepads_any(void);
void gamepads_finish(struct gamepads *gamepads);
/* Returns true if a stick or a trigger is held. */
bool gamepads_deflected(const struct gamepads *gamepads);

#ifndef __cplusplus /* C++ files include no actions here */
/* Returns the action that a gamepad's event requests. */
struct action input_translate_gamepad(struct input *input, const SDL_Event *event);
/* Returns the action of a button in the key table. (input.c) */
struct action input_button_action(Uint8 button);
#endif
/* Translates a button into a key (arrows, Return, Escape), for code that handles only keys. Returns
 * false for other events. */
bool input_button_as_key(const SDL_Event *event, SDL_Event *key);

#endif
