/* What all files of kernels share: how they are launched and loaded. */
#ifndef FATHOM_CUDA_LAUNCH_CUH
#define FATHOM_CUDA_LAUNCH_CUH

#include "cuda/kernels.h"

/* `arguments` are those of the kernel. */
static inline enum device_error launch_kernel(const void *kernel, dim3 blocks, uint32_t threads,
                                              void **arguments, struct device_queue *queue) {
    return cuda_device_error(
        cudaLaunchKernel(kernel, blocks, dim3(threads), arguments, 0, (cudaStream_t)queue));
}

/* Loads kernels' code, which the runtime would otherwise leave to the first launch. */
static inline cudaError_t load_kernels(const void *const *kernels, size_t count) {
    struct cudaFuncAttributes attributes;
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < count && error == cudaSuccess; i++)
        error = cudaFuncGetAttributes(&attributes, kernels[i]);
    return error;
}

#endif
