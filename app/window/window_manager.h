/* Whether the display has a window manager, which alone makes windows as large as the screen when
 * they ask. */
#ifndef FATHOM_APP_WINDOW_WINDOW_MANAGER_H
#define FATHOM_APP_WINDOW_WINDOW_MANAGER_H

#include <stdbool.h>

/* Asks the X server of $DISPLAY over a connection of its own, which takes about a millisecond.
 * Without X (SDL's driver has another name), and where the server does not answer, true. From the
 * thread of the window. */
bool window_manager_there(void);

/* The dots per inch that X's desktop asks for (Xft.dpi); 0: it does not, or this is no X.
 * Likewise. */
double window_manager_dpi(void);

#endif
