/* Gallery (G): a list of the user's own views, the examples and the recent locations, with a
 * selection. app/hud/collection_draw.cpp lays it out and draws it. */
#ifndef FATHOM_APP_GALLERY_GALLERY_H
#define FATHOM_APP_GALLERY_GALLERY_H

#include <SDL.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct recent;

enum gallery_kind { GALLERY_OWN, GALLERY_EXAMPLE, GALLERY_RECENT, GALLERY_KINDS };

struct gallery_item {
    enum gallery_kind kind;
    char *name, *note; /* UTF-8 texts below the thumbnail; the note may be "" */
    char *path;        /* file of a view; NULL for a recent location */
    char *text;        /* scene of a recent location; NULL for a view */
    char *id;          /* identity of the thumbnail; changes when the file is written again */
    int row, column;   /* place, from 0; both are 0 before gallery_lay_out */
};

/* Zero-initialised; pairs with gallery_close. */
struct gallery {
    bool open;
    struct gallery_item *items; /* sorted by kind */
    size_t count, selected;
    bool reveal;   /* the next frame scrolls to the selected item */
    int page_rows; /* number of whole rows that the last frame showed; 0 before the first frame */
};

/* Reads all items and selects the first one. Returns false if memory runs out; the reason is
 * logged. `recent` may be NULL: the gallery then has no recent locations. */
bool gallery_open(struct gallery *gallery, const struct recent *recent);
void gallery_close(struct gallery *gallery);
/* Reads all items again, after a view was saved or deleted, and keeps the selection's position.
 * Returns false as gallery_open does. */
bool gallery_refresh(struct gallery *gallery, const struct recent *recent);
/* Selects the item with this name, if there is one, and reveals the selection. */
void gallery_select(struct gallery *gallery, const char *name);
/* Gives the items places in rows of `columns`; each kind begins a row. Called once a frame. */
void gallery_lay_out(struct gallery *gallery, int columns);
/* Moves the selection by an arrow key, PageUp, PageDown, Home or End. Returns false for any other
 * key. */
bool gallery_move(struct gallery *gallery, SDL_Keycode key);

#ifdef __cplusplus
}
#endif

#endif
