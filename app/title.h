/* Title: the window's title, which is the name or the zoom of the view. */
#ifndef FATHOM_APP_TITLE_H
#define FATHOM_APP_TITLE_H

#include "render/view.h"
#include <SDL.h>
#include <stddef.h>

#define TITLE_MAX 200

struct title {
    char name[TITLE_MAX]; /* name of the file or example that was opened last; empty: none */
    struct view view;     /* view of that file */
    char shown[TITLE_MAX + 32];
};

/* Initialises a title; pairs with title_finish, which also accepts a zeroed title. */
void title_init(struct title *title);
void title_finish(struct title *title);
/* Stores the name of a file or example, without folder and ".fathom", as the title of its view. */
void title_name(struct title *title, const char *path, const struct view *view);
/* Writes the title of a view: the stored name for the stored view, otherwise the zoom; at home
 * only the program's name. */
void title_text(const struct title *title, const struct view *view, bool at_home, char *text,
                size_t size);
/* Sets the window's title if it has changed. */
void title_update(struct title *title, SDL_Window *window, const struct view *view, bool at_home);

#endif
