/* Font: the system's font for text in the window: DejaVu Sans, where distributions install it. */
#ifndef FATHOM_APP_HUD_FONT_H
#define FATHOM_APP_HUD_FONT_H

#include <stddef.h>

/* Pairs of the first and last character that text may have: Latin with accents, Greek, Cyrillic,
 * punctuation, and the replacement character. File names may contain all of these. */
#define FONT_RANGES                                                                                \
    0x0020, 0x007e, 0x00a0, 0x017f, 0x0218, 0x021b, 0x0370, 0x03ff, 0x0400, 0x052f, 0x1ea0,        \
        0x1ef9, 0x2010, 0x2027, 0x2030, 0x203a, 0x20ac, 0x20ac, 0x2116, 0x2116, 0x2212, 0x2212,    \
        0xfffd, 0xfffd

/* Heights as shares of the font's total height, from the highest accent to the lowest descender. */
#define FONT_ASCENT   0.797
#define FONT_CAPITALS 0.626

/* Loads the font from the first folder of $XDG_DATA_DIRS (or /usr/local/share:/usr/share) with a
 * font from which FreeType draws all of these characters in usable sizes. The caller frees it.
 * Returns NULL if there is none; that is logged as information. */
char *font_load(size_t *length);

#endif
