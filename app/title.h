/* The window's title: the name or the zoom of what it shows. */
#ifndef FATHOM_APP_TITLE_H
#define FATHOM_APP_TITLE_H

#include "render/view.h"
#include <SDL.h>
#include <stddef.h>

#define TITLE_MAX 200

struct title {
    char name[TITLE_MAX]; /* of the file or example that was opened last; empty: none */
    struct view view;     /* that it shows */
    char shown[TITLE_MAX + 32];
};

/* Pairs with title_finish, which may come without it for a zeroed one. */
void title_init(struct title *title);
void title_finish(struct title *title);
/* The view is that of this file or example, whose name without folder and ".fathom" is its
 * title. */
void title_name(struct title *title, const char *path, const struct view *view);
/* The title of a view: the name while it is that view, else its zoom; at home only the program's
 * name. */
void title_text(const struct title *title, const struct view *view, bool at_home, char *text,
                size_t size);
/* Shows it, where it has changed. */
void title_update(struct title *title, SDL_Window *window, const struct view *view, bool at_home);

#endif
