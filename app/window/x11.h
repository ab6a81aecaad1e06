/* X11 beyond SDL: loss of the display, window manager and density. Without X these functions do
 * nothing. Call them on the window's thread. */
#ifndef FATHOM_APP_WINDOW_X11_H
#define FATHOM_APP_WINDOW_X11_H

#include <stdbool.h>

/* Handles the loss of the display server, at which Xlib would end the program immediately. Call it
 * once a window is open. At the loss it calls `keep`, which must not use the display, with `user`.
 * Then the program exits with a message and status 1. Both NULL: there is nothing to save any more.
 * (Wayland's end arrives as an event to quit.) */
void x11_watch_loss(void (*keep)(void *user), void *user);

/* The following functions query the server of $DISPLAY over their own connection, in about a
 * millisecond. */
/* Returns true if there is a window manager, without which windows cannot request full screen. Also
 * true without X, and if the server does not reply. */
bool x11_has_manager(void);
/* Returns the dots per inch of the X desktop's settings (Xft.dpi); 0: unknown or no X. */
double x11_dpi(void);

#endif
