/* The laboratory's kernels as the host sees them. All pointers are to device memory. Launches
 * return at once, in the default stream. */
#ifndef FATHOM_LAB_GPU_GPU_KERNELS_H
#define FATHOM_LAB_GPU_GPU_KERNELS_H

#include "lab/gpu/gpu.h"
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A band of rows; numbers are of the job's type. */
struct gpu_band {
    enum gpu_number number;
    bool fused;
    const void *re, *im; /* of the columns, of the band's rows */
    uint32_t *count;     /* the band's first one */
    uint32_t width, rows;
    uint32_t row; /* the first one's number in the picture */
    uint32_t limit;
    uint32_t block_x, block_y;
    double step, first_re, first_im; /* as in struct gpu_job */
};

cudaError_t gpu_pixel_launch(const struct gpu_band *band);

#define GPU_STRIDED_THREADS 64
/* Arrays with an entry for every pixel of the band: the orbit's start and its c; out, where it
 * ended. The launch's count is what the listing's `remaining` stands for. */
struct gpu_strided_arrays {
    const void *zx, *zy, *cx, *cy;
    void *fx, *fy;
};
cudaError_t gpu_strided_launch(const struct gpu_band *band,
                               const struct gpu_strided_arrays *arrays);

#define GPU_MASKED_STEPS 32
/* The state of every pixel of the band between batches. */
struct gpu_masked_state {
    void *zr, *zi;
    uint32_t *steps;
    uint32_t *left; /* one number: set to 1 when a pixel must go on */
    bool first;     /* batch: the state is not read */
};
cudaError_t gpu_masked_launch(const struct gpu_band *band, const struct gpu_masked_state *state);

/* `typed`: the literal 2.0 is of the number's type. Only fused. */
cudaError_t gpu_paper_launch(const struct gpu_band *band, bool typed);
/* One of GPU_HYBRIDIZER_*. */
cudaError_t gpu_hybridizer_launch(enum gpu_program program, const struct gpu_band *band);

/* Seed 000; rgb has 3 * side^2 bytes, cleared for all versions but the first. block: out, a block's
 * threads in x and y. */
cudaError_t gpu_classic_launch_fused(enum gpu_classic which, int side, uint8_t *rgb, int block[2]);
cudaError_t gpu_classic_launch_unfused(enum gpu_classic which, int side, uint8_t *rgb,
                                       int block[2]);

/* a[i] += b[i], or a[i] = b[i] by GPU_COPY_KERNEL; a and b at 16-byte addresses. */
cudaError_t gpu_add_launch(enum gpu_add which, int processors, double *a, const double *b,
                           size_t elements);
/* Small whole numbers into both, so that sums are exact. */
cudaError_t gpu_add_fill(double *a, double *b, size_t elements);
/* Adds to *wrong where a is not what `runs` additions (or copies) have made of it. */
cudaError_t gpu_add_check(const double *a, size_t elements, int runs, bool copied,
                          unsigned long long *wrong);

#ifdef __cplusplus
}
#endif

#endif
