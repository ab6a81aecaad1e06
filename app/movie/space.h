/* Disk space of a movie's rings. */
#ifndef FATHOM_APP_MOVIE_SPACE_H
#define FATHOM_APP_MOVIE_SPACE_H

#include "app/movie/movie.h"

/* Estimates the most space [bytes] that the rings of a movie with a tour occupy at any time. */
uint64_t space_needed(const struct movie *movie);
/* Prints that space if it is large. Returns false, logged, if the work folder's disk has less,
 * apart from the rings that are there already. */
bool space_check(const struct movie *movie);

#endif
