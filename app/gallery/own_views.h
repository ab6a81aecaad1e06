/* Own views: files that the user has saved under a name in $XDG_DATA_HOME/fathom/views. `fathom
 * NAME` opens them. */
#ifndef FATHOM_APP_GALLERY_OWN_VIEWS_H
#define FATHOM_APP_GALLERY_OWN_VIEWS_H

#include "render/files/scene.h"
#include <time.h>

#define OWN_VIEWS_NAME_MAX 80  /* [bytes] */
#define OWN_VIEWS_MAX      256 /* maximum number of listed views */

/* Makes a name from the typed text that needs no quotes anywhere. Blanks and punctuation become
 * "-". Invalid UTF-8 and characters that cannot be printed are removed, as are dots and dashes at
 * both ends and ".fathom". Returns NULL, or the reason why the name cannot be used as a static
 * text. */
const char *own_views_name(const char *typed, char name[static OWN_VIEWS_NAME_MAX + 1]);
/* Suggests a free name that describes the view: "burning-ship-40000", "burning-ship-40000-2" and so
 * on. Returns false if all are taken. */
bool own_views_suggest(const struct scene *scene, char name[static OWN_VIEWS_NAME_MAX + 1]);
/* Returns true if there is an own view with this name. */
bool own_views_has(const char *name);

enum own_views_saved {
    OWN_VIEWS_SAVED,
    OWN_VIEWS_EXISTS, /* a view with this name exists and is unchanged */
    OWN_VIEWS_HIDES,  /* the view would hide an example with this name; nothing was written */
    OWN_VIEWS_FAILED  /* the reason is logged */
};

/* Writes the file, whole or not at all, under a name from own_views_name. Replaces a view and hides
 * an example only with `replace`. The file has no picture size because the window has its own. */
enum own_views_saved own_views_save(const char *name, const struct scene *scene, bool replace);
/* Returns false if the file cannot be deleted; the reason is logged. */
bool own_views_delete(const char *name);
/* Returns the path of the view with this name, even if there is none. The caller frees it. Returns
 * NULL if there is no home folder or no memory. */
char *own_views_path(const char *name);

/* Names of the own views, sorted by the time of writing, the newest first. */
struct own_views {
    char *names[OWN_VIEWS_MAX];
    struct timespec times[OWN_VIEWS_MAX];
    size_t count;
};
/* Lists the newest OWN_VIEWS_MAX views. The list is empty if there is no folder or no memory. Pairs
 * with own_views_finish. */
void own_views_list(struct own_views *views);
void own_views_finish(struct own_views *views);
/* Returns the index of a name, or `count` if the list does not have it. `name` may be NULL. */
size_t own_views_find(const struct own_views *views, const char *name);

#endif
