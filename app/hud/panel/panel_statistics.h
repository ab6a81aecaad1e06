/* Panel statistics: fills the panel's rows about the last complete picture. */
#ifndef FATHOM_APP_HUD_PANEL_PANEL_STATISTICS_H
#define FATHOM_APP_HUD_PANEL_PANEL_STATISTICS_H

#include "app/hud/panel_model.h"

/* Fills PANEL_STATISTICS to PANEL_HISTOGRAM; they are absent if there are no statistics. */
void panel_fill_statistics(struct panel_model *panel, const struct panel_model_context *context);

#endif
