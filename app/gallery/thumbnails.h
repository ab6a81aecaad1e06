/* Thumbnails of scenes: a thread of lower priority draws thumbnails or reads them from the cache,
 * and the window shows textures. Every frame requests its thumbnails. Thumbnails without a request
 * in the last frames are neither drawn nor kept.
 *
 * All functions are called by one thread, on which the GL context is current. */
#ifndef FATHOM_APP_GALLERY_THUMBNAILS_H
#define FATHOM_APP_GALLERY_THUMBNAILS_H

#include "render/backend.h"

#define THUMBNAILS_MAX 128 /* number of thumbnails that are kept */

struct thumbnails;

/* Subject of a thumbnail: the view in a file, or a scene's text. */
struct thumbnail_source {
    const char *path; /* may be NULL: `text` is the subject */
    const char *text;
    const char *id; /* unique identity of the subject, which changes when its file changes */
    /* The thumbnail is shown small and not for long: it is drawn once, roughly, and not stored in
     * the cache. Its colours adapt to the picture as in the window. */
    bool fleeting;
};

/* Starts the thread at the first request. Returns NULL if memory runs out; the reason is logged. */
struct thumbnails *thumbnails_create(const struct backend_options *options);
/* Gives up the thumbnail in progress. NULL is allowed. */
void thumbnails_destroy(struct thumbnails *thumbnails);

/* Begins a new frame of requests. */
void thumbnails_begin_frame(struct thumbnails *thumbnails);
/* Requests a thumbnail and returns its texture: sRGB bytes, mipmapped. Returns 0 until the
 * thumbnail has arrived. */
uint32_t thumbnails_texture(struct thumbnails *thumbnails, const struct thumbnail_source *source);
/* Gives up the thumbnail in progress and starts none until the next request. Called if no thumbnail
 * is on the screen. */
void thumbnails_rest(struct thumbnails *thumbnails);
/* Pauses drawing while `wait` is set because something more important is in motion. */
void thumbnails_wait(struct thumbnails *thumbnails, bool wait);
/* Uploads the finished thumbnails. Returns true if there were any. */
bool thumbnails_upload(struct thumbnails *thumbnails);
/* Returns true while requested thumbnails are missing. */
bool thumbnails_busy(struct thumbnails *thumbnails);

#endif
