/* From samples to pixels in kernels. */
#ifndef FATHOM_CUDA_ESCAPE_SHADE_CUH
#define FATHOM_CUDA_ESCAPE_SHADE_CUH

#include "cuda/launch.cuh"
#include "gpu/kernels.h"

/* What colour_of reads apart from the table stays in registers. */
INLINE uint32_t shade_by(const struct shades *shades, enum colour_mapping mapping, uint32_t count,
                         float fraction) {
    struct colouring colouring;
    colouring.frequency = shades->frequency;
    colouring.offset = shades->offset;
    colouring.interior = shades->interior;
    colouring.smooth = shades->smooth;
    colouring.mapping = mapping;
    return colour_of(&colouring, shades->table, count, fraction);
}

/* In kernels that iterate. */
INLINE uint32_t shade(const struct shades *shades, uint32_t count, float fraction) {
    return shade_by(shades, MAPPING_LINEAR, count, fraction);
}

#endif
