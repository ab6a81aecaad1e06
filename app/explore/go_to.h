/* Opening another view from a file, the clipboard or a search, and copying the current one. If an
 * image is still to be read (trap_image_has_pending), the functions change nothing and post no
 * message. */
#ifndef FATHOM_APP_EXPLORE_GO_TO_H
#define FATHOM_APP_EXPLORE_GO_TO_H

#include "app/explore/explorer.h"
#include "app/messages.h"
#include "render/locate/locate.h"

/* Uses the colours of a palette file of any kind (import.h), with a message. Returns false if it is
 * no palette. */
bool go_to_palette_file(struct explorer *explorer, const char *path, struct messages *messages);
/* Uses a picture without a view as the image that traps orbits, with a message. Returns false if it
 * is no such picture. */
bool go_to_image_file(struct explorer *explorer, const char *path, struct messages *messages);
/* Goes to the view in a file. Returns false, with a message, if it cannot be read. */
bool go_to_file(struct explorer *explorer, const char *path, struct messages *messages);
/* Copies the scene to the clipboard as the text of a view file, with a message. */
bool go_to_copy(const struct scene *scene, struct messages *messages);
/* Returns the text in the clipboard, which SDL_free frees. NULL, with a message: there is none. */
char *go_to_clipboard(struct messages *messages);
/* Goes to the view in a text, whose name in messages is `source`. Returns false, with a message, if
 * it cannot be read. */
bool go_to_text(struct explorer *explorer, const char *source, const char *text,
                struct messages *messages);
/* Goes to the view of a found location; everything except view and limit stays. */
void go_to_found(struct explorer *explorer, const struct located *found);
/* Makes a fractal the Julia set of the point under the pointer, with whole limbs of precision. The
 * parameter may be outside its range. */
void go_to_parameter(const struct explorer *explorer, struct fractal *fractal);
/* Goes to the Julia set of the point under the pointer, or back to the last view of the formula's
 * set, as one undo step. Returns false if the parameter is outside its range. Call it only if
 * explorer_refusal permits the action. */
bool go_to_julia(struct explorer *explorer);

#endif
