/* Pointer: the mouse, and what fingers share with it. Only for the files of this folder. */
#ifndef FATHOM_APP_INPUT_POINTER_H
#define FATHOM_APP_INPUT_POINTER_H

#include "app/input/input.h"

/* Returns the action that a mouse event requests. */
struct action input_translate_pointer(struct input *input, const SDL_Event *event);
/* Presses a button or a finger at a position, which ends any other press and moves the pointer
 * there. */
struct action input_press(struct input *input, double x_px, double y_px, Uint32 ms);
/* Moves the pointer; drags, spins, lights or draws a box if a button is pressed. */
struct action input_move(struct input *input, double x_px, double y_px, Uint32 ms);
/* Releases the button. */
struct action input_release_hand(struct input *input, Uint32 ms);
/* Cancels the box that is being drawn. */
struct action input_cancel_box(struct input *input);

#endif
