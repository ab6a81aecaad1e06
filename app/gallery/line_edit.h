/* One line of text that is typed: UTF-8, a caret, all of it selected at first. No GL, no SDL
 * window. */
#ifndef FATHOM_APP_GALLERY_LINE_EDIT_H
#define FATHOM_APP_GALLERY_LINE_EDIT_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

#define LINE_EDIT_MAX 80 /* bytes */

/* Zero-initialised: empty. */
struct line_edit {
    char text[LINE_EDIT_MAX + 1];
    size_t caret;  /* in bytes, between characters */
    bool selected; /* all of it: what is typed replaces it */
};

/* Text that is too long is cut between characters. */
void line_edit_set(struct line_edit *edit, const char *text);
/* At the caret; control characters and broken UTF-8 are left out, as is what does not fit. */
void line_edit_insert(struct line_edit *edit, const char *text);
/* A pressed key: arrows, Home, End, Backspace, Delete, Ctrl+A, Ctrl+U, Ctrl+V. False: it means
 * nothing here. */
bool line_edit_key(struct line_edit *edit, const SDL_Keysym *key);

#endif
