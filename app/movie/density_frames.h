/* Frames of orbit density. A frame continues the counts of the frame before if only the number of
 * samples has grown; otherwise it is counted from the beginning. */
#ifndef FATHOM_APP_MOVIE_DENSITY_FRAMES_H
#define FATHOM_APP_MOVIE_DENSITY_FRAMES_H

#include "render/backend.h"
#include "render/density/density_counts.h"
#include "render/files/scene.h"

/* Zero-initialised except `open` and `user`, which the caller sets. */
struct density_frames {
    /* Opens a backend that counts orbits. Returns NULL on failure, which is logged. */
    struct backend *(*open)(void *user);
    void *user;

    struct backend *backend;
    struct density_req req; /* of the last frame */
    struct density_counts counts;
    bool begun;
};

/* Stores a frame of a scene, whose samples are set. Returns false on failure, which is logged, or
 * if interrupted. */
bool density_frames_make(struct density_frames *frames, const struct scene *scene, int width_px,
                         int height_px, uint32_t *rgba);
/* Zeroed frames are allowed. */
void density_frames_finish(struct density_frames *frames);

#endif
