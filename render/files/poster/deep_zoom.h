/* Deep Zoom: NAME.dzi, a folder NAME_files with the tiles of each level, and NAME.html, a page that
 * shows the tiles, also from a disk. A poster is drawn in that folder first, and the tiles are cut
 * from it. An existing tile is not written again. */
#ifndef FATHOM_RENDER_FILES_POSTER_DEEP_ZOOM_H
#define FATHOM_RENDER_FILES_POSTER_DEEP_ZOOM_H

#include "render/files/image.h"
#include "render/files/poster/poster.h"

struct deep_zoom {
    int width_px, height_px;
    enum image_format format;
    int quality;                 /* as image_writer_set_quality */
    int tile_px;                 /* side of a tile without overlap */
    char *name, *folder, *store; /* NAME, NAME_files, and the poster's path in it */
};

/* Names the files of a zeroed struct for the file `path`, which ends in ".dzi". Returns false
 * without memory, which is logged. To be finished in any case. */
bool deep_zoom_init(struct deep_zoom *zoom, const char *path);
/* Returns false if the folder or the page exists without an unfinished poster, which is logged. */
bool deep_zoom_is_free(const struct deep_zoom *zoom);
/* Makes the folder if all is free. Returns false if not, or on failure; the reason is logged. */
bool deep_zoom_begin(const struct deep_zoom *zoom);
void deep_zoom_finish(struct deep_zoom *zoom);
/* Returns the size of tiles: larger for large pictures, so that there are not too many files. */
int deep_zoom_tile(int width_px, int height_px);
/* Writes the missing tiles of a poster with all levels, and then the page and NAME.dzi. Returns
 * false if stopped by `step`, or on failure, which is logged. */
bool deep_zoom_write(const struct deep_zoom *zoom, struct poster *poster, poster_step *step,
                     void *user);
/* Removes the poster of a complete picture. */
void deep_zoom_clean(const struct deep_zoom *zoom);

#endif
