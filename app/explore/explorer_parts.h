/* Functions that only the explorer's own files share: its actions (explorer_actions.c) and its
 * settings (explorer_settings.c). */
#ifndef FATHOM_APP_EXPLORE_EXPLORER_PARTS_H
#define FATHOM_APP_EXPLORE_EXPLORER_PARTS_H

#include "app/explore/explorer.h"

/* Refusals of actions and settings that only Buddhabrot view has, or does not have. */
#define EXPLORER_ONLY_DENSITY "only in Buddhabrot view (D switches to it)"
#define EXPLORER_NOT_DENSITY  "not in Buddhabrot view (D switches back)"

/* Returns true if the target is the fractal's home view. */
bool explorer_is_home(const struct explorer *explorer);

/* Returns the setting that an action on `id` changes: the palette's keys change the gradient in
 * Buddhabrot view. */
enum setting_id explorer_setting_of(const struct explorer *explorer, enum setting_id id);
/* Returns why the setting has no effect in the present view, as static text, or NULL if it has
 * one. */
const char *explorer_setting_useless(const struct explorer *explorer, enum setting_id id);
/* Steps the setting, or chooses its value with that index, and updates everything that depends on
 * it. */
void explorer_step_setting(struct explorer *explorer, enum setting_id id, double steps);
void explorer_choose_setting(struct explorer *explorer, enum setting_id id, int index);
/* Returns the key by which consecutive changes of the setting join into one undo step, as in
 * history_add. 0: never. */
int explorer_undo_key(enum setting_id id);

#endif
