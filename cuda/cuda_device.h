/* CUDA devices: which there are, which one to use, and gpu/device.h on them. */
#ifndef FATHOM_CUDA_CUDA_DEVICE_H
#define FATHOM_CUDA_CUDA_DEVICE_H

#ifdef __cplusplus
extern "C" {
#endif

#include "gpu/device.h"
#include <cuda_runtime_api.h>

extern const struct device_impl cuda_device;

/* The ordinal of the fastest device among those that are `wanted` (struct backend_options). Negative: none; *why is
 * then a static sentence fragment. Makes no context. */
int cuda_device_choose(const char *wanted, const char **why);

static inline enum device_error cuda_device_error(cudaError_t error) {
    return error == cudaErrorMemoryAllocation ? DEVICE_NO_MEMORY
           : error == cudaErrorNotReady       ? DEVICE_NOT_READY
                                              : (enum device_error)error;
}

#ifdef __cplusplus
}
#endif

#endif
