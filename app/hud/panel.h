/* The panel (L): what it shows, row by row, and what was done to it. panel_model.c decides both;
 * panel.cpp draws rows and hands edits back without knowing what they mean. */
#ifndef FATHOM_APP_HUD_PANEL_H
#define FATHOM_APP_HUD_PANEL_H

#include "app/explore/field_text.h"
#include "render/gradient/gradient.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A row is a setting of the scene (enum setting_id), or one of these. */
enum panel_item {
    PANEL_LOCATION = SETTING_COUNT, /* a section, as are the others without a note */
    PANEL_VIEWS,
    PANEL_LOCATE,
    PANEL_STYLE,
    PANEL_STYLE_DOING,
    PANEL_COLOUR,
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
    PANEL_AUTO_FREQUENCY,
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
    PANEL_HISTOGRAM,
    PANEL_SAVING,
    PANEL_SAVE_SIZE,
    PANEL_SAVE_SAMPLES,
    PANEL_SAVE_FORMAT,
    PANEL_SAVE_PROGRESS,
    PANEL_SAVE,
    PANEL_RECENTLY,
    PANEL_RECENT,
    PANEL_ITEM_COUNT
};

enum panel_kind {
    PANEL_ABSENT,
    PANEL_SECTION, /* index: 1 when it begins open */
    PANEL_FIELD,
    PANEL_SLIDER, /* beside a field */
    PANEL_CHOICE,
    PANEL_SWITCH, /* index: 1 when it is on */
    PANEL_TEXT,
    PANEL_STRIPS,   /* a choice among colours */
    PANEL_PLOT,     /* bars; two names at the ends of their axis */
    PANEL_LIST,     /* of locations to go to */
    PANEL_TILES,    /* a choice among pictures */
    PANEL_PROGRESS, /* `value`, 0 .. 1, and a text */
    PANEL_BUTTONS,  /* side by side, called by `names` */
    PANEL_NUMBER,   /* a slider alone */
    PANEL_GRADIENT, /* the bar of a gradient's stops */
    PANEL_SWATCH,   /* the colour of the stop that was chosen there */
};

/* Everything it points to stays until the next one is made. */
struct panel_row {
    enum panel_kind kind;
    const char *label, *help, *keys; /* keys: NULL, there is none */
    bool disabled;
    enum setting_id setting; /* of fields and sliders */
    const char *text;        /* what the field shows while it is not edited */
    const char *problem;     /* what is wrong with it; NULL: nothing */
    double value, low, high; /* of the slider */
    double step;             /* 0: logarithmic */
    const char *const *names;
    const uint32_t *const *strips; /* RGBA, COLOUR_TABLE_SIZE each */
    const uint32_t
        *textures; /* of `names`, in lists and tiles; 0: not there yet; NULL: none ever */
    const struct gradient *gradient; /* of those two; the bar's colours are strips[0] */
    const float *bars;               /* `count`, 0 .. 1 */
    int count, index;
    const char *const *name_keys; /* of the first `key_count` names */
    int key_count;
};

struct panel_rows {
    const struct scene *scene; /* whose exact texts fields get when they are edited */
    struct panel_row rows[PANEL_ITEM_COUNT];
    const int *items; /* of `rows`, from top to bottom */
    int item_count;
};

struct panel_edit {
    int item;
    int index; /* of choices, strips and lists; 0 or 1 of switches */
    char *
        text; /* of fields and sliders, and what is done to a gradient; the receiver frees it; NULL: the
                 * edit was given up */
};

#ifdef __cplusplus
}
#endif

#endif
