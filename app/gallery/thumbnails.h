/* Thumbnails of scenes, drawn or read from the cache on a thread of lower priority and shown as
 * textures. They are asked for in every frame that shows them; what was not asked for lately is
 * neither drawn nor kept.
 *
 * All functions are called from one thread, which has the GL context current. */
#ifndef FATHOM_APP_GALLERY_THUMBNAILS_H
#define FATHOM_APP_GALLERY_THUMBNAILS_H

#include "render/backend.h"

#define THUMBNAILS_MAX 128 /* at a time */

struct thumbnails;

/* What a thumbnail shows: the view in a file, or a scene's text. */
struct thumbnail_source {
    const char *path; /* NULL: it is text */
    const char *text;
    const char *id; /* tells it from all others and from what the file was before */
    bool fleeting;  /* seen small and not for long: drawn once, roughly, and not kept in the cache;
                     * its colours follow the picture as in the window */
};

/* Nothing is started before it is needed. NULL: no memory, logged. */
struct thumbnails *thumbnails_create(const struct backend_options *options);
/* Gives up what is being drawn. NULL is allowed. */
void thumbnails_destroy(struct thumbnails *thumbnails);

/* From here on, what is asked for belongs to another frame. */
void thumbnails_begin_frame(struct thumbnails *thumbnails);
/* The name of its texture, sRGB bytes, mipmapped; 0: there is none yet. */
uint32_t thumbnails_texture(struct thumbnails *thumbnails, const struct thumbnail_source *source);
/* No thumbnail is on the screen: what is being drawn is given up, and nothing is begun, until
 * something is asked for. */
void thumbnails_rest(struct thumbnails *thumbnails);
/* While set, drawing waits, because something more important is in motion. */
void thumbnails_wait(struct thumbnails *thumbnails, bool wait);
/* Takes over what was finished. True: there was something. */
bool thumbnails_upload(struct thumbnails *thumbnails);
/* Something that was asked for is still to come. */
bool thumbnails_busy(struct thumbnails *thumbnails);

#endif
