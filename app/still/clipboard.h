/* Clipboard for pictures, which SDL 2 does not support: passes them to a program that keeps them
 * after this one has ended. */
#ifndef FATHOM_APP_STILL_CLIPBOARD_H
#define FATHOM_APP_STILL_CLIPBOARD_H

#include <stdbool.h>
#include <stdint.h>

/* Passes a picture as PNG, which contains `text`, to wl-copy under Wayland; if that is missing,
 * or under X, to xclip. Waits until that program has read it. Any thread may call this. Returns
 * false on failure; the reason, and what to install, is logged. */
bool clipboard_put_picture(const uint32_t *rgba, int width_px, int height_px, const char *text);

#endif
