/* Palette text: a palette as INI entries, in a palette file or in a section of a view file. */
#ifndef FATHOM_RENDER_GRADIENT_PALETTE_TEXT_H
#define FATHOM_RENDER_GRADIENT_PALETTE_TEXT_H

#include "render/gradient/gradient.h"
#include <stdio.h>

#define PALETTE_NAME_MAX 40 /* [bytes] longest name */

/* Gradient with its name, as readers store it; large. */
struct named_gradient {
    char name[PALETTE_NAME_MAX + 1];
    struct gradient gradient;
};

struct palette_text {
    struct named_gradient named;
    const char *source; /* name of the text in messages */
    int line;
    bool placed; /* true: the text has places */
};

/* Copies a name of `length` bytes into `room` bytes and a NUL, cut at a whole UTF-8 character.
 * Control characters and bytes that are not UTF-8 become "?". */
void palette_text_copy(char *to, size_t room, const char *name, size_t length);
/* Begins a palette; `name` is its name if the text has none, and is cut if it is too long. */
void palette_text_begin(struct palette_text *text, const char *source, const char *name);
/* Reads one entry. Returns false on an error, which is logged as "SOURCE:LINE: what". */
bool palette_text_set(struct palette_text *text, const char *key, const char *value, int line);
/* Ends the palette after its last entry. Returns false if it is not valid; the reason is logged. */
bool palette_text_end(struct palette_text *text);
/* Writes the entries, without a section header; reading them gives the same gradient and name. */
void palette_text_write(FILE *file, const struct named_gradient *named);

#endif
