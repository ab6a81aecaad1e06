/* Path colours: colours that suit every depth of a movie and depend on counts alone, so that no
 * point changes its colour while the camera moves.
 *
 * Small pictures along all zooms show which counts appear at which depth, and which colour
 * frequency suits them. The lowest count grows with the depth. A linear mapping is replaced by one
 * that has, between the lowest counts of two depths, the frequencies that suit these. A histogram
 * mapping is joined from the pictures' histograms in the same way. So the final view keeps its own
 * colours. Other mappings, and colours by other values than counts, suit all depths as they are. */
#ifndef FATHOM_APP_MOVIE_PATH_COLOURS_H
#define FATHOM_APP_MOVIE_PATH_COLOURS_H

#include "app/movie/path/tour.h"
#include "app/movie/ring_source.h"

struct path_colours {
    struct ring_drawing *drawing; /* draws the small pictures, which drawing->list shares */
    const char *folder;           /* existing work folder, which keeps their results */
    const struct tour *tour;
    bool own; /* the frequency is to be kept at the deepest view */
};

/* Sets the colours of a scene with the size of the frames and the limit of the deepest view.
 * Returns false on failure, which is logged, or if interrupted. */
bool path_colours_find(const struct path_colours *colours, struct scene *scene);

#endif
