/* CUDA devices: which there are, and which one to use. Nothing here makes a context but start. */
#ifndef FATHOM_CUDA_CUDA_DEVICE_H
#define FATHOM_CUDA_CUDA_DEVICE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

struct device {
    int ordinal;
    char name[256];
    uint32_t threads; /* as many as it runs at a time */
};

/* The ordinal to use when `wanted` is asked for, the fastest one for -1. Negative: none; *why is
 * then a static sentence fragment. */
int cuda_device_choose(int wanted, const char **why);
/* Fills in and starts a device, with all our code on it, for the calling thread; some hundred
 * milliseconds. */
cudaError_t device_start(struct device *device, int ordinal);

#endif
