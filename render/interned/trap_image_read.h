/* Reader of a trap image: reads a picture and scales it to the size of trap images. Only for
 * trap_image.c and its reader. */
#ifndef FATHOM_RENDER_INTERNED_TRAP_IMAGE_READ_H
#define FATHOM_RENDER_INTERNED_TRAP_IMAGE_READ_H

#include "render/interned/trap_image.h"

/* Fills COLOUR_IMAGE_SIZE pixels with the image in a file, in its own aspect ratio, on transparent
 * black. Scales row by row, so a large image costs time, but only about 3 MB of memory. Fails as
 * image_take. */
bool trap_image_read(const char *path, uint32_t *rgba);
/* Reads an image from an absolute path. Returns a reference, or NULL if image_take fails. */
const struct trap_image *trap_image_load(const char *path);

#endif
