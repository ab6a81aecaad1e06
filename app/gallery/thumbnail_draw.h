/* Drawing of a thumbnail: anti-aliased, in the scene's own colours, with the iteration limit that
 * the view needs. */
#ifndef FATHOM_APP_GALLERY_THUMBNAIL_DRAW_H
#define FATHOM_APP_GALLERY_THUMBNAIL_DRAW_H

#include "app/gallery/thumbnail_cache.h"
#include "render/backend.h"

#define THUMBNAIL_STEPS_PER_MS 5e5 /* number of iterations that count as 1 ms of work */

struct thumbnail_drawing {
    struct backend *backend; /* belongs to the caller; no other thread uses it meanwhile */
    /* Called about every 50 ms with the work since the last call, in milliseconds of one
     * unhindered processor. Returns false if drawing is to be given up. */
    bool (*go_on)(void *user, double work_ms);
    void *user;
    int width_px, height_px;
    double density_ms; /* [ms] maximum time for counting the samples of an orbit density */
    bool adapts; /* the colours adapt to the picture as in the window; if false, only ranks do */
};

/* Draws one sample per pixel and raises the scene's limit as the automatic limit would. Counts few
 * samples of an orbit density. `rgba` has width_px * height_px pixels, top row first. Returns false
 * if drawing was given up or failed; the reason of a failure is logged. */
bool thumbnail_draw_roughly(const struct thumbnail_drawing *drawing, struct scene *scene,
                            uint32_t *rgba);
/* Draws the thumbnail with many samples and the limit of the scene. Returns as above. */
bool thumbnail_draw(const struct thumbnail_drawing *drawing, struct scene *scene, uint32_t *rgba);

#endif
