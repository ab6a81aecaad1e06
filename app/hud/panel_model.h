/* Panel: makes its rows from the state of the program, and applies edits to it. */
#ifndef FATHOM_APP_HUD_PANEL_MODEL_H
#define FATHOM_APP_HUD_PANEL_MODEL_H

#include "app/explore/explorer.h"
#include "app/explore/recent.h"
#include "app/gallery/collection.h"
#include "app/hud/panel.h"
#include "app/hud/panel/gradient_apply.h"
#include "app/hud/preferences.h"
#include "app/hud/styles/style_control.h"
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
    struct view view; /* view of the shown coordinates */
    int height_px;    /* height of the picture that they were printed for; 0: none */
    struct panel_refusal {
        char *text, *why;
        char *instead_of;     /* earlier text of the field */
    } refused[SETTING_COUNT]; /* rejected texts; zero: none */
    const char *backends[PANEL_MODEL_NAMES_MAX];
    int backend_count;
    const char *palettes[PANEL_MODEL_NAMES_MAX];
    const uint32_t *strips[PANEL_MODEL_NAMES_MAX];
    int palette_count;
    struct gradient edited; /* gradient of the bar */
    uint32_t bar[COLOUR_TABLE_SIZE];
    const uint32_t *bar_strip;
    struct gradient_edits edits;
    const char *recent[RECENT_MAX];
    uint32_t thumbnails[RECENT_MAX];
    struct panel_saving {
        char sizes[ENLARGE_SIZES][40], samples[ENLARGE_SAMPLES][12], dots[ENLARGE_RESOLUTIONS][12];
        const char *size_names[ENLARGE_SIZES], *sample_names[ENLARGE_SAMPLES];
        const char *dot_names[ENLARGE_RESOLUTIONS];
        char cost[120], progress[64];
    } saving;

    struct statistics statistics; /* of the last complete picture that has them */
    uint64_t statistics_of;       /* generation of that picture; 0: none */
    float bars[STATISTICS_BUCKETS];
    char counts[64], inside[64], least[16], most[16];
    const char *ends[2];
};

/* Path and movie, as the panel shows them. */
struct panel_movie {
    char path[100], progress[64];
    double done;
    bool recording, playing, known; /* known: there is a path */
    bool planned, making;           /* planned: the next press starts the movie */
};

/* State that the panel shows and changes; the caller owns it. */
struct panel_model_context {
    struct explorer *explorer;
    struct active_backend *active;
    const struct picture *picture;
    struct recent *recent; /* NULL: locations are not recorded */
    struct messages *messages;
    struct collection *collection;
    struct enlarge *enlarge;
    struct preferences *preferences;
    struct style_control *style_control;
    bool autopilot; /* on */
    enum autopilot_changes changes;
    const struct panel_movie *movie;
    const char *verified; /* result of the verification; "": unknown */
};

void panel_model_finish(struct panel_model *panel);
/* Shows or hides the panel. */
void panel_model_toggle(struct panel_model *panel, struct active_backend *active);
/* Forgets the rejected text of a field. */
void panel_model_forget(struct panel_model *panel, enum setting_id id);
/* Updates the rows. Returns false without memory. */
bool panel_model_fill(struct panel_model *panel, const struct panel_model_context *context);
/* Applies an edit of the panel, and frees its text. */
void panel_model_apply(struct panel_model *panel, const struct panel_model_context *context,
                       struct panel_edit *edit);

#endif
