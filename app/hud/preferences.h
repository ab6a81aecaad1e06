/* Preferences: what was switched in the window, stored in the user's state folder for the next
 * start. The file has the form of settings (config.h), so that reading checks it in the same
 * way. An undone palette is not stored. Anti-aliasing, the automatic limit and the automatic
 * colour frequency are stored if they are switched in the panel; their keys apply to this run
 * only. */
#ifndef FATHOM_APP_HUD_PREFERENCES_H
#define FATHOM_APP_HUD_PREFERENCES_H

#include "app/explore/explorer.h"
#include "app/hud/panel.h"
#include "app/options/options.h"
#include "render/palette.h"

/* Zero-initialised: nothing is stored. */
struct preferences {
    bool on;             /* preferences are stored */
    bool changed;        /* something was switched since the start */
    unsigned kept;       /* a bit for each one that was switched in this run or an earlier one */
    unsigned kept_first; /* `kept` at the start of this run */
    bool panel;          /* the panel is open */
    char texts[PREFERENCE_COUNT][PALETTE_NAME_MAX + 1]; /* values in the form of settings */
    char palette_first[PALETTE_NAME_MAX + 1];           /* palette at the start of this run */
    char shown[PALETTE_NAME_MAX + 1];                   /* palette after the last action */
};

/* Notes a new level of the numbers. */
void preferences_follow_numbers(struct preferences *preferences, int numbers);

/* Notes whether the minimap is shown. */
void preferences_follow_map(struct preferences *preferences, bool on);

/* Starts with the program's settings. Preferences of earlier runs are kept even if a setting
 * overrides them now. */
void preferences_begin(struct preferences *preferences, const char *const *remembered,
                       const struct explorer *explorer, bool panel);
/* Note the effects of an action, and of an edit of the panel; called after each one was applied. */
void preferences_follow(struct preferences *preferences, const struct action *action,
                        const struct explorer *explorer, bool panel);
void preferences_follow_edit(struct preferences *preferences, int item,
                             const struct explorer *explorer);
/* Sets everything to the program's defaults. */
void preferences_reset(struct preferences *preferences, struct explorer *explorer);
/* Writes the preferences if anything was switched. Returns false on failure, which is logged. */
bool preferences_save(const struct preferences *preferences);

#endif
