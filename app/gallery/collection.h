/* The gallery and the questions about the user's own views behind one interface for the event
 * loop. */
#ifndef FATHOM_APP_GALLERY_COLLECTION_H
#define FATHOM_APP_GALLERY_COLLECTION_H

#include "app/gallery/gallery.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct explorer;
struct messages;
struct opening;
struct thumbnails;
struct title;

/* The caller sets the first six, all others are zero; pairs with collection_finish. */
struct collection {
    struct explorer *explorer;
    struct messages *messages;
    struct recent *recent;         /* NULL: none are kept */
    struct thumbnails *thumbnails; /* NULL: none are shown */
    struct title *title;           /* told what is opened */
    struct opening *opening;       /* opens it */

    struct gallery gallery;
    struct dialog dialog;
    enum { COLLECTION_SAVE, COLLECTION_REPLACE, COLLECTION_DELETE } asked;
    char *bookmark;                /* the user's view that was kept or opened last; NULL: none */
    char *typed;                   /* the name that is to be saved over another view */
    double ignore_clicks_until_ms; /* clicks are ignored: the second of two on a thumbnail */
    bool looking;                  /* thumbnails were shown in the frame before */
};

void collection_finish(struct collection *collection);

/* Opens the gallery, or closes it. */
void collection_toggle_gallery(struct collection *collection);
/* Asks for a name to save the explorer's location under. */
void collection_ask_name(struct collection *collection);
/* Saves the location as a bookmark, asking nothing. */
void collection_keep(struct collection *collection);
/* Goes to the user's view that is `steps` older than the one that was kept or opened last, or newer,
 * from the last one to the first. */
void collection_go_to_bookmark(struct collection *collection, int steps);
/* Goes to the i-th of the recent locations. */
void collection_go_to_recent(struct collection *collection, size_t i);
/* Whether something is open that takes the keyboard and the pointer. */
bool collection_open(const struct collection *collection);
/* A text is being typed. */
bool collection_typing(const struct collection *collection);
/* To be called with every event first. True: it was meant for these alone. */
bool collection_event(struct collection *collection, const SDL_Event *event);
/* Once a turn; `moving`: the main picture is in motion, so thumbnails have to wait. True: there is
 * something new to be drawn. */
bool collection_update(struct collection *collection, bool moving);
/* Whether thumbnails on the screen are still to come. */
bool collection_busy(const struct collection *collection);

/* After drawing: `shows` says whether there were thumbnails in this frame. True: there were none in the
 * frame before, so that those of the panel are asked for in the next one. */
bool collection_begin_frame(struct collection *collection, bool shows);
/* The thumbnail of an item of the gallery, or of a recent location; 0: there is none yet. */
uint32_t collection_texture(struct collection *collection, size_t item);
uint32_t collection_recent_texture(struct collection *collection, size_t i);
/* The thumbnail of a scene's text, which is a fleeting one (thumbnails.h) and not empty. */
uint32_t collection_scene_texture(struct collection *collection, const char *text);
/* Between NewFrame and Render of Dear ImGui. (collection_draw.cpp) */
void collection_draw(struct collection *collection, float em);

#ifdef __cplusplus
}
#endif

#endif
