/* Vary: a path between two stops along which settings change. */
#ifndef FATHOM_APP_MOVIE_PATH_VARY_H
#define FATHOM_APP_MOVIE_PATH_VARY_H

#include "app/movie/path/path.h"

/* Gives the first and the last stop of a path of two the values of a text, NAME=FROM..TO with the
 * name of an option, or several of these separated by commas. Returns false on failure,
 * which is logged. */
bool vary_path(struct path *path, const char *text);

#endif
