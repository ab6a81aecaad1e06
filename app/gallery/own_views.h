/* Views that were saved under a name: files in $XDG_DATA_HOME/fathom/views, which `fathom NAME`
 * opens. */
#ifndef FATHOM_APP_GALLERY_OWN_VIEWS_H
#define FATHOM_APP_GALLERY_OWN_VIEWS_H

#include "render/files/scene.h"

#define OWN_VIEWS_NAME_MAX 80 /* bytes */

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
/* False: logged why. */
bool own_views_delete(const char *name);
/* The file of the view of that name, whether it is there or not. The caller frees it. NULL: no
 * memory, or no home folder. */
char *own_views_path(const char *name);

#endif
