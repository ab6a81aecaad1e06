/* From samples to pixels in kernels. */
#ifndef FATHOM_CUDA_ESCAPE_SHADE_CUH
#define FATHOM_CUDA_ESCAPE_SHADE_CUH

#include "cuda/launch.cuh"
#include "gpu/kernels.h"
#include "render/light/colour_sample.h"

/* What is read apart from the tables stays in registers. */
INLINE void shade_colouring(const struct shades *shades, enum colour_mapping mapping,
                            struct colouring *colouring) {
    colouring->frequency = shades->frequency;
    colouring->offset = shades->offset;
    colouring->interior = shades->interior;
    colouring->smooth = shades->smooth;
    colouring->mapping = mapping;
    colouring->by = shades->by;
    colouring->inside = shades->inside;
    colouring->image_scale = shades->image_scale;
}

/* In kernels that iterate: see shades_apart. */
INLINE uint32_t shade(const struct shades *shades, uint32_t count, float fraction) {
    struct colouring colouring;
    shade_colouring(shades, MAPPING_LINEAR, &colouring);
    return colour_ranked(&colouring, shades->table, (const uint32_t *)0, count, fraction);
}

/* A pixel of a sample with all planes, and its layers. */
INLINE uint32_t shade_layers(const struct shades *shades, const struct planes *planes,
                             size_t pixel) {
    struct colouring colouring;
    shade_colouring(shades, (enum colour_mapping)shades->mapping, &colouring);
    const uint32_t rgba = colour_sample(&colouring, shades->table, shades->table + SHADES_KNOTS,
                                        shades->table + SHADES_IMAGE, planes->plane, pixel);
    if (!planes->distance || planes->count[pixel] & SAMPLE_INTERIOR || !layers_any(&shades->layers))
        return rgba;
    return layers_over(&shades->layers, shades->table + COLOUR_TABLE_SIZE, rgba, planes->plane,
                       pixel);
}

#endif
