/* Glances: small pictures along the way of a movie, for its colours. The result of each is a file in
 * the work folder, so that neither the same movie nor another process that shares it draws it
 * again. */
#ifndef FATHOM_APP_MOVIE_GLANCE_H
#define FATHOM_APP_MOVIE_GLANCE_H

#include "app/movie/ring_source.h"

/* Result of a glance. */
struct glance {
    double frequency, colour;  /* auto_frequency.h; a frequency of 0: nothing has escaped */
    uint64_t least, most;      /* counts of escaped samples; least > most: nothing has escaped */
    struct colour_ranks ranks; /* of the picture, if the scene wants ranks */
};

/* Stores the glance at a scene's view, after drawing it if the folder lacks it. Returns RING_TAKEN
 * if another process draws it, and RING_FAILED on failure, which is logged, or if interrupted. */
enum ring_making glance_make(struct ring_drawing *drawing, const char *folder,
                             const struct scene *scene, struct glance *glance);
/* Removes all glances from a work folder. */
void glance_remove_all(const char *folder);

#endif
