/* Field texts: a scene's settings as text that a user edits. Pure functions of a scene. */
#ifndef FATHOM_APP_EXPLORE_FIELD_TEXT_H
#define FATHOM_APP_EXPLORE_FIELD_TEXT_H

#include "render/files/setting.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns all digits: field_set of the text changes no bit. A Nebulabrot's limit is three limits.
 * The caller frees it. NULL: no memory. */
char *field_exact(const struct scene *scene, enum setting_id id);
/* Returns the same with few digits of the zoom, and with the digits of coordinates that distinguish
 * the pixels of a picture of that height. */
char *field_shown(const struct scene *scene, enum setting_id id, int height_px);

/* Sets a number from a text that was typed or pasted. White space around it, a typographic minus, a
 * degree sign, the i of an imaginary part and whole numbers with an exponent are accepted. Returns
 * false if the text is wrong: the scene is unchanged and *problem has the reason. */
bool field_set(struct scene *scene, enum setting_id id, const char *text,
               struct setting_problem *problem);

#ifdef __cplusplus
}
#endif

#endif
