/* Glances: small pictures along the way of a movie, for its colours. The work folder keeps the
 * result of each glance in a file. A movie that goes on, and processes that share a movie, read
 * these files instead of drawing the pictures again. */
#ifndef FATHOM_APP_MOVIE_GLANCE_H
#define FATHOM_APP_MOVIE_GLANCE_H

#include "app/movie/ring_source.h"

/* Result of a glance. */
struct glance {
    double frequency, colour;  /* auto_frequency.h; a frequency of 0: nothing has escaped */
    uint64_t least, most;      /* counts of escaped samples; least > most: nothing has escaped */
    struct colour_ranks ranks; /* of the picture, if the scene wants ranks */
};

/* Stores the glance at a scene's view. Draws the glance if the folder has no file of it. Returns
 * RING_TAKEN while another process draws the glance and the caller does not `insist`, and
 * RING_FAILED after a failure, which is logged, or an interrupt. */
enum ring_making glance_make(struct ring_drawing *drawing, const char *folder,
                             const struct scene *scene, bool insist, struct glance *glance);
/* Removes all glances from a work folder. */
void glance_remove_all(const char *folder);

#endif
