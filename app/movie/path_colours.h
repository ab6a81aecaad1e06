/* Path colours: colours that suit every depth of a movie and depend on counts alone, so that no
 * point changes its colour while the camera moves.
 *
 * Small pictures along the leg show which counts appear at which depth, and which colour frequency
 * suits them. The lowest count grows with the depth. A linear mapping is replaced by one that has,
 * between the lowest counts of two depths, the frequencies that suit these. A histogram mapping is
 * joined from the pictures' histograms in the same way. So the final view keeps its own colours.
 * Other mappings, and colours by other values than counts, suit all depths as they are. */
#ifndef FATHOM_APP_MOVIE_PATH_COLOURS_H
#define FATHOM_APP_MOVIE_PATH_COLOURS_H

#include "app/movie/ring_source.h"

/* Sets the colours of the deep view's scene, which has the size of the frames. `own`: the frequency
 * of the deep view is to be kept. The source opens backends. Returns false on failure, which is
 * logged, or if interrupted. */
bool path_colours_find(struct ring_source *source, struct scene *scene, bool own);

#endif
