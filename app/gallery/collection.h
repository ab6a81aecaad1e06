/* Collection: the gallery, its dialogs and the bookmarks, behind one interface for the event loop.
 * app/hud/collection_draw.cpp lays out and draws the gallery and the dialogs. */
#ifndef FATHOM_APP_GALLERY_COLLECTION_H
#define FATHOM_APP_GALLERY_COLLECTION_H

#include "app/gallery/gallery.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DIALOG_TEXT_MAX  240 /* bytes */
#define DIALOG_FIELD_MAX 400 /* bytes */

struct collection;
struct explorer;
struct messages;
struct opening;
struct thumbnails;
struct title;

/* Click while a frame is laid out, on the selected item of the gallery or on a button of the
 * dialog. */
enum collection_click { COLLECTION_NOTHING, COLLECTION_ITEM, COLLECTION_YES, COLLECTION_NO };

/* Dialog with a title, perhaps a text field, an explanation, and the buttons "Cancel" and `yes`. */
struct dialog {
    bool open, has_field;
    const char *title, *yes;                       /* static texts */
    void (*answer)(struct collection *collection); /* carries out the answer `yes` */
    char field[DIALOG_FIELD_MAX + 1];
    char text[DIALOG_TEXT_MAX];
    bool warning; /* `text` reports a problem */
};

/* The caller sets the first six members and clears all others; pairs with collection_finish. */
struct collection {
    struct explorer *explorer;
    struct messages *messages;
    struct recent *recent; /* may be NULL: there are no recent locations */
    struct thumbnails *thumbnails;
    struct title *title; /* receives the names of opened views */
    struct opening *opening;

    struct gallery gallery;
    struct dialog dialog;
    enum collection_click clicked; /* the click that collection_take_click carries out next */
    char *bookmark; /* name of the own view that was saved or opened last; NULL before the first */
    double ignore_clicks_until_ms; /* time until which the second click of two is ignored */
    bool thumbnails_shown;         /* the last frame showed thumbnails */
};

void collection_finish(struct collection *collection);

/* Opens or closes the gallery. */
void collection_toggle_gallery(struct collection *collection);
/* Opens the dialog that saves the explorer's location under a name. */
void collection_ask_name(struct collection *collection);
/* Saves the location as a bookmark without a dialog. */
void collection_add_bookmark(struct collection *collection);
/* Opens the own view that is `steps` older than the last one saved or opened, or newer if `steps`
 * is negative. The list is a ring. */
void collection_go_to_bookmark(struct collection *collection, int steps);
/* Opens the recent location `i`. */
void collection_go_to_recent(struct collection *collection, size_t i);
/* Returns true if the gallery or a dialog is open. Either receives all keys and clicks. */
bool collection_open(const struct collection *collection);
/* Returns true if a dialog with a text field is open. */
bool collection_typing(const struct collection *collection);
/* Handles the keys of the gallery and the dialogs; all other events belong to Dear ImGui. Receives
 * every event first. Returns true if the event is done. */
bool collection_event(struct collection *collection, const SDL_Event *event);
/* Carries out the click of the frames since the last call. Returns true if there was any. */
bool collection_take_click(struct collection *collection);
/* Checks the text in the dialog's field and updates the explanation below the field. */
void collection_check_field(struct collection *collection);
/* Uploads finished thumbnails; called once a turn. Drawing of thumbnails pauses while `moving` (the
 * main picture is in motion). Returns true if there is something new to show. */
bool collection_update(struct collection *collection, bool moving);
/* Returns true while thumbnails on the screen are missing. */
bool collection_busy(const struct collection *collection);

/* Begins a frame of thumbnail requests; called after drawing. `shows`: the frame showed thumbnails.
 * Returns true if it is the first such frame: the panel requests its thumbnails in the next one. */
bool collection_begin_frame(struct collection *collection, bool shows);
/* Return the OpenGL texture of a thumbnail and request the thumbnail: of an item of the gallery, or
 * of a scene's text (not empty). `fleeting`: see thumbnails.h. Return 0 until the thumbnail has
 * arrived. */
uint32_t collection_texture(struct collection *collection, size_t item);
uint32_t collection_text_texture(struct collection *collection, const char *text, bool fleeting);

#ifdef __cplusplus
}
#endif

#endif
