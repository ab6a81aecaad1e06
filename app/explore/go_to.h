/* Opening another view, from a file, the clipboard or the recent locations, and copying the current
 * one. Where an image is still to come (trap_image_unanswered), nothing has changed, and no message says so. */
#ifndef FATHOM_APP_EXPLORE_GO_TO_H
#define FATHOM_APP_EXPLORE_GO_TO_H

#include "app/explore/explorer.h"
#include "app/messages.h"
#include "render/locate/locate.h"

/* Takes the colours of a palette file of any kind (import.h). False: it is none; otherwise the
 * message says what came of it. */
bool go_to_palette_file(struct explorer *explorer, const char *path, struct messages *messages);
/* The same of a picture without a view, which becomes the image that orbits are caught in. */
bool go_to_image_file(struct explorer *explorer, const char *path, struct messages *messages);
/* Goes to the view in a file. False: the view stays; a message says why. */
bool go_to_file(struct explorer *explorer, const char *path, struct messages *messages);
/* Copies the scene to the clipboard, as the text of a view file; a message says so. */
bool go_to_copy(const struct scene *scene, struct messages *messages);
/* The text in the clipboard, which SDL_free frees. NULL: there is none, as a message says. */
char *go_to_clipboard(struct messages *messages);
/* Goes to the view in a text, which `source` names in messages. False: the view stays; a message
 * says why. */
bool go_to_text(struct explorer *explorer, const char *source, const char *text,
                struct messages *messages);
/* Goes to the view that shows what was found; all but view and limit stays. */
void go_to_found(struct explorer *explorer, const struct located *found);
/* Makes a fractal the Julia set of the point under the pointer, which is told with whole limbs of precision and may
 * lie beyond what parameters may be. */
void go_to_parameter(const struct explorer *explorer, struct fractal *fractal);
/* Goes to the Julia set of the point under the pointer, or from one back to where the set itself was
 * looked at last; a step that is undone as a whole. Nothing where explorer_refusal refuses it. False: the parameter is beyond what it may be, and the view stays. */
bool go_to_julia(struct explorer *explorer);

#endif
