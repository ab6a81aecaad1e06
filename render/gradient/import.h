/* Palette import: palettes of fathom and of other programs, whose format is detected from the
 * content:
 *   [palette]        fathom's own (palette_text.h)
 *   .map             Fractint and XaoS: a line "R G B" for each colour, optionally below a title
 *   .kfp, .kfr       Kalles Fraktaler: Colors (blue, green, red ...), IterDiv, ColorOffset
 *   .ugr, .upr       Ultra Fractal: gradients by name, stops at places of 400
 *   .ggr             GIMP: segments that blend in several ways
 *   .gpl             GIMP: a line "R G B NAME" for each colour
 * Lines end in LF, CR LF or CR, and a byte 0x1a ends the text, as in DOS files. The text is
 * untrusted: at most IMPORT_TEXT_MAX bytes, every number bounded, and one message with the line and
 * the reason. Pure, except for the log. */
#ifndef FATHOM_RENDER_GRADIENT_IMPORT_H
#define FATHOM_RENDER_GRADIENT_IMPORT_H

#include "render/gradient/palette_text.h"

#define IMPORT_TEXT_MAX (1 << 20)

enum import_kind {
    IMPORT_NONE,
    IMPORT_OWN,
    IMPORT_MAP,
    IMPORT_KALLES,
    IMPORT_ULTRA,
    IMPORT_GIMP,
    IMPORT_GIMP_LIST
};

/* Returns the format of a text. A view file is IMPORT_NONE, even if it contains a palette. */
enum import_kind import_kind(const char *text, size_t length);

/* Receives one gradient of the text, valid during the call. Returns false to stop. */
typedef bool import_fn(void *user, const struct named_gradient *named);
/* Reads all gradients of a text in turn; unnamed gradients are named `name`. Returns false if there
 * is no gradient, or after an error, which is logged; gradients before the error have been passed
 * on. */
bool import_read(const char *source, const char *name, const char *text, size_t length,
                 import_fn *each, void *user);

#endif
