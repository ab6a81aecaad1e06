/* CUDA devices: selection, and the implementation of gpu/device.h. */
#ifndef FATHOM_CUDA_CUDA_DEVICE_H
#define FATHOM_CUDA_CUDA_DEVICE_H

#include "gpu/device.h"
#include <cuda_runtime_api.h>

extern const struct device_impl cuda_device;

/* Returns the ordinal of the fastest `wanted` device (struct backend_options). Returns a negative
 * number if there is none, and sets *why to a static sentence fragment. Creates no context. */
int cuda_device_choose(const char *wanted, const char **why);

static inline enum device_error cuda_device_error(cudaError_t error) {
    return error == cudaErrorMemoryAllocation ? DEVICE_NO_MEMORY
           : error == cudaErrorNotReady       ? DEVICE_NOT_READY
                                              : (enum device_error)error;
}

#endif
