/* Posters of `fathom render`: the files of pictures that are drawn in blocks, .tif and .dzi. */
#ifndef FATHOM_APP_STILL_POSTERS_H
#define FATHOM_APP_STILL_POSTERS_H

#include "app/still/outputs.h"

/* Returns false if the options ask a poster for something that it lacks, or another picture for
 * something that only posters have; the reason is logged. */
bool posters_check(const struct options *options);
/* Opens the poster that the options name, for the picture of a request. Returns false on failure;
 * the reason is logged. */
bool posters_open(struct outputs *outputs, const struct options *options,
                  const struct frame_req *req, const char *text);
/* Reports the memory and the disk space that this poster takes. */
void posters_tell(const struct options *options, const struct frame_req *req);
/* Joins shared blocks, unless another process does. Adds the smaller levels to a drawn poster, or
 * writes the Deep Zoom picture, and completes the file. `step` gets the done share and returns
 * false to stop; NULL: progress is shown on a terminal. Frees the poster in any case; the same
 * command continues an incomplete one. Returns false if interrupted or stopped, which the caller
 * reports, or on failure, which is logged. */
bool posters_commit(struct outputs *outputs, poster_step *step, void *user);
/* Stores what is drawn, and frees the poster. There need not be any. */
void posters_abandon(struct outputs *outputs);

#endif
