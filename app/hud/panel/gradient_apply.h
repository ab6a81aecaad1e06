/* What the panel's editor does to the palette: each edit makes another palette of it. */
#ifndef FATHOM_APP_HUD_PANEL_GRADIENT_APPLY_H
#define FATHOM_APP_HUD_PANEL_GRADIENT_APPLY_H

#include "app/explore/explorer.h"
#include "app/messages.h"

/* The last edit: those of the same kind that follow it without a rest are one step to undo. */
struct gradient_edits {
    int item;
    char what[8];
    double time_ms; /* 0: none */
};

/* Carries out an edit of a row: an index of a choice or a switch, else a text. */
void gradient_apply(struct gradient_edits *edits, struct explorer *explorer, int item, int index,
                    const char *text);
/* Keeps the palette in the user's folder and takes that one. */
void gradient_save(struct explorer *explorer, struct messages *messages);

#endif
