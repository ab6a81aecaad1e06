/* Panel (L): the rows that it shows and the edits that the user makes. panel_model.c fills the rows
 * and carries out the edits; panel.cpp draws the rows and queues the edits. */
#ifndef FATHOM_APP_HUD_PANEL_H
#define FATHOM_APP_HUD_PANEL_H

#include "app/explore/field_text.h"
#include "render/gradient/gradient.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A row is a setting of the scene (enum setting_id), or one of these, in the panel's order. */
enum panel_item {
    PANEL_LOCATION = SETTING_COUNT, /* a section, as are the others without a note */
    PANEL_VIEWS,
    PANEL_LOCATE,
    PANEL_COLOUR,
    PANEL_STYLE,
    PANEL_STYLE_DOING,
    PANEL_AUTO_FREQUENCY,
    PANEL_EDITOR,
    PANEL_STOPS,
    PANEL_STOP_COLOUR,
    PANEL_INTERPOLATION,
    PANEL_MIRROR,
    PANEL_HUE,
    PANEL_SATURATION,
    PANEL_BRIGHTNESS,
    PANEL_SAVE_PALETTE,
    PANEL_PICTURE,
    PANEL_AUTO_LIMIT,
    PANEL_KIND,
    PANEL_BACKEND,
    PANEL_ANTIALIAS,
    PANEL_INERTIA,
    PANEL_AUTOPILOT,
    PANEL_CHANGES,
    PANEL_DEFAULTS,
    PANEL_STATISTICS,
    PANEL_COUNTS,
    PANEL_INSIDE,
    PANEL_VERIFIED,
    PANEL_HISTOGRAM,
    PANEL_SAVING,
    PANEL_SAVE_SIZE,
    PANEL_SAVE_DPI,
    PANEL_SAVE_SAMPLES,
    PANEL_SAVE_FORMAT,
    PANEL_SAVE_COST,
    PANEL_SAVE_PROGRESS,
    PANEL_SAVE,
    PANEL_MOVIES,
    PANEL_PATH,
    PANEL_PATH_DOING,
    PANEL_MOVIE_PROGRESS,
    PANEL_MOVIE,
    PANEL_RECENTLY,
    PANEL_RECENT,
    PANEL_ITEM_COUNT
};

enum panel_kind {
    PANEL_ABSENT,
    PANEL_SECTION, /* heading; index 1: the section is open at first */
    PANEL_FIELD,
    PANEL_SLIDER, /* slider with a field next to it */
    PANEL_CHOICE,
    PANEL_SWITCH, /* index 1: switched on */
    PANEL_TEXT,
    PANEL_PICTURES, /* choice of a strip of colours or of a thumbnail */
    PANEL_PLOT,     /* bars, with two names at the ends of their axis */
    PANEL_LIST,     /* list of locations to open */
    PANEL_PROGRESS, /* bar at `value`, 0 to 1, with a text */
    PANEL_BUTTONS,  /* row of buttons with the labels `names` */
    PANEL_NUMBER,   /* slider without a field */
    PANEL_GRADIENT, /* bar of a gradient's stops */
    PANEL_SWATCH,   /* colour of the selected stop */
};

/* Row of the panel. All pointers are valid until the rows are filled again. */
struct panel_row {
    enum panel_kind kind;
    const char *label, *help, *keys; /* keys: NULL if there are none */
    bool disabled;
    enum setting_id setting; /* setting of a field or slider */
    const char *text;        /* contents of a field that is not being edited */
    const char *problem;     /* reason why the value is refused; may be NULL: none */
    double value, low, high; /* value and range of a slider */
    double step;             /* step of a slider; 0 for a logarithmic one */
    const char *const *names;
    const uint32_t *const *strips;   /* COLOUR_TABLE_SIZE colours each (RGBA) */
    const uint32_t *textures;        /* thumbnails of `names`, 0 if missing; NULL: strips */
    const struct gradient *gradient; /* of PANEL_GRADIENT and PANEL_SWATCH; strips[0] has colours */
    const float *bars;               /* `count` heights, 0 to 1 */
    int count, index, key_count;
    const char *const *name_keys; /* keys of the first `key_count` names */
};

struct panel_rows {
    const struct scene *scene; /* source of the exact text when editing of a field begins */
    struct panel_row rows[PANEL_ITEM_COUNT];
    const int *items; /* indices of `rows` from top to bottom */
    int item_count;
};

struct panel_edit {
    int item;
    int index; /* new index of a choice, strip or list; 0 or 1 for a switch */
    /* New text, or change of a gradient, which the receiver frees. NULL: the edit was given up. */
    char *text;
};

#ifdef __cplusplus
}
#endif

#endif
