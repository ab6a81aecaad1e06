/* The heads-up display: draws a model of numbers and texts with Dear ImGui; decides nothing.
 * This header is C; the C++ of the binding is behind it. */
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

/* How much is shown: the location, everything, nothing. In the order of H. */
enum hud_numbers { HUD_BRIEF, HUD_ALL, HUD_NONE, HUD_NUMBERS_COUNT };

/* Texts, in the order in which all of them are shown. */
enum hud_line {
    LINE_PICTURE, /* time of the last complete picture, speed; or what is counted */
    LINE_COUNTS,  /* of a density picture: how many, how fast */
    LINE_DEVICE,  /* backend and device */
    LINE_PATH,    /* how the pixels get here, if not the usual way */
    LINE_TYPE,
    LINE_REFERENCE, /* of a perturbed picture */
    LINE_WARNING,
    LINE_ZOOM,
    LINE_RE,
    LINE_IM,
    LINE_ANGLE,
    LINE_POINTER, /* the location below it */
    LINE_FORMULA, /* its name, and what becomes of the orbit there */
    LINE_LIMIT,   /* of iterations; or limits */
    LINE_PALETTE, /* or gradient */
    LINE_TONE,    /* of a density picture */

    LINE_LOCATION, /* in brief: re and im in one line, */
    LINE_STATUS,   /* how many samples, or how far the picture is */
    LINE_OFF,      /* what usually goes by itself, and is switched off */
    LINE_COUNT,
};

/* A small picture beside the main one: a texture, row 0 on top, and its size on the screen. */
struct hud_inset {
    uint32_t texture; /* 0: there is none */
    int width_px, height_px;
};
/* The minimap: where the screen's corners lie in it, in parts of the map from its top left, beginning with
 * the screen's top left and clockwise. */
struct hud_map {
    struct hud_inset inset;
    double corners[4][2];
};

/* What to show; texts may be empty, then their line is left out. */
struct hud_model {
    enum hud_numbers numbers;
    int help;           /* its page, from 1; 0: none */
    bool orbit_density; /* a density picture is shown */

    double frame_ms, frame_p99_ms;
    const float *parts_ms[FRAME_PARTS]; /* rings, oldest at frame_next */
    double part_ms[FRAME_PARTS];        /* medians of those */
    double latency_ms, latency_p50_ms;  /* from input to its frame; 0: there was none */
    int frame_count, frame_next;
    char text[LINE_COUNT][HUD_TEXT_MAX];
    const char *hint; /* what to press, for beginners; NULL: none */
    double progress;  /* 0 .. 1; 1 and more: no bar */

    bool box; /* one to zoom to is drawn, between these corners in parts of the window: */
    double box_x0, box_y0, box_x1, box_y1;

    struct hud_map map;
    struct hud_inset julia;

    const char *messages[HUD_MESSAGES_MAX]; /* oldest first */
    int message_count;
    const struct panel_rows *panel; /* NULL: closed */
    /* takes the place of numbers, help and panel where it is open; NULL: none */
    struct collection *collection;
};

struct hud;

/* The context must be current. NULL: logged why. */
struct hud *hud_create(SDL_Window *window, SDL_GLContext context);
void hud_destroy(struct hud *hud);
/* Versions of Dear ImGui. */
const char *hud_library_compiled(void);
const char *hud_library_linked(void);
/* To be called for every event, with the model of the panel as it is now; NULL: closed. True: the
 * event was the HUD's: typed into a field, or an edit of the panel. */
bool hud_event(struct hud *hud, const SDL_Event *event, const struct panel_rows *panel);
/* The oldest edit of the panel that was not taken yet; its text then is the caller's. */
bool hud_take_edit(struct hud *hud, struct panel_edit *edit);
/* Whether the panel, as it was drawn last, had its list of recent locations open. */
bool hud_lists_locations(const struct hud *hud);
/* Where the panel's row, choice or button with that label (in any case) was drawn last, `part` of the
 * way across, in SDL's window coordinates. False: there was none. */
bool hud_find_in_panel(const struct hud *hud, const char *label, double part, double *x, double *y);
/* Whether the map, as it was drawn last, is at (x, y) in SDL's window coordinates; and at which part of
 * it, across and down. */
bool hud_find_in_map(const struct hud *hud, double x, double y, double *across, double *down);
/* How high a line of text is, in pixels. */
int hud_text_px(double text_scale);
/* How many pages the help has, as it was drawn last. */
int hud_help_pages(const struct hud *hud);
/* Draws over what is in the bound framebuffer. `text_scale` is rounded to what keeps text crisp. */
void hud_draw(struct hud *hud, const struct hud_model *model, double text_scale);

#ifdef __cplusplus
}
#endif

#endif
