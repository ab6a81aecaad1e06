/* The thumbnails that are installed with the example views, so that the gallery is complete at once: beside
 * views/NAME.fathom there is thumbnails/NAME.jpg, drawn when the views were made (assets/thumbnails.sh). Each file says
 * of which text it was drawn, and is not shown for a view that was changed since. Functions may be called from several
 * threads. */
#ifndef FATHOM_APP_GALLERY_EXAMPLE_THUMBNAIL_H
#define FATHOM_APP_GALLERY_EXAMPLE_THUMBNAIL_H

#include <stdbool.h>
#include <stdint.h>

#define EXAMPLE_THUMBNAIL_WIDTH_PX  320
#define EXAMPLE_THUMBNAIL_HEIGHT_PX 180
#define EXAMPLE_THUMBNAIL_PIXELS    (EXAMPLE_THUMBNAIL_WIDTH_PX * EXAMPLE_THUMBNAIL_HEIGHT_PX)

/* The file for the view in the file `view`, whether it is there or not. The caller frees it. NULL: no memory, or `view`
 * has no name that views have. */
char *example_thumbnail_path(const char *view);
/* False: there is none, or it is broken, or it shows something else. `rgba` has EXAMPLE_THUMBNAIL_PIXELS, top down. */
bool example_thumbnail_load(const char *view, uint32_t *rgba);
/* Writes it whole or not at all, into a folder that is there. False: logged why. */
bool example_thumbnail_store(const char *view, const uint32_t *rgba);

#endif
