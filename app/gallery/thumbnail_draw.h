/* Drawing a thumbnail: anti-aliased, in the scene's own colours, with the iteration limit that the
 * view needs. */
#ifndef FATHOM_APP_GALLERY_THUMBNAIL_DRAW_H
#define FATHOM_APP_GALLERY_THUMBNAIL_DRAW_H

#include "app/gallery/thumbnail_cache.h"
#include "render/backend.h"

#define THUMBNAIL_STEPS_PER_MS 5e5 /* of iteration, that count as a millisecond of work */

struct thumbnail_drawing {
    struct backend *backend; /* the caller's; used by this thread alone meanwhile */
    /* Asked every 50 ms or so, with the work since it was asked last, in milliseconds of one
     * unhindered processor. False: the drawing is given up. */
    bool (*go_on)(void *user, double work_ms);
    void *user;
    int width_px, height_px;
    double density_ms; /* the time that counting the samples of an orbit density takes at most */
    bool adapts; /* colours follow the picture, as in the window; else only unknown ranks do */
};

/* Draws one sample of each pixel, raising the scene's limit as the automatic limit would. Of an
 * orbit density, few samples. False: given up, or logged why. `rgba` has width_px * height_px
 * pixels, top down. */
bool thumbnail_draw_roughly(const struct thumbnail_drawing *drawing, struct scene *scene,
                            uint32_t *rgba);
/* Draws it with many samples, with the limit that the scene has. */
bool thumbnail_draw(const struct thumbnail_drawing *drawing, struct scene *scene, uint32_t *rgba);

#endif
