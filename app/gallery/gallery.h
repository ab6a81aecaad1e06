/* The gallery (G): the user's own views, the examples and the recent locations as a grid of
 * thumbnails. What is in it, what is selected, and where everything lies; drawn by
 * collection_draw.cpp. Sizes are in SDL's window coordinates. */
#ifndef FATHOM_APP_GALLERY_GALLERY_H
#define FATHOM_APP_GALLERY_GALLERY_H

#include "app/gallery/dialog.h"

#ifdef __cplusplus
extern "C" {
#endif

struct recent;

enum gallery_kind { GALLERY_OWN, GALLERY_EXAMPLE, GALLERY_RECENT, GALLERY_KINDS };

struct gallery_item {
    enum gallery_kind kind;
    char *name, *note; /* what it is called, and a line about it, perhaps "" */
    char *path;        /* of a view; NULL: it is recent */
    char *text;        /* of a recent location, which is a scene's */
    char *id;          /* for its thumbnail */
    float x, y;        /* of its cell in the whole grid, whose top is 0 */
};

/* Zero-initialised; pairs with gallery_close. */
struct gallery {
    bool open;
    struct gallery_item *items; /* kind after kind */
    size_t count, selected;
    /* The layout: */
    float em, width, height; /* of text and window */
    float top;               /* where the grid begins */
    float cell_w, picture_h, cell_h;
    int note_lines; /* that the longest note takes, which the next layout leaves room for; 0 is 1 */
    int columns;
    float heading_y[GALLERY_KINDS]; /* in the grid; below 0: there is none of that kind */
    float all, scroll;              /* the grid's height, and how far it is scrolled */
    bool reveal;                    /* the next layout scrolls to what is selected */
    enum { GALLERY_FREE, GALLERY_ON_CELL, GALLERY_DRAGGED, GALLERY_ON_BAR } hand;
    float pressed_y;          /* where a button went down */
    int pointer_x, pointer_y; /* the last position known */
};

/* Reads what there is. False: no memory, logged. */
bool gallery_open(struct gallery *gallery, const struct recent *recent);
void gallery_close(struct gallery *gallery);
/* The same after something was saved or deleted; the selection stays where it is. */
bool gallery_refresh(struct gallery *gallery, const struct recent *recent);
void gallery_select(struct gallery *gallery, enum gallery_kind kind, const char *name);

void gallery_layout(struct gallery *gallery, float width, float height, float em);
/* The cell of an item in the window. False: it is out of sight. */
bool gallery_cell(const struct gallery *gallery, size_t i, struct dialog_rect *cell);
/* The scroll bar's thumb. False: everything fits. */
bool gallery_thumb(const struct gallery *gallery, struct dialog_rect *thumb);

enum gallery_wish {
    GALLERY_OTHER, /* not for the gallery */
    GALLERY_TAKEN,
    GALLERY_CHOSEN, /* go to the selected one */
    GALLERY_LEAVE,
    GALLERY_DELETE,  /* the selected one, an own view, is to be deleted */
    GALLERY_NOT_OWN, /* the selected one cannot be deleted: it is no own view */
};
enum gallery_wish gallery_event(struct gallery *gallery, const SDL_Event *event);

#ifdef __cplusplus
}
#endif

#endif
