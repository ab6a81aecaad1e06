/* What a picture takes over from the one before it, and what it starts from otherwise. It belongs to
 * the driver's thread. */
#ifndef FATHOM_CUDA_ESCAPE_KEEP_H
#define FATHOM_CUDA_ESCAPE_KEEP_H

#include "cuda/escape/deepen.h"

/* Leaves in the store only samples that the request can use, each final for its limit or with the
 * state to go on from, and makes them the request's. *kept: there may be some; otherwise, but for
 * deepen->blank, all are cleared, with the canvas. False: stopped or failed; what is there is
 * still right for the request that it was made for. */
bool keep_samples(struct deepen *deepen, bool *kept);

#endif
