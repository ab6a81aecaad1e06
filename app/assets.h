/* Example views: the user's, those that were installed with the program, and the source tree's when
 * it runs where it was built. They are found from where the program is, so it can be moved with
 * them:
 *   $XDG_DATA_HOME/fathom (or ~/.local/share/fathom), PROGRAM/../share/fathom,
 *   PROGRAM/share/fathom,
 *   then fathom in each folder of $XDG_DATA_DIRS (or /usr/local/share:/usr/share). */
#ifndef FATHOM_APP_ASSETS_H
#define FATHOM_APP_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

#define ASSETS_VIEWS_MAX 256 /* the rest is not found */

/* Names without ".fathom", each once, sorted. */
struct assets_views {
    char *names[ASSETS_VIEWS_MAX];
    size_t count;
};

void assets_list_views(struct assets_views *views);
/* Puts those first that the file "order" beside the examples names, in its order. */
void assets_order_views(struct assets_views *views);
void assets_finish_views(struct assets_views *views);

/* The file of the view of that name, which is no path. The caller frees it. NULL: there is none. */
char *assets_view_path(const char *name);
/* How many views `word` may mean by what a person remembers of their names: case, blanks, dashes and
 * underscores do not matter, and the beginning of the name, or of a word in it, is enough. A whole
 * name means that view alone. *names, which the caller frees, is the name of the one, several with
 * ", " between, or NULL for none (or no memory). */
int assets_match_view(const char *word, char **names);
/* The view whose name is nearest to a misspelt one; the caller frees it. NULL: none is near. */
char *assets_similar_view(const char *name);
/* The first of the folders that has views, for people to be told; the caller frees it. NULL:
 * none. */
char *assets_folder(void);

#endif
