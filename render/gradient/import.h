/* Palettes of fathom and of other programs, told apart by content:
 *   [palette]        fathom's own (palette_text.h)
 *   .map             Fractint and XaoS: a line "R G B" for each colour, perhaps below a title
 *   .kfp, .kfr       Kalles Fraktaler: Colors (blue, green, red ...), IterDiv, ColorOffset
 *   .ugr, .upr       Ultra Fractal: gradients by name, stops at places of 400
 *   .ggr             GIMP: segments that blend in several ways
 *   .gpl             GIMP: a line "R G B NAME" for each colour
 * Lines end in LF, CR LF or CR, and a byte 0x1a ends the text, as in files of DOS.
 * Text is hostile: at most IMPORT_TEXT_MAX bytes, every number bounded, one message that says what
 * is wrong and where. Pure, but for the log. */
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

/* What a text is; a view file, which may have a palette in it, is none. */
enum import_kind import_kind(const char *text, size_t length);

/* One gradient of the text, which lives until this returns; false: no more of them. */
typedef bool import_fn(void *user, const struct named_gradient *named);
/* Reads all of the text's gradients, one after the other; `name` is for those that have none. False:
 * there is none, or the text is wrong from somewhere on, logged; the ones before that were handed
 * on. */
bool import_read(const char *source, const char *name, const char *text, size_t length,
                 import_fn *each, void *user);

#endif
