/* Device resampler: makes frames of movies on a GPU (struct backend_resampler). */
#ifndef FATHOM_GPU_MOVIE_DEVICE_RESAMPLER_H
#define FATHOM_GPU_MOVIE_DEVICE_RESAMPLER_H

#include "gpu/slices.h"
#include "render/movie/resampler.h"

/* Creates a resampler that uses the queue of `slices`, in which no picture is in flight. Returns
 * NULL on failure, which is logged. The thread is attached to the device. */
struct device_resampler *device_resampler_create(struct slices *slices,
                                                 const struct resample_format *format);
void device_resampler_destroy(struct device_resampler *resampler);
bool device_resampler_begin(struct device_resampler *resampler, int slot,
                            const struct resample *frame, bool light);
const void *device_resampler_take(struct device_resampler *resampler, int slot);

#endif
