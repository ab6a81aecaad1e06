/* Path: the stops of a movie with several views, and its text form.
 *
 * The text consists of stops, each of which is a header [stop] with keys of its own and then a view
 * as in view files (scene.h). The keys are optional:
 *   seconds  time from the stop before [s]; default: as long as the way takes at `speed`
 *   speed    of a zoom from the stop before [octaves/s]; default 1.5
 *   hold     time at rest at this stop [s]; default 0
 *   turns    whole turns that are added to the rotation from the stop before; default 0
 *   cycles   whole turns that are added to the change of the palette's offset; default 0
 *   view     a view file instead of the view, relative to the path file's folder
 *   style    a style, which replaces the view's colours
 * The first stop's seconds, speed, turns and cycles are ignored. A written path is read back as an
 * equal one, except that views and styles of files become a part of it. Functions are not
 * thread-safe for the same path. */
#ifndef FATHOM_APP_MOVIE_PATH_PATH_H
#define FATHOM_APP_MOVIE_PATH_PATH_H

#include "render/files/scene.h"

#define PATH_ENDING      ".fathom-path"
#define PATH_TEXT_MAX    (16 << 20) /* [bytes] longest path file */
#define PATH_STOPS_MAX   10000
#define PATH_SECONDS_MAX 86400.0 /* longest way, and longest hold */

struct path_stop {
    struct scene scene;
    double seconds, speed; /* 0: not given */
    double hold, turns, cycles;
};

/* Zero-initialised: an empty path. Owns its stops. */
struct path {
    struct path_stop *stops;
    size_t count;
};

void path_finish(struct path *path);
/* Adds a stop with a copy of a scene. Returns the stop, or NULL without memory or if the path has
 * too many stops; the reason is logged. Pointers to other stops are no longer valid. */
struct path_stop *path_add(struct path *path, const struct scene *scene);
/* Reverses the way through the stops. The frames are those of the path in reverse order, except
 * between stops of different angles that a third view joins (tour.h). */
void path_reverse(struct path *path);
/* Adds the way back from the last stop to the first, as path_reverse. Returns false as
 * path_add. */
bool path_return(struct path *path);
/* Reads a path file into an empty path. Returns false on failure, which is logged; the path is then
 * empty. */
bool path_load(struct path *path, const char *file);
/* Returns the text form, which the caller frees. Returns NULL without memory, which is logged. */
char *path_text(const struct path *path);
/* Writes the text into a new file. Returns false on failure, which is logged. */
bool path_save(const struct path *path, const char *file);
/* Returns true if a file's name has the ending of path files. */
bool path_has_ending(const char *file);

#endif
