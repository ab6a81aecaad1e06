/* Undo steps of the explorer: records changes and restores states. Part of the explorer. */
#ifndef FATHOM_APP_EXPLORE_UNDO_STEPS_H
#define FATHOM_APP_EXPLORE_UNDO_STEPS_H

#include "app/explore/explorer.h"

/* Begins a step, before a change. */
void steps_begin(struct explorer *explorer);
/* Copies the explorer's state into uninitialised memory, before a change that may change
 * nothing. */
void steps_remember(const struct explorer *explorer, struct history_state *before);
/* Adds the change since then as a step, if there is one, and frees the copy. */
void steps_end(struct explorer *explorer, struct history_state *before, int what);
/* Undoes the last step, or redoes the next one if `amount` is negative. The screen moves there if
 * it is near. */
void steps_undo(struct explorer *explorer, double amount);
/* Undoes the last step without motion. Returns false if there is none. */
bool steps_undo_at_once(struct explorer *explorer);
/* Replaces the awaited image of that path (trap_image.h) in the scene and in all steps. That is no
 * step. */
void steps_put_image(struct explorer *explorer, const char *path, const struct trap_image *image);
/* Returns the palette of the last step that changed the palette and not the view, as a choice does.
 * The history or the scene owns it. NULL: there is none. */
const struct palette *steps_chosen_palette(const struct explorer *explorer);

#endif
