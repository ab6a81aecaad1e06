/* The explorer's steps to undo: what one is, and the way back and forward. Part of the explorer. */
#ifndef FATHOM_APP_EXPLORE_UNDO_STEPS_H
#define FATHOM_APP_EXPLORE_UNDO_STEPS_H

#include "app/explore/explorer.h"

/* A change is about to be made, which is a step; as history_add has `what`. */
void steps_begin(struct explorer *explorer, int what);
/* Fills an uninitialised copy of the explorer's state, before a change that may come to nothing. */
void steps_remember(const struct explorer *explorer, struct history_state *before);
/* Adds the change since then as a step, if anything is different, and frees the copy. */
void steps_end(struct explorer *explorer, struct history_state *before, int what);
/* Takes the last step back, or makes the next undone one again where `amount` is negative. The
 * screen moves there where it is near. */
void steps_go_back(struct explorer *explorer, double amount);
/* Takes the last step back at once. False: there is none. */
bool steps_take_back(struct explorer *explorer);
/* Puts an image in the place of the awaited one of that path (trap_image.h), in the scene and in all steps; none of that
 * is a step. */
void steps_put_image(struct explorer *explorer, const char *path, const struct trap_image *image);
/* The palette of the last step that changed the palette and not the view, as a choice does; NULL:
 * there is none. The history's or the scene's. */
const struct palette *steps_chosen_palette(const struct explorer *explorer);

#endif
