/* Images that orbits are caught in (BY_IMAGE, colour_by.h): read once, and there for as long as the program is, since
 * pictures in flight have nothing but their pixels. Safe from any thread. */
#ifndef FATHOM_RENDER_FILES_TRAP_IMAGE_H
#define FATHOM_RENDER_FILES_TRAP_IMAGE_H

#include "render/colour.h"

#define TRAP_IMAGE_PATH_MAX 1023 /* bytes */
#define TRAP_IMAGES_MAX     256

struct trap_image {
    char path[TRAP_IMAGE_PATH_MAX + 1]; /* from the root */
    uint32_t
        rgba[COLOUR_IMAGE_SIZE]; /* the whole of it, with its sides' ratio, on transparent black */
};

/* The one that needs no file: a ball. Its path is "ball". */
const struct trap_image *trap_image_ball(void);
/* By its path, or "ball". A file (image.h) is read by the first who asks for it, and made smaller or larger to fit; a
 * relative path is from the working directory. NULL: logged. */
const struct trap_image *trap_image_get(const char *path);

#endif
