/* Thumbnails of the example views, which are installed with the program so that the gallery is
 * complete at once: thumbnails/NAME.jpg belongs to views/NAME.fathom (assets/thumbnails.sh). Each
 * file stores a hash of its view's text and is ignored if the view has changed. Several threads may
 * call these functions. */
#ifndef FATHOM_APP_GALLERY_EXAMPLE_THUMBNAIL_H
#define FATHOM_APP_GALLERY_EXAMPLE_THUMBNAIL_H

#include <stdbool.h>
#include <stdint.h>

#define EXAMPLE_THUMBNAIL_WIDTH_PX  320
#define EXAMPLE_THUMBNAIL_HEIGHT_PX 180
#define EXAMPLE_THUMBNAIL_PIXELS    (EXAMPLE_THUMBNAIL_WIDTH_PX * EXAMPLE_THUMBNAIL_HEIGHT_PX)

/* Returns the path of the thumbnail for the view in the file `view`, even if the thumbnail does
 * not exist. The caller frees it. Returns NULL if memory runs out or `view` does not end in
 * ".fathom". */
char *example_thumbnail_path(const char *view);
/* Loads EXAMPLE_THUMBNAIL_PIXELS pixels, top row first. Returns false if the file is missing or
 * broken or shows another view. */
bool example_thumbnail_load(const char *view, uint32_t *rgba);
/* Writes the file, whole or not at all, into a folder that exists. Returns false if writing fails;
 * the reason is logged. */
bool example_thumbnail_store(const char *view, const uint32_t *rgba);

#endif
