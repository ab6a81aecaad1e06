/* The window and its OpenGL context: SDL2, 3.3 core, also without a display on SDL's "offscreen"
 * driver, where the pictures go to a framebuffer of the window's own. */
#ifndef FATHOM_APP_WINDOW_WINDOW_H
#define FATHOM_APP_WINDOW_WINDOW_H

#include "app/window/window_state.h"

struct window;

/* Opens a window of that many pixels, 0 for a fitting one. With `scripted` and no display it goes
 * to the offscreen driver. `state`, if not NULL, is where it was the last time; a given size is
 * stronger. One per process. NULL: logged why, in one line. */
struct window *window_create(int width_px, int height_px, bool scripted,
                             const struct window_state *state);
void window_destroy(struct window *window);

SDL_Window *window_sdl(struct window *window);
SDL_GLContext window_context(struct window *window);

/* Of the drawable, in pixels; at least 1x1. */
void window_size(const struct window *window, int *width_px, int *height_px);
/* How much larger than 1:1 text should be: what was set; else, in steps of a half from 1 to 4, what
 * the desktop's settings ask for (Xft.dpi; without it the display's density), or the ratio of its
 * pixels, or the height of a large window. */
double window_text_scale(const struct window *window);
/* Sets how many times the usual size text has; 0: as display and window ask for. */
void window_set_text_scale(struct window *window, double scale);
/* Of the display that the window is on, or as was set; 60 Hz where that is not known. */
double window_frame_ms(const struct window *window);
/* Whether showing a frame waits for the display, so that it need not be paced exactly. */
bool window_waits_for_display(const struct window *window);
/* From now on frames are paced so, and do not wait for the display. */
void window_set_rate(struct window *window, double hz);
/* False while it is minimised or hidden. */
bool window_visible(const struct window *window);

void window_toggle_fullscreen(struct window *window);
/* Whether it fills the screen, with or without a window manager. */
bool window_fullscreen(const struct window *window);

/* To be told of each window event, so that window_current_state knows where it was before it was
 * maximised. */
void window_follow(struct window *window, const SDL_WindowEvent *event);
/* Whether the event is about the window's size or what of it is seen. The server may not have
 * carried that out when SDL tells it, and drivers look at the size only when a frame is shown, so
 * two frames have to be drawn after it: the first can lie as many pixels off as the window grew. */
bool window_reshapes(const SDL_WindowEvent *event);
struct window_state window_current_state(const struct window *window);

/* Binds the framebuffer to draw a frame into. False: no memory, logged. */
bool window_begin(struct window *window);
/* Shows the frame. Waits for the display when vertical synchronisation works. False: the driver has
 * lost the context and all that was in it, logged. */
bool window_present(struct window *window);

/* Waits for an event, at most that long (infinity: for ever). False: the time is up. Where only
 * this process makes events, the wait ends early to look for them. */
bool window_wait(const struct window *window, double timeout_ms, SDL_Event *event);

#endif
