/* The mouse, and what fingers have in common with it. For the files of this folder alone. */
#ifndef FATHOM_APP_INPUT_POINTER_H
#define FATHOM_APP_INPUT_POINTER_H

#include "app/input/input.h"

/* The action that a mouse event asks for. */
struct action input_translate_pointer(struct input *input, const SDL_Event *event);
/* A button, or a finger, is pressed there, which ends what another one did; the pointer goes there,
 * as input_move; what it did ends. */
struct action input_press(struct input *input, double x_px, double y_px, Uint32 ms);
struct action input_move(struct input *input, double x_px, double y_px, Uint32 ms);
struct action input_release_hand(struct input *input, Uint32 ms);
/* Gives up a box that is being drawn. */
struct action input_cancel_box(struct input *input);

#endif
