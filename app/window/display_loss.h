/* The display server going away. Xlib ends the program by itself then, wherever it is; this makes
 * it a sentence, after what there is to keep has been kept. (Wayland's end comes as an event to
 * quit.) */
#ifndef FATHOM_APP_WINDOW_DISPLAY_LOSS_H
#define FATHOM_APP_WINDOW_DISPLAY_LOSS_H

/* To be called once a window is open; does nothing where Xlib is not in use. At the loss `keep`, if
 * not NULL, is called with `user` and must not touch the display; then the program exits with
 * status 1. Both NULL: there is nothing to keep any more. Main thread. */
void display_loss_watch(void (*keep)(void *user), void *user);

#endif
