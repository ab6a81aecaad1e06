/* Where the window was, kept in the user's state folder from one run to the next. */
#ifndef FATHOM_APP_WINDOW_WINDOW_STATE_H
#define FATHOM_APP_WINDOW_WINDOW_STATE_H

#include <SDL.h>
#include <stdbool.h>

/* In SDL's window coordinates: the upper left corner of the frame around the window, and the
 * window's size inside it, as they are without the flags. */
struct window_state {
    int x, y, width, height;
    bool maximised, fullscreen;
};

/* False: there is none; where the file is broken one warning has told. */
bool window_state_load(struct window_state *state);
/* False: logged why, the older file is as it was. */
bool window_state_save(const struct window_state *state);
/* Moves and shrinks it to lie within the one of these displays that it shares most with, the first
 * if it lies on none. `count` > 0; their sizes are > 0. */
void window_state_fit(struct window_state *state, const SDL_Rect *displays, int count);

#endif
