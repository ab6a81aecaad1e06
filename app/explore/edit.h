/* A scene's numbers as text that a person edits. Pure functions of a scene. */
#ifndef FATHOM_APP_EXPLORE_EDIT_H
#define FATHOM_APP_EXPLORE_EDIT_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scene;

enum edit_field {
    EDIT_RE,
    EDIT_IM,
    EDIT_ZOOM,
    EDIT_ANGLE, /* degrees */
    EDIT_LIMIT, /* of a density picture with three channels: three limits */
    EDIT_DENSITY,
    EDIT_OFFSET,
    EDIT_LEAST, /* from here on: of density pictures */
    EDIT_EXPOSURE,
    EDIT_GAMMA,
    EDIT_FIELD_COUNT
};

/* All digits: edit_set of it leaves every bit as it is. The caller frees it. NULL: no memory. */
char *edit_text(const struct scene *scene, enum edit_field field);
/* The same, but coordinates have only the digits that tell the pixels of a picture so high apart, and the zoom
 * has a few. */
char *edit_shown(const struct scene *scene, enum edit_field field, int height_px);

/* Sets a number from what a person typed or pasted; white space around it, a typographic minus, a degree
 * sign and the i of an imaginary part are no mistakes. What it leads to can be drawn. On false nothing has
 * changed and *why is a static sentence fragment ("not a decimal number"). */
bool edit_set(struct scene *scene, enum edit_field field, const char *text, const char **why);

#ifdef __cplusplus
}
#endif

#endif
