/* Reuse: the samples that a picture takes over from the previous one, or its initial state. Used by
 * the driver's thread. */
#ifndef FATHOM_GPU_ESCAPE_REUSE_H
#define FATHOM_GPU_ESCAPE_REUSE_H

#include "gpu/escape/device_picture.h"

/* Keeps in the buffers only samples that the request can use, final for its limit or with a state,
 * and assigns them to the request. Sets *kept if there may be any. Otherwise clears all samples and
 * the pixel buffer, except with picture->single_launch. Returns false if stopped or on failure; the
 * samples are then still valid for their own request. */
bool reuse_samples(struct device_picture *picture, bool *kept);

#endif
