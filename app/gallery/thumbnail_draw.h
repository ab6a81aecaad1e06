/* Drawing a thumbnail: anti-aliased, in the scene's own colours, with the iteration limit that the
 * view needs. */
#ifndef FATHOM_APP_GALLERY_THUMBNAIL_DRAW_H
#define FATHOM_APP_GALLERY_THUMBNAIL_DRAW_H

#include "app/gallery/thumbnail_cache.h"
#include "render/backend.h"

struct thumbnail_drawing {
    struct backend *backend;   /* the caller's; used by this thread alone meanwhile */
    bool (*go_on)(void *user); /* asked every 50 ms or so; false: it is given up */
    void *user;
};

/* Draws one sample of each pixel, raising the scene's limit as the automatic limit would. Of an
 * orbit density, few samples. False: given up, or logged why. `rgba` has THUMBNAIL_PIXELS. */
bool thumbnail_draw_roughly(const struct thumbnail_drawing *drawing, struct scene *scene,
                            uint32_t *rgba);
/* Draws it with many samples, with the limit that the scene has. */
bool thumbnail_draw(const struct thumbnail_drawing *drawing, const struct scene *scene,
                    uint32_t *rgba);

#endif
