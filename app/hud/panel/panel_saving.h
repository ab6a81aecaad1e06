/* Panel saving: fills the panel's rows for saving a larger picture. */
#ifndef FATHOM_APP_HUD_PANEL_PANEL_SAVING_H
#define FATHOM_APP_HUD_PANEL_PANEL_SAVING_H

#include "app/hud/panel_model.h"

/* Fills PANEL_SAVING to PANEL_SAVE. While a picture is drawn, they show its progress and are
 * disabled. */
void panel_fill_saving(struct panel_model *panel, const struct panel_model_context *context);

#endif
