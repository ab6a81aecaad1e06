/* A scene's numbers as text that a person edits. Pure functions of a scene. */
#ifndef FATHOM_APP_EXPLORE_FIELD_TEXT_H
#define FATHOM_APP_EXPLORE_FIELD_TEXT_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scene;

enum field {
    FIELD_RE,
    FIELD_IM,
    FIELD_ZOOM,
    FIELD_ANGLE, /* degrees */
    FIELD_LIMIT, /* of a density picture with three channels: three limits */
    FIELD_FREQUENCY,
    FIELD_OFFSET,
    FIELD_LEAST, /* from here on: of density pictures */
    FIELD_EXPOSURE,
    FIELD_GAMMA,
    FIELD_COUNT
};

/* All digits: field_set of it leaves every bit as it is. The caller frees it. NULL: no memory. */
char *field_exact(const struct scene *scene, enum field field);
/* The same, but coordinates have only the digits that tell the pixels of a picture so high apart,
 * and the zoom has a few. */
char *field_shown(const struct scene *scene, enum field field, int height_px);

/* Sets a number from what a person typed or pasted; white space around it, a typographic minus, a
 * degree sign and the i of an imaginary part are no mistakes. What it leads to can be drawn. On
 * false nothing has changed and *why is a static sentence fragment ("not a decimal number"). */
bool field_set(struct scene *scene, enum field field, const char *text, const char **why);

#ifdef __cplusplus
}
#endif

#endif
