/* Loads kernels' code, which the runtime would otherwise leave to the first launch. */
#ifndef FATHOM_CUDA_LOAD_H
#define FATHOM_CUDA_LOAD_H

#include <cuda_runtime_api.h>
#include <stddef.h>

static inline cudaError_t load_kernels(const void *const *kernels, size_t count) {
    struct cudaFuncAttributes attributes;
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < count && error == cudaSuccess; i++)
        error = cudaFuncGetAttributes(&attributes, kernels[i]);
    return error;
}

#endif
