/* HUD: draws numbers, panel, gallery and help over the picture with Dear ImGui; decides nothing.
 * The binding behind this header is C++. All functions run on the window's thread. */
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

/* Levels of the numbers: the location, everything, nothing. Key H cycles in this order. */
enum hud_numbers { HUD_BRIEF, HUD_ALL, HUD_NONE, HUD_NUMBERS_COUNT };

/* Lines of text, in the order on the screen. */
enum hud_line {
    LINE_PICTURE, /* time of the last complete picture and speed; or the kind of orbit density */
    LINE_COUNTS,  /* number and speed of the samples of a density picture */
    LINE_DEVICE,  /* backend and device */
    LINE_PATH,    /* way of the pixels to the screen, if it is not the usual one */
    LINE_TYPE,
    LINE_REFERENCE, /* reference orbit of a perturbed picture */
    LINE_WARNING,
    LINE_ZOOM,
    LINE_RE,
    LINE_IM,
    LINE_ANGLE,
    LINE_POINTER,  /* location of the pointer */
    LINE_FORMULA,  /* name of the formula, and fate of the orbit under the pointer */
    LINE_LIMIT,    /* iteration limit or limits */
    LINE_VERIFIED, /* result of the comparison with exact arithmetic */
    LINE_PALETTE,  /* palette or gradient */
    LINE_TONE,     /* tone of a density picture */
    LINE_LOCATION, /* brief level: re and im in one line */
    LINE_STATUS,   /* brief level: number of samples, or progress of the picture */
    LINE_OFF,      /* automatic functions that are switched off */
    LINE_COUNT,
};

/* Small picture next to the main one. */
struct hud_inset {
    uint32_t texture;        /* row 0 is the top row; 0 if there is no inset */
    int width_px, height_px; /* size on the screen */
};
struct hud_map {
    struct hud_inset inset;
    double corners[4][2]; /* screen's corners clockwise from its top left, in parts of the map */
};

/* Contents of a frame. A line of an empty text is left out. */
struct hud_model {
    enum hud_numbers numbers;
    int help;           /* page of the help, from 1; 0 if it is closed */
    bool orbit_density; /* the picture is a density picture */

    double frame_ms, frame_p99_ms;
    const float *parts_ms[FRAME_PARTS]; /* ring buffers; the oldest value is at frame_next */
    double part_ms[FRAME_PARTS];        /* medians of the ring buffers */
    double latency_ms, latency_p50_ms;  /* time from input to its frame; 0 if there was none */
    int frame_count, frame_next;
    char text[LINE_COUNT][HUD_TEXT_MAX];
    const char *hint; /* line of keys for beginners; may be NULL: none */
    double progress;  /* 0 to 1; a bar is drawn below 1 */

    bool recording;                        /* a mark shows that a path is recorded */
    bool box;                              /* the box to zoom to is drawn */
    double box_x0, box_y0, box_x1, box_y1; /* corners of the box in parts of the window */

    struct hud_map map;
    struct hud_inset julia;

    const char *messages[HUD_MESSAGES_MAX]; /* oldest first */
    int message_count;
    const struct panel_rows *panel; /* NULL if the panel is closed */
    struct collection *collection;  /* while open, replaces numbers, help and panel; may be NULL */
};

struct hud;

/* Creates the HUD in the current GL context. Returns NULL on failure, which is logged. */
struct hud *hud_create(SDL_Window *window, SDL_GLContext context);
void hud_destroy(struct hud *hud);
/* Return the versions of Dear ImGui that the program was compiled and linked with. */
const char *hud_library_compiled(void);
const char *hud_library_linked(void);
/* Passes an event to Dear ImGui, with the present rows of the panel (NULL if the panel is closed).
 * Called for every event. Returns true if a field, the panel, the gallery or a dialog takes it. */
bool hud_event(struct hud *hud, const SDL_Event *event, const struct panel_rows *panel);
/* Takes the oldest edit of the panel; the caller then owns its text. Returns false if there is
 * none. */
bool hud_take_edit(struct hud *hud, struct panel_edit *edit);
/* Returns true if the panel showed thumbnails in the last frame. */
bool hud_lists_locations(const struct hud *hud);
/* Finds a part of the last frame by its label, in any case: a row, choice or button of the panel or
 * of a dialog, or an item of the gallery. (x, y) is the point at `part` (0 to 1) of its width, in
 * SDL's window coordinates. Returns false if there is no such part. */
bool hud_find_in_panel(const struct hud *hud, const char *label, double part, double *x, double *y);
/* Returns true if the minimap of the last frame is at (x, y) in SDL's window coordinates. `across`
 * and `down` receive the position in parts of the map. */
bool hud_find_in_map(const struct hud *hud, double x, double y, double *across, double *down);
/* Returns the height of a line of text in pixels. */
int hud_text_px(double text_scale);
/* Returns the number of pages that the help had in its last frame. */
int hud_help_pages(const struct hud *hud);
/* Draws a frame over the bound framebuffer. `text_scale` is rounded so that text is crisp. */
void hud_draw(struct hud *hud, const struct hud_model *model, double text_scale);

#ifdef __cplusplus
}
#endif

#endif
