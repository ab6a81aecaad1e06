/* Counting without fractions and colourings: the fast kernels for jobs that need counts, or bytes
 * that a table gives for them, and nothing else. All pointers are to device memory. A launch
 * returns at once; its length is up to the caller, which passes bands of rows. */
#ifndef FATHOM_LAB_COUNT_COUNT_CUDA_H
#define FATHOM_LAB_COUNT_COUNT_CUDA_H

#include "render/frame.h"
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COUNT_CUDA_TABLE_SIZE 256

/* One band. The result is either counts or RGB; the other pointer is NULL.
 *
 * A count is the number of steps when |z|^2 >= 4 first held, at most `limit`; 0 for interior
 * pixels. Bit for bit those of the arithmetic asked for, provided that every coordinate is 0 or not
 * tiny: at least 1e-250 in size for doubles, 1e-25 for floats (a subnormal 2 zr zi would be rounded
 * once less). */
struct count_cuda_args {
    const void *re, *im;  /* of the columns, `width` numbers of the type; of the rows, `rows` */
    uint32_t width, rows; /* width * rows < 2^32 */
    uint32_t limit;       /* 0 .. FRAME_LIMIT_MAX */
    unsigned shortcuts;   /* SHORTCUTS_CARDIOID is heeded, others are not */
    uint32_t *count;      /* out, width * rows */
    uint8_t *rgb;         /* out, 3 * width * rows bytes without padding; 4-byte aligned */
    const uint32_t
        *table; /* for rgb: 0xBBGGRR by count, COUNT_CUDA_TABLE_SIZE; larger counts take entry 0 */
};

cudaError_t count_cuda_launch(enum number_type type, enum arithmetic arithmetic,
                              const struct count_cuda_args *args, cudaStream_t stream);
/* Loads the code, which the runtime would otherwise leave to the first launch. */
cudaError_t count_cuda_load(void);

#ifdef __cplusplus
}
#endif

#endif
