/* Gamepads, as they come and go: the sticks and triggers of all add up to one course. Parts of
 * input.h. */
#ifndef FATHOM_APP_INPUT_GAMEPAD_H
#define FATHOM_APP_INPUT_GAMEPAD_H

#include <SDL.h>
#include <stdbool.h>

struct action;
struct input;

#define GAMEPADS_MAX 4 /* more are not opened */

/* Zero-initialised: none is there. Pairs with gamepads_finish. */
struct gamepads {
    struct gamepad {
        SDL_GameController *controller; /* NULL: this place is free */
        SDL_JoystickID id;
        double axes[SDL_CONTROLLER_AXIS_MAX]; /* -1 .. 1 */
    } pads[GAMEPADS_MAX];
};

/* To be called before SDL opens the video: gamepads are only looked at by gamepads_update, so that
 * SDL's waits for events stay such. `unwatched`: also while another window has the keyboard. */
void gamepads_prepare(bool unwatched);
/* Looks for gamepads from now on; takes some milliseconds. Where there is no such thing, that is
 * no fault. */
void gamepads_start(void);
/* Puts what they have done since the last time into SDL's queue. */
void gamepads_update(void);
/* Whether one is plugged in, so that gamepads_update has to be called often. */
bool gamepads_any(void);
void gamepads_finish(struct gamepads *gamepads);
/* Whether a stick or a trigger is held. */
bool gamepads_steer(const struct gamepads *gamepads);

#ifndef __cplusplus /* which wants to know actions here */
/* The action that a gamepad's event asks for. */
struct action input_translate_gamepad(struct input *input, const SDL_Event *event);
#endif
/* What a button is for those that know keys alone: arrows, Return and Escape. False: it is none. */
bool input_button_as_key(const SDL_Event *event, SDL_Event *key);
#ifndef __cplusplus /* which wants to know actions here */
/* That of a button, by the key table. (input.c) */
struct action input_bound_to(Uint8 button);
#endif

#endif
