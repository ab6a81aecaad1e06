/* Images that orbits are caught in (BY_IMAGE, colour_by.h).
 *
 * They are interned (interned.h): scenes have shares, pictures the pixels alone. An image is its file and what that
 * held: a file that was changed since, by the times and the size that the system tells, is read again and gives
 * another image, unless all pixels are the same. So what is shown under a path is what is there when it is asked for;
 * scenes that have the earlier one keep it. Safe from any thread. */
#ifndef FATHOM_RENDER_INTERNED_TRAP_IMAGE_H
#define FATHOM_RENDER_INTERNED_TRAP_IMAGE_H

#include "render/colour.h"
#include <stdbool.h>
#include <stddef.h>

#define TRAP_IMAGE_PATH_MAX 1023 /* bytes */
#define TRAP_IMAGE_REST_MAX 16   /* that nobody has a share of keep their pixels; 256 KiB each */

struct trap_image_reader;

struct trap_image {
    char path[TRAP_IMAGE_PATH_MAX + 1]; /* from the root */
    bool awaited; /* it stands for a file that is still to be read, and is transparent everywhere */
    /* The whole of it, with its sides' ratio, on transparent black. */
    uint32_t rgba[COLOUR_IMAGE_SIZE];
};

/* The one that needs no file: a ball. Its path is "ball"; shares of it are not counted. */
const struct trap_image *trap_image_ball(void);
/* The caller's share of an image, by its path, or "ball". A file (image.h) that was not read yet, or has changed, is
 * read now, or by the thread's reader, and made smaller or larger to fit; a relative path is from the working
 * directory. NULL: logged. With *unanswered it is not known whether there is one: it was left to the thread's reader,
 * which is not logged, or reading was stopped (image_watch_by). */
const struct trap_image *trap_image_get(const char *path, bool *unanswered);
/* One more share, one less; NULL is allowed. */
const struct trap_image *trap_image_ref(const struct trap_image *image);
void trap_image_unref(const struct trap_image *image);
/* Gives the share in *slot back and puts `image`'s there, which the caller had. */
void trap_image_replace(const struct trap_image **slot, const struct trap_image *image);
/* How many images of files have shares. */
size_t trap_image_count(void);

/* Whether a trap_image_get of this thread was unanswered since trap_image_ask_anew: for those who called what called it. */
bool trap_image_unanswered(void);
void trap_image_ask_anew(void);
/* From now on a trap_image_get of this thread that would have to read a file leaves that to `reader` and returns NULL
 * at once; it is to be called again once the reader has done it. NULL: this thread reads. */
void trap_image_leave_to(struct trap_image_reader *reader);
/* While it is on, a trap_image_get of this thread that would have to read a picture gives an image that is awaited, with
 * the picture's path. Whoever has that is to get the image that it stands for later. Returns whether it was on. */
bool trap_image_put_off(bool on);
/* Reads the image that an awaited one in *slot stands for, whatever the thread, and puts it there; the ball where it
 * cannot be read, which is logged. */
void trap_image_settle(const struct trap_image **slot);

#endif
