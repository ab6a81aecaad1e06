/* What the files around the laboratory's kernels share. */
#ifndef FATHOM_LAB_GPU_GPU_PRIVATE_H
#define FATHOM_LAB_GPU_GPU_PRIVATE_H

#include "lab/gpu/gpu.h"
#include <cuda_runtime_api.h>

struct gpu;

/* Pieces of device memory, kept from job to job unless it asks for fresh ones. */
enum gpu_slot {
    SLOT_RE,
    SLOT_IM,
    SLOT_RESULT,
    SLOT_ZX,
    SLOT_ZY,
    SLOT_CX,
    SLOT_CY,
    SLOT_FX,
    SLOT_FY,
    SLOT_STEPS,
    SLOT_LEFT,
    SLOT_COUNT
};

struct lab_gpu {
    struct cudaDeviceProp properties;
    int device;
    const char *wanted;
    cudaEvent_t start, stop;
    struct gpu *bench; /* NULL until it is needed */
    void *slot[SLOT_COUNT];
    size_t slot_bytes[SLOT_COUNT];
};

bool gpu_worked(cudaError_t error); /* else logs it */
/* At least so many bytes in a slot; what was in it may be lost. */
bool gpu_reserve(struct lab_gpu *gpu, enum gpu_slot slot, size_t bytes);
void gpu_release(struct lab_gpu *gpu);
/* The milliseconds since gpu->start, which has been recorded, are added to *ms once all is done. */
bool gpu_elapsed(struct lab_gpu *gpu, double *ms);
/* Adds the time since *since to *ms, and sets *since to now. */
void gpu_lap(double *since, double *ms);

#endif
