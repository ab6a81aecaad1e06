/* The panel's contents: rows made from the state of the program, and edits applied to it. */
#ifndef FATHOM_APP_HUD_PANEL_MODEL_H
#define FATHOM_APP_HUD_PANEL_MODEL_H

#include "app/explore/explorer.h"
#include "app/explore/recent.h"
#include "app/gallery/collection.h"
#include "app/hud/panel.h"
#include "app/hud/panel/gradient_apply.h"
#include "app/hud/preferences.h"
#include "app/hud/styles/wardrobe.h"
#include "app/picture/active_backend.h"
#include "app/picture/picture.h"
#include "app/still/enlarge.h"

#define PANEL_MODEL_NAMES_MAX 64

/* Zero-initialised; pairs with panel_model_finish. */
struct panel_model {
    bool open;
    struct panel_rows model;
    int items[PANEL_ITEM_COUNT]; /* of the rows, from top to bottom */
    char *shown[SETTING_COUNT];
    struct view view; /* that the shown coordinates were made for, */
    int height_px;    /* at this height; 0: there are none yet */
    struct panel_refusal {
        char *text, *why;
        char *instead_of;     /* what the field had shown */
    } refused[SETTING_COUNT]; /* what was typed and cannot be; zero: nothing was */
    const char *backends[PANEL_MODEL_NAMES_MAX];
    int backend_count;
    const char *palettes[PANEL_MODEL_NAMES_MAX];
    const uint32_t *strips[PANEL_MODEL_NAMES_MAX];
    int palette_count;
    struct gradient edited; /* that the bar shows, by place: */
    uint32_t bar[COLOUR_TABLE_SIZE];
    const uint32_t *bar_strip;
    struct gradient_edits edits;
    const char *recent[RECENT_MAX];
    uint32_t thumbnails[RECENT_MAX];
    char sizes[ENLARGE_SIZES][32], samples[ENLARGE_SAMPLES][32], saving[64];
    const char *size_names[ENLARGE_SIZES], *sample_names[ENLARGE_SAMPLES];

    struct statistics statistics; /* of the last complete picture that has them, */
    uint64_t statistics_of;       /* which is this one; 0: there was none */
    float bars[STATISTICS_BUCKETS];
    char counts[64], inside[64], least[16], most[16];
    const char *ends[2];
};

/* What the panel shows and changes; the caller's. */
struct panel_model_context {
    struct explorer *explorer;
    struct active_backend *active;
    const struct picture *picture;
    struct recent *recent; /* NULL: none are kept */
    struct messages *messages;
    struct collection *collection;
    struct enlarge *enlarge;
    struct preferences *preferences;
    struct wardrobe *wardrobe;
    bool autopilot; /* it flies, and changes these: */
    enum autopilot_changes changes;
};

void panel_model_finish(struct panel_model *panel);
/* Shows or hides the panel. */
void panel_model_toggle(struct panel_model *panel, struct active_backend *active);
/* Forgets what was typed into a field and refused. */
void panel_model_forget(struct panel_model *panel, enum setting_id id);
/* Brings the model up to date. False: no memory. */
bool panel_model_fill(struct panel_model *panel, const struct panel_model_context *context);
/* Carries out an edit of the panel; frees its text. */
void panel_model_apply(struct panel_model *panel, const struct panel_model_context *context,
                       struct panel_edit *edit);

#endif
