/* Trap images: images in which orbits are caught (BY_IMAGE, colour_by.h).
 *
 * They are interned (interned.h): scenes have references, pictures only the pixels. An image is
 * identified by its path and contents. A file whose times or size have changed is read again and
 * gives another image, unless all pixels are equal. So a path always gives the file's present
 * contents; scenes with the earlier image keep it. Thread-safe. */
#ifndef FATHOM_RENDER_INTERNED_TRAP_IMAGE_H
#define FATHOM_RENDER_INTERNED_TRAP_IMAGE_H

#include "render/colour.h"
#include <stdbool.h>
#include <stddef.h>

#define TRAP_IMAGE_PATH_MAX 1023 /* [bytes] longest path */
#define TRAP_IMAGE_REST_MAX 16   /* unreferenced images that keep their pixels; 256 KiB each */

struct trap_image_reader;

struct trap_image {
    char path[TRAP_IMAGE_PATH_MAX + 1]; /* absolute */
    bool awaited; /* transparent placeholder of a file that is still to be read */
    /* The whole image in its own aspect ratio, on transparent black. */
    uint32_t rgba[COLOUR_IMAGE_SIZE];
};

/* Returns the built-in image, a ball, which needs no file. Its path is "ball"; it has no reference
 * count. */
const struct trap_image *trap_image_ball(void);
/* Returns a reference to an image by its path, or to the ball for "ball". A file (image.h) that is
 * new or has changed is read now, or by the thread's reader, and scaled to fit. A relative path
 * is relative to the working directory. Returns NULL on failure, which is logged. Sets *unanswered
 * if the result is not known: the thread's reader is busy with the file, which is not logged, or
 * reading was stopped (image_set_progress). */
const struct trap_image *trap_image_get(const char *path, bool *unanswered);
/* Add and release a reference; NULL is allowed. */
const struct trap_image *trap_image_ref(const struct trap_image *image);
void trap_image_unref(const struct trap_image *image);
/* Replaces the reference in *slot, which is released, by the caller's reference to `image`. */
void trap_image_replace(const struct trap_image **slot, const struct trap_image *image);
/* Returns the number of referenced images from files. */
size_t trap_image_count(void);

/* Returns true if a trap_image_get of this thread was unanswered since trap_image_clear_pending,
 * for callers that do not call trap_image_get themselves. */
bool trap_image_has_pending(void);
void trap_image_clear_pending(void);
/* Makes this thread's trap_image_get leave the reading of files to `reader`: it returns NULL at
 * once, and is to be called again once the reader is ready. With NULL, the thread reads files
 * itself. */
void trap_image_set_reader(struct trap_image_reader *reader);
/* Switches deferred reading on or off for this thread; returns whether it was on. While it is on,
 * trap_image_get returns a placeholder with the picture's path instead of reading a picture.
 * trap_image_resolve later replaces it. */
bool trap_image_defer(bool on);
/* Reads the image that a placeholder in *slot stands for, on any thread, and replaces the
 * placeholder. Uses the ball if the image cannot be read, which is logged. */
void trap_image_resolve(const struct trap_image **slot);

#endif
