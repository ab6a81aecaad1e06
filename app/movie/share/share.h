/* Shared movies: several processes, also on several machines, make the rings and segments of one
 * movie in one work folder (app/work/work_list.h). */
#ifndef FATHOM_APP_MOVIE_SHARE_SHARE_H
#define FATHOM_APP_MOVIE_SHARE_SHARE_H

#include "app/movie/making.h"

/* Makes the rings and segments that no other process makes, until all are complete. One process
 * then joins the segments and removes the files, unless they are to be kept. The folder stays with
 * a note, by which later processes see that the movie is complete. Returns false on failure, which
 * is logged, or if stopped. */
bool share_movie(struct making *making);
/* Draws the rings of a part, and makes those of its segments whose rings are all there. Returns as
 * share_movie. */
bool share_part(struct making *making);

#endif
