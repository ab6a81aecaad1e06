/* Clipboard for pictures, which SDL 2 does not support: passes a picture to another program, which
 * keeps the picture after fathom has ended. */
#ifndef FATHOM_APP_STILL_CLIPBOARD_H
#define FATHOM_APP_STILL_CLIPBOARD_H

#include <stdbool.h>
#include <stdint.h>

/* Passes a picture as PNG with the text `text` to wl-copy under Wayland. Under X, or if wl-copy is
 * missing, xclip receives the picture. Waits until the program has read the picture. Any thread may
 * call this. Returns false on failure; the reason and the package to install are logged. */
bool clipboard_put_picture(const uint32_t *rgba, int width_px, int height_px, const char *text);

#endif
