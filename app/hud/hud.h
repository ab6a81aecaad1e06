/* Heads-up display (HUD): draws numbers, texts and the panel with Dear ImGui from a model, and
 * makes no decisions. This header is C; the implementation is C++. */
#ifndef FATHOM_APP_HUD_HUD_H
#define FATHOM_APP_HUD_HUD_H

#include "app/gallery/collection.h"
#include "app/hud/panel.h"
#include "app/stats.h"
#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HUD_MESSAGES_MAX 4
#define HUD_TEXT_MAX     160

/* Amount of numbers: the location, everything, nothing; in the order of the key H. */
enum hud_numbers { HUD_BRIEF, HUD_ALL, HUD_NONE, HUD_NUMBERS_COUNT };

/* Lines of text, in the order of HUD_ALL. */
enum hud_line {
    LINE_PICTURE, /* time of the last complete picture, and speed; or the kind of orbits */
    LINE_COUNTS,  /* density pictures: numbers of samples and points, and speed */
    LINE_DEVICE,  /* backend and device */
    LINE_PATH,    /* unusual ways of the pixels, such as host memory */
    LINE_TYPE,
    LINE_REFERENCE, /* perturbed pictures */
    LINE_WARNING,
    LINE_ZOOM,
    LINE_RE,
    LINE_IM,
    LINE_ANGLE,
    LINE_POINTER, /* the point below the pointer */
    LINE_FORMULA, /* name of the formula, and the orbit's fate at the pointer */
    LINE_LIMIT,   /* iteration limit or limits */
    LINE_PALETTE, /* palette or gradient */
    LINE_TONE,    /* density pictures */

    LINE_LOCATION, /* HUD_BRIEF: re and im in one line */
    LINE_STATUS,   /* HUD_BRIEF: number of samples, or progress of the picture */
    LINE_OFF,      /* automatic functions that are switched off */
    LINE_COUNT,
};

/* A small picture next to the main one: a texture with row 0 on top, and its size on the screen. */
struct hud_inset {
    uint32_t texture; /* 0: none */
    int width_px, height_px;
};
/* The minimap. `corners` are those of the screen, clockwise from the top left, as shares of the
 * map from its top left. */
struct hud_map {
    struct hud_inset inset;
    double corners[4][2];
};

/* Contents of the display. Lines with empty texts are left out. */
struct hud_model {
    enum hud_numbers numbers;
    int help;           /* page of the help, from 1; 0: none */
    bool orbit_density; /* a density picture is shown */

    double frame_ms, frame_p99_ms;
    const float *parts_ms[FRAME_PARTS]; /* rings; the oldest value is at frame_next */
    double part_ms[FRAME_PARTS];        /* medians of the rings */
    double latency_ms, latency_p50_ms;  /* [ms] time from an input to its frame; 0: none */
    int frame_count, frame_next;
    char text[LINE_COUNT][HUD_TEXT_MAX];
    const char *hint; /* key to press, for beginners; NULL: none */
    double progress;  /* 0 .. 1; no bar from 1 on */

    bool box; /* a box to zoom to is drawn; its corners are shares of the window */
    double box_x0, box_y0, box_x1, box_y1;

    struct hud_map map;
    struct hud_inset julia;

    const char *messages[HUD_MESSAGES_MAX]; /* oldest first */
    int message_count;
    const struct panel_rows *panel; /* NULL: closed */
    /* An open collection replaces numbers, help and panel. May be NULL: none. */
    struct collection *collection;
};

struct hud;

/* Creates the HUD; the OpenGL context must be current. Returns NULL on failure, which is logged. */
struct hud *hud_create(SDL_Window *window, SDL_GLContext context);
void hud_destroy(struct hud *hud);
/* Return the versions of Dear ImGui. */
const char *hud_library_compiled(void);
const char *hud_library_linked(void);
/* Handles an event; called for every event with the current model of the panel (NULL: closed).
 * Returns true if the HUD consumed it: text for a field, or an edit of the panel. */
bool hud_event(struct hud *hud, const SDL_Event *event, const struct panel_rows *panel);
/* Takes the oldest edit of the panel, whose text the caller then owns. Returns false if none. */
bool hud_take_edit(struct hud *hud, struct panel_edit *edit);
/* Returns true if the panel, as drawn last, had its list of recent locations open. */
bool hud_lists_locations(const struct hud *hud);
/* Finds the panel's row, choice or button with a label (in any case), as drawn last: the position
 * at the share `part` of its width, in SDL's window coordinates. Returns false if there is none. */
bool hud_find_in_panel(const struct hud *hud, const char *label, double part, double *x, double *y);
/* Returns true if the map, as drawn last, is at (x, y) in SDL's window coordinates, and the
 * position as shares of the map. */
bool hud_find_in_map(const struct hud *hud, double x, double y, double *across, double *down);
/* Returns the height of a line of text in pixels. */
int hud_text_px(double text_scale);
/* Returns the number of pages of the help, as drawn last. */
int hud_help_pages(const struct hud *hud);
/* Draws over the bound framebuffer. `text_scale` is rounded so that text stays crisp. */
void hud_draw(struct hud *hud, const struct hud_model *model, double text_scale);

#ifdef __cplusplus
}
#endif

#endif
