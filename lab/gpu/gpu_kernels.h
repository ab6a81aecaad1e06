/* The laboratory's device and its kernels, for the files around them. All pointers in structs are to
 * device memory. Launches return at once, in the default stream. */
#ifndef FATHOM_LAB_GPU_GPU_KERNELS_H
#define FATHOM_LAB_GPU_GPU_KERNELS_H

#include "lab/gpu/bands.h"
#include "lab/gpu/gpu_orbits.h"
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

struct lab_gpu {
    struct cudaDeviceProp properties;
    int device;
    cudaEvent_t start, stop;
    void *pinned; /* NULL until it is asked for */
    void *slot[SLOT_COUNT];
    size_t slot_bytes[SLOT_COUNT];
};

bool gpu_worked(cudaError_t error); /* else logs it */
/* At least so many bytes in a slot; what was in it may be lost. */
bool gpu_reserve(void *gpu, enum gpu_slot slot, size_t bytes);
void gpu_release(void *gpu);
/* The milliseconds since gpu->start, which has been recorded, are added to *ms once all is done. */
bool gpu_elapsed(struct lab_gpu *gpu, double *ms);

/* A band of rows for a program; numbers are of the job's type. */
struct gpu_band {
    enum gpu_number number;
    bool fused;
    const void *re, *im; /* of the columns, of the band's rows */
    uint32_t *count;     /* the band's first one */
    uint32_t width, rows;
    uint32_t limit;
    uint32_t block_x, block_y;
    /* GPU_OURS: which shortcuts; with a table, bytes are written instead of counts. */
    unsigned shortcuts;
    const uint32_t *table;
    uint8_t *rgb;
    /* GPU_STRIDED64, in slots from SLOT_ZX on, an entry for every pixel of the band: the orbit's start
     * and its c; out, where it ended. GPU_MASKED32: SLOT_ZX, SLOT_ZY and SLOT_STEPS keep every pixel's
     * state between batches, the first of which does not read it; SLOT_LEFT is set to 1 when a pixel
     * must go on. */
    void *slot[SLOT_COUNT];
    bool first;
};

/* Bit for bit, provided that every coordinate is 0 or not tiny: at least 1e-250 in size for doubles,
 * 1e-25 for floats (a subnormal 2 zr zi would be rounded once less). width * rows < 2^32; rgb is
 * 4-byte aligned, without padding. */
cudaError_t gpu_ours_launch(const struct gpu_band *band);
/* Loads its code, which the runtime would otherwise leave to the first launch. */
cudaError_t gpu_ours_load(void);
cudaError_t gpu_modes_launch(enum gpu_program program, const struct gpu_band *band);
/* `typed`: the literal 2.0 is of the number's type. Only fused. */
cudaError_t gpu_paper_launch(const struct gpu_band *band, bool typed);
/* One of GPU_HYBRIDIZER_*. */
cudaError_t gpu_hybridizer_launch(enum gpu_program program, const struct gpu_band *band);

/* Seed 000; rgb has 3 * side^2 bytes, cleared for all versions but the first. block: out, a block's
 * threads in x and y. */
typedef cudaError_t gpu_classic_fn(enum gpu_classic which, int side, uint8_t *rgb, int block[2]);
gpu_classic_fn gpu_classic_launch_fused, gpu_classic_launch_unfused;

/* a[i] += b[i], or a[i] = b[i] by GPU_COPY_KERNEL; a and b at 16-byte addresses. */
cudaError_t gpu_add_launch(enum gpu_add which, int processors, double *a, const double *b,
                           size_t elements);
/* Small whole numbers into both, so that sums are exact. */
cudaError_t gpu_add_fill(double *a, double *b, size_t elements);
/* Adds to *wrong where a is not what `runs` additions (or copies) have made of it. */
cudaError_t gpu_add_check(const double *a, size_t elements, int runs, bool copied,
                          unsigned long long *wrong);

/* Seed 001's arrays, with an entry for every thread but for the canvas. */
struct gpu_orbits_memory {
    uint32_t *canvas;
    void *z; /* float4 */
    float *dists;
    uint32_t *counts;
    void *generators; /* of GPU_ORBITS_SELECTIVE*, made beforehand */
};
size_t gpu_orbits_generator_bytes(void); /* of one; 0: there are none */
cudaError_t gpu_orbits_launch(const struct gpu_orbits_job *job,
                              const struct gpu_orbits_memory *memory);

#define GPU_PEAK_ROUND   512 /* fused multiply-adds of one thread in a round */
#define GPU_PEAK_THREADS 256 /* of one block */
/* Runs `rounds` rounds in every thread. sink: one number of the type, never written. */
cudaError_t gpu_peak_launch(enum number_type type, int blocks, uint32_t rounds, void *sink);

#ifdef __cplusplus
}
#endif

#endif
