/* A scene's settings as text that a person edits. Pure functions of a scene. */
#ifndef FATHOM_APP_EXPLORE_FIELD_TEXT_H
#define FATHOM_APP_EXPLORE_FIELD_TEXT_H

#include "render/files/setting.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All digits: field_set of it leaves every bit as it is. A Nebulabrot's limit is three limits. The
 * caller frees it. NULL: no memory. */
char *field_exact(const struct scene *scene, enum setting_id id);
/* The same, but coordinates have only the digits that tell the pixels of a picture of that height
 * apart, and the zoom has a few. */
char *field_shown(const struct scene *scene, enum setting_id id, int height_px);

/* Sets a number from what a person typed or pasted: white space around it, a typographic minus, a
 * degree sign, the i of an imaginary part and whole numbers with an exponent are no mistakes. What
 * it leads to can be drawn. On false nothing has changed, and *problem says why. */
bool field_set(struct scene *scene, enum setting_id id, const char *text,
               struct setting_problem *problem);

#ifdef __cplusplus
}
#endif

#endif
