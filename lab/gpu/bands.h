/* Pictures of counts in bands of rows, on any device. */
#ifndef FATHOM_LAB_GPU_BANDS_H
#define FATHOM_LAB_GPU_BANDS_H

#include "lab/gpu/gpu.h"

#define GPU_TABLE_SIZE      256
#define GPU_STRIDED_THREADS 64
#define GPU_MASKED_STEPS    32

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

/* A device's functions. False: failed, logged why. */
struct gpu_functions {
    bool (*reserve)(void *device, enum gpu_slot slot, size_t bytes);
    void (*release)(void *device); /* all slots */
    bool (*upload)(void *device, enum gpu_slot slot, const void *from, size_t bytes);
    bool (*download)(void *device, void *to, enum gpu_slot slot, size_t bytes);
    /* Runs the job's kernel on `rows` rows from `row`, waits, and adds its time to *ms. `first`: the
     * first batch of GPU_MASKED32. */
    bool (*launch)(void *device, const struct gpu_job *job, size_t row, size_t rows, bool first,
                   double *ms);
    bool depths; /* GPU_STRIDED64 leaves a band's depths in 16 bits, one more than the counts */
};

bool gpu_run(void *device, const struct gpu_functions *functions, const struct gpu_job *job,
             struct gpu_times *times);

#endif
