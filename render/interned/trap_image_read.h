/* Reads an image, and makes it as large as those that orbits are caught in. For trap_image.c and its reader. */
#ifndef FATHOM_RENDER_INTERNED_TRAP_IMAGE_READ_H
#define FATHOM_RENDER_INTERNED_TRAP_IMAGE_READ_H

#include "render/interned/trap_image.h"

/* Fills COLOUR_IMAGE_SIZE pixels with the image in a file, its sides' ratio kept, on transparent black. It is made
 * smaller row by row, so that its size costs time and no memory: some 3 MB are needed. False: as image_take. */
bool trap_image_read(const char *path, uint32_t *rgba);
/* Reads an image whose path is from the root, and returns the caller's share of it. NULL: as image_take. */
const struct trap_image *trap_image_load(const char *path);

#endif
