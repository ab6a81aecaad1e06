/* The window and its OpenGL 3.3 core context (SDL2). Without a display SDL's "offscreen" driver
 * draws into a framebuffer of the window's own. Functions must be called on the main thread. */
#ifndef FATHOM_APP_WINDOW_WINDOW_H
#define FATHOM_APP_WINDOW_WINDOW_H

#include "app/window/window_state.h"

struct window;

/* Opens the only window of the process. Its size is in pixels; 0: a fitting size. With `scripted`
 * and no display, SDL's offscreen driver is used. `state`: position of the last run, may be NULL; a
 * given size overrides it. Returns NULL on failure; the reason is logged in one line. */
struct window *window_create(int width_px, int height_px, bool scripted,
                             const struct window_state *state);
void window_destroy(struct window *window);

SDL_Window *window_sdl(struct window *window);
SDL_GLContext window_context(struct window *window);

/* Stores the size of the drawable in pixels, at least 1x1. */
void window_size(const struct window *window, int *width_px, int *height_px);
/* Returns the size of text as a multiple of 1:1: the size that was set, or else, in halves from 1
 * to 4, the largest of what the desktop's settings request (Xft.dpi; without it the display's
 * density), the display's pixel ratio, and the height of a large window. */
double window_text_scale(const struct window *window);
/* Sets the size of text as a multiple of the usual size; 0: chosen for display and window. */
void window_set_text_scale(struct window *window, double scale);
/* Returns the duration of a frame: the rate that was set, or that of the window's display; 60 Hz if
 * it is unknown. */
double window_frame_ms(const struct window *window);
/* Returns true if window_present waits for the display, so that frames need no exact pace. */
bool window_waits_for_display(const struct window *window);
/* Sets the rate of frames, which no longer wait for the display. */
void window_set_rate(struct window *window, double hz);
/* Returns false while the window is minimised or hidden. */
bool window_visible(const struct window *window);

void window_toggle_fullscreen(struct window *window);
/* Returns true if the window fills the screen, with or without a window manager. */
bool window_fullscreen(const struct window *window);

/* Follows a window event, so that window_current_state has the position before the window was
 * maximised. Call it for each. */
void window_follow(struct window *window, const SDL_WindowEvent *event);
/* Returns true if the event is about the window's size or visible part. Two frames must be drawn
 * after it: the server may not have carried it out yet, drivers check the size only when a frame is
 * shown, and the first frame may be shifted. */
bool window_is_reshaped_by(const SDL_WindowEvent *event);
struct window_state window_current_state(const struct window *window);

/* Binds the framebuffer of the next frame. Returns false without memory; logged. */
bool window_begin(struct window *window);
/* Shows the frame. Waits for the display if vertical synchronisation works. Returns false if the
 * driver has lost the context and everything in it; logged. */
bool window_present(struct window *window);

/* Waits for an event, at most that long (INFINITY: for ever). Returns false if the time is up. If
 * only this process makes events, the wait ends early to look for them. */
bool window_wait(const struct window *window, double timeout_ms, SDL_Event *event);

#endif
