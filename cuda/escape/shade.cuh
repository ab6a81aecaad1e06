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

/* In kernels that iterate: see shades_apart. */
INLINE uint32_t shade(const struct shades *shades, uint32_t count, float fraction) {
    return shade_by(shades, MAPPING_LINEAR, count, fraction);
}

/* A pixel of a sample with all planes, and its layers. */
INLINE uint32_t shade_layers(const struct shades *shades, const struct planes *planes,
                             size_t pixel) {
    const uint32_t count = planes->count[pixel];
    const uint32_t rgba =
        shade_by(shades, (enum colour_mapping)shades->mapping, count, planes->fraction[pixel]);
    if (!planes->distance || count & SAMPLE_INTERIOR || !layers_any(&shades->layers))
        return rgba;
    return layers_over(&shades->layers, shades->table + COLOUR_TABLE_SIZE, rgba,
                       planes->distance[pixel], planes->normal[pixel], planes->angle[pixel]);
}

#endif
