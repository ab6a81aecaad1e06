/* Ring wait: makes rings that others may be making. */
#ifndef FATHOM_APP_MOVIE_RING_WAIT_H
#define FATHOM_APP_MOVIE_RING_WAIT_H

#include "app/movie/ring_source.h"

/* Makes ring k as ring_source_make, or waits for it; meanwhile makes some of the rings k + step,
 * k + 2 step ..., unless step is 0. Draws a ring itself if somebody else takes too long. Returns
 * false on failure or if stopped. */
bool ring_wait(const struct ring_source *source, int k, int step, bool (*go_on)(void *user),
               void *user, ring_take *take, void *taker);

#endif
