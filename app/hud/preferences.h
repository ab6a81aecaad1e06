/* What was switched in the window, kept in the user's state folder for the next start: a file of
 * settings (config.h), so that reading it checks it as it does those. A palette is kept unless it is
 * undone. Anti-aliasing, the automatic limit and the automatic colour frequency are kept where they
 * are switched in the panel; their keys switch them for this run alone. */
#ifndef FATHOM_APP_HUD_PREFERENCES_H
#define FATHOM_APP_HUD_PREFERENCES_H

#include "app/explore/explorer.h"
#include "app/hud/panel.h"
#include "app/options/options.h"
#include "render/palette.h"

/* Zero-initialised: nothing is kept. */
struct preferences {
    bool on;             /* they are kept at all */
    bool changed;        /* since they were read */
    unsigned kept;       /* a bit for each that was switched, now or in an earlier run, */
    unsigned kept_first; /* and before this one */
    bool panel;          /* it is open */
    char texts[PREFERENCE_COUNT][PALETTE_NAME_MAX + 1]; /* as settings have them */
    char palette_first[PALETTE_NAME_MAX + 1];           /* kept before this run */
    char shown[PALETTE_NAME_MAX + 1];                   /* the palette after the last action */
};

/* Notes a new level of the numbers; as preferences_follow. */
void preferences_follow_numbers(struct preferences *preferences, int numbers);

/* Notes whether there is a minimap; likewise. */
void preferences_follow_map(struct preferences *preferences, bool on);

/* Begins with the program's settings, and keeps what was switched earlier even where a setting now
 * overrides it. */
void preferences_begin(struct preferences *preferences, const char *const *remembered,
                       const struct explorer *explorer, bool panel);
/* To be told of each action and of each edit of the panel, after it was carried out. */
void preferences_follow(struct preferences *preferences, const struct action *action,
                        const struct explorer *explorer, bool panel);
void preferences_follow_edit(struct preferences *preferences, int item,
                             const struct explorer *explorer);
/* Sets everything to the program's defaults. */
void preferences_reset(struct preferences *preferences, struct explorer *explorer);
/* Writes them, if anything was switched. False: logged why. */
bool preferences_save(const struct preferences *preferences);

#endif
