/* What a picture takes over from the one before it, and what it starts from otherwise. It belongs
 * to the driver's thread. */
#ifndef FATHOM_GPU_ESCAPE_REUSE_H
#define FATHOM_GPU_ESCAPE_REUSE_H

#include "gpu/escape/device_picture.h"

/* Leaves in the store only samples that the request can use, each final for its limit or with the
 * state to go on from, and makes them the request's. *kept: there may be some; otherwise, but for
 * picture->blank, all are cleared, with the pixel buffer. False: stopped or failed; what is there
 * is still right for the request that it was made for. */
bool reuse_samples(struct device_picture *picture, bool *kept);

#endif
