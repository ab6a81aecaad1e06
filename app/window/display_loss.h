/* The loss of the display server. Xlib would end the program on the spot; here it ends with a
 * message, after everything was kept. (Wayland's end comes as an event to quit.) */
#ifndef FATHOM_APP_WINDOW_DISPLAY_LOSS_H
#define FATHOM_APP_WINDOW_DISPLAY_LOSS_H

/* To be called once a window is open; does nothing where Xlib is not in use. At the loss `keep`, if
 * not NULL, is called with `user` and must not touch the display; then the program exits with
 * status 1. Both NULL: there is nothing to keep any more. Main thread. */
void display_loss_watch(void (*keep)(void *user), void *user);

#endif
