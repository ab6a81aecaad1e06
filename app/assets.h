/* Assets: example views of the user, of the installation, and of the source tree if the program
 * runs where it was built. They are found relative to the program, so that all can be moved
 * together. The folders are:
 *   $XDG_DATA_HOME/fathom (or ~/.local/share/fathom), PROGRAM/../share/fathom,
 *   PROGRAM/share/fathom,
 *   and fathom in each folder of $XDG_DATA_DIRS (or /usr/local/share:/usr/share). */
#ifndef FATHOM_APP_ASSETS_H
#define FATHOM_APP_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

#define ASSETS_VIEWS_MAX 256 /* further views are ignored */

/* Names of views without ".fathom", each once, sorted. */
struct assets_views {
    char *names[ASSETS_VIEWS_MAX];
    size_t count;
};

void assets_list_views(struct assets_views *views);
/* Moves the views that the file "order" next to the examples names to the front, in its order. */
void assets_order_views(struct assets_views *views);
void assets_finish_views(struct assets_views *views);

/* Returns the file of the named view (not a path), or NULL if there is none. The caller frees
 * it. */
char *assets_view_path(const char *name);
/* Returns how many views a remembered name may mean. Case, blanks, dashes and underscores do not
 * matter; the beginning of the name, or of a word in it, is enough. A complete name means only
 * that view. *names, which the caller frees, contains the names with ", " between them; it is
 * NULL if there are none, or no memory. */
int assets_match_view(const char *word, char **names);
/* Returns the view whose name is nearest to a misspelt one, or NULL. The caller frees it. */
char *assets_similar_view(const char *name);
/* Returns the first of the folders that exists, to be shown to users, or NULL. The caller frees
 * it. */
char *assets_folder(void);

#endif
