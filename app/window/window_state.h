/* Window position: kept in the user's state folder from run to run. */
#ifndef FATHOM_APP_WINDOW_WINDOW_STATE_H
#define FATHOM_APP_WINDOW_WINDOW_STATE_H

#include <SDL.h>
#include <stdbool.h>

/* Upper left corner of the frame around the window, and the window's size inside it, in SDL's
 * window coordinates. Both are those without the flags. */
struct window_state {
    int x, y, width, height;
    bool maximised, fullscreen;
};

/* Reads the position. Returns false if there is none; a broken file is logged as a warning. */
bool window_state_load(struct window_state *state);
/* Writes the position. Returns false if that fails: the reason is logged and the file is
 * unchanged. */
bool window_state_save(const struct window_state *state);
/* Moves and shrinks the position into the display with the largest common area, or the first one.
 * `count` and the displays' sizes are > 0. */
void window_state_fit(struct window_state *state, const SDL_Rect *displays, int count);

#endif
