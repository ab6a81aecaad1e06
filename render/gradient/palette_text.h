/* The text of a palette: INI entries, in a palette file or in a section of a view file. */
#ifndef FATHOM_RENDER_GRADIENT_PALETTE_TEXT_H
#define FATHOM_RENDER_GRADIENT_PALETTE_TEXT_H

#include "render/gradient/gradient.h"
#include <stdio.h>

#define PALETTE_NAME_MAX 40 /* bytes */

/* A gradient as it is read, by whichever reader; large. */
struct named_gradient {
    char name[PALETTE_NAME_MAX + 1];
    struct gradient gradient;
};

struct palette_text {
    struct named_gradient named;
    const char *source; /* in messages */
    int line;
    bool placed; /* the text gives places */
};

/* Copies a name of `length` bytes into `room` bytes and a NUL: only whole characters of UTF-8, as many as there
 * is room for. Control characters and bytes that are no UTF-8 become "?". */
void palette_text_copy(char *to, size_t room, const char *name, size_t length);
/* `name`: of a text that has none; what is too long of it is left out. */
void palette_text_begin(struct palette_text *text, const char *source, const char *name);
/* One entry. False: logged, "SOURCE:LINE: what". */
bool palette_text_set(struct palette_text *text, const char *key, const char *value, int line);
/* After the last one. False: it is no palette, logged. */
bool palette_text_end(struct palette_text *text);
/* The entries, without the section's header; they read back to the same gradient and name. */
void palette_text_write(FILE *file, const struct named_gradient *named);

#endif
