/* A script's input as SDL's events in SDL's queue. Positions are complex numbers, x + i y in
 * pixels of the window. */
#ifndef FATHOM_APP_SCRIPT_SCRIPT_EVENTS_H
#define FATHOM_APP_SCRIPT_SCRIPT_EVENTS_H

#include "app/script/script_types.h"
#include <complex.h>

void script_push_motion(struct script *script, const struct script_state *state, double complex at);
/* Where the pointer is; the `clicks`-th of a double click and so on. */
void script_push_button(struct script *script, const struct script_state *state, Uint8 button,
                        bool down, int clicks);
void script_push_wheel(const struct script *script, const struct script_state *state,
                       double notches);
/* `modifiers` in addition to what is held. A modifier's own key changes what is held. */
void script_push_key(struct script *script, const struct script_state *state, SDL_Keycode key,
                     Uint16 modifiers, bool down);
/* What the keyboard says is held beside the mouse, from now on. */
void script_hold(const struct script *script, Uint16 modifiers);
void script_push_text(const struct script_state *state, const char *text);
void script_push_drop(const struct script_state *state, const char *file);
void script_push_window(const struct script_state *state, Uint8 event);
void script_push_quit(void);
void script_resize(const struct script_state *state, double width_px, double height_px);

/* script_random.c's: random events, to see that nothing breaks. */
void script_storm(struct script *script, const struct script_state *state, int count,
                  unsigned seed);
/* The events of one turn, from a seed; true: there are more. */
bool script_random(struct script *script, const struct script_state *state, unsigned seed,
                   int count);

#endif
