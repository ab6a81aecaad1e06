/* Views that were saved under a name: files in $XDG_DATA_HOME/fathom/views, which `fathom NAME`
 * opens. */
#ifndef FATHOM_APP_GALLERY_OWN_VIEWS_H
#define FATHOM_APP_GALLERY_OWN_VIEWS_H

#include "render/files/scene.h"
#include <time.h>

#define OWN_VIEWS_NAME_MAX 80  /* bytes */
#define OWN_VIEWS_MAX      256 /* that are listed */

/* Makes a name that needs no quotes anywhere out of what was typed: blanks and punctuation become
 * "-", what is not UTF-8 or cannot be printed goes, as do dots and dashes at its ends and
 * ".fathom". NULL, or why nothing is left that can be used; static text. */
const char *own_views_name(const char *typed, char name[static OWN_VIEWS_NAME_MAX + 1]);
/* A name that is free: "location-1" and so on. */
void own_views_suggest(char name[static OWN_VIEWS_NAME_MAX + 1]);
/* Whether there is an own view of that name. */
bool own_views_has(const char *name);

enum own_views_saved {
    OWN_VIEWS_SAVED,
    OWN_VIEWS_EXISTS, /* there is such a view, which stays as it was */
    OWN_VIEWS_HIDES,  /* it would hide an example of that name; nothing was written */
    OWN_VIEWS_FAILED  /* logged why */
};

/* Writes it whole or not at all, with a name from own_views_name; over one that is there, or where
 * it hides one, only with `replace`. The size of the picture is left out, because the window has
 * its own. */
enum own_views_saved own_views_save(const char *name, const struct scene *scene, bool replace);
/* The same under a free name that tells what it shows: "burning-ship-40000", after that
 * "burning-ship-40000-2" and so on. SAVED or FAILED. */
enum own_views_saved own_views_keep(const struct scene *scene,
                                    char name[static OWN_VIEWS_NAME_MAX + 1]);
/* False: logged why. */
bool own_views_delete(const char *name);
/* The file of the view of that name, whether it is there or not. The caller frees it. NULL: no
 * memory, or no home folder. */
char *own_views_path(const char *name);

/* Their names, the newest first; of more than OWN_VIEWS_MAX, the older ones are left out. */
struct own_views {
    char *names[OWN_VIEWS_MAX];
    struct timespec times[OWN_VIEWS_MAX]; /* when they were written */
    size_t count;
};
/* Empty where there is no folder, or no memory. Pairs with own_views_finish. */
void own_views_list(struct own_views *views);
void own_views_finish(struct own_views *views);
/* Where in the list; `count`: it is not in it. NULL is in none. */
size_t own_views_find(const struct own_views *views, const char *name);

#endif
