/* What the program needs of X beyond SDL, where SDL's driver is X's; elsewhere these do nothing. From
 * the thread of the window. */
#ifndef FATHOM_APP_WINDOW_X11_H
#define FATHOM_APP_WINDOW_X11_H

#include <stdbool.h>

/* The loss of the display server: Xlib would end the program on the spot. To be called once a window
 * is open. At the loss `keep`, if not NULL, is called with `user` and must not touch the display;
 * then the program exits with a message and status 1. Both NULL: there is nothing to keep any more.
 * (Wayland's end comes as an event to quit.) */
void x11_watch_loss(void (*keep)(void *user), void *user);

/* These ask the server of $DISPLAY over a connection of their own, which takes about a
 * millisecond. */
/* Whether there is a window manager, which alone makes windows as large as the screen when they ask.
 * True also without X, and where the server does not answer. */
bool x11_has_manager(void);
/* The dots per inch that X's desktop asks for (Xft.dpi); 0: it does not, or this is no X. */
double x11_dpi(void);

#endif
