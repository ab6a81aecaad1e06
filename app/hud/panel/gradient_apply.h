/* Palette editor: carries out edits of the panel's gradient. Each edit makes a new palette. */
#ifndef FATHOM_APP_HUD_PANEL_GRADIENT_APPLY_H
#define FATHOM_APP_HUD_PANEL_GRADIENT_APPLY_H

#include "app/explore/explorer.h"
#include "app/messages.h"

/* Last edit. Edits of the same kind that follow without a pause are one step of undo. */
struct gradient_edits {
    int item;
    char what[8];
    double time_ms; /* time of the edit by clock_ms; 0 before the first */
};

/* Carries out an edit of a row: `index` of a choice or a switch, otherwise `text`. */
void gradient_apply(struct gradient_edits *edits, struct explorer *explorer, int item, int index,
                    const char *text);
/* Saves the palette in the user's folder and selects the saved palette. */
void gradient_save(struct explorer *explorer, struct messages *messages);

#endif
