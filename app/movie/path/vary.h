/* Vary: a path between two stops along which settings change. */
#ifndef FATHOM_APP_MOVIE_PATH_VARY_H
#define FATHOM_APP_MOVIE_PATH_VARY_H

#include "app/movie/path/path.h"

/* Varies settings along a path of two stops. The text is NAME=FROM..TO with the name of an option,
 * or several of these separated by commas; the first stop gets FROM and the last one TO. Returns
 * false on failure, which is logged. */
bool vary_path(struct path *path, const char *text);

#endif
