/* Pictures for other programs' clipboard, which SDL 2 has for texts alone: they go to a program that keeps them after
 * this one has ended. */
#ifndef FATHOM_APP_STILL_CLIPBOARD_H
#define FATHOM_APP_STILL_CLIPBOARD_H

#include <stdbool.h>
#include <stdint.h>

/* Gives a picture as PNG, with `text` in it, to wl-copy under Wayland, else, or where there is none, to xclip under X.
 * Waits until that program has taken it. Any thread. False: logged why, and what has to be installed. */
bool clipboard_put_picture(const uint32_t *rgba, int width_px, int height_px, const char *text);

#endif
