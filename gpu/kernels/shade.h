/* From samples to pixels. */
#ifndef FATHOM_GPU_KERNELS_SHADE_H
#define FATHOM_GPU_KERNELS_SHADE_H

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
INLINE uint32_t shade(const struct shades *shades, const GLOBAL uint32_t *table, uint32_t count,
                      float fraction) {
    struct colouring colouring;
    shade_colouring(shades, MAPPING_LINEAR, &colouring);
    return colour_ranked(&colouring, table, (const GLOBAL uint32_t *)0, count, fraction);
}

/* A pixel of a sample with all planes, and its layers. */
INLINE uint32_t shade_layers(const struct shades *shades, const GLOBAL uint32_t *table,
                             GLOBAL void *const *plane, size_t pixel) {
    struct colouring colouring;
    shade_colouring(shades, (enum colour_mapping)shades->mapping, &colouring);
    const uint32_t rgba =
        colour_sample(&colouring, table, table + SHADES_KNOTS, table + SHADES_IMAGE, plane, pixel);
    if (!plane[SAMPLE_PLANE_distance] ||
        ((const GLOBAL uint32_t *)plane[SAMPLE_PLANE_count])[pixel] & SAMPLE_INTERIOR ||
        !layers_any(&shades->layers))
        return rgba;
    return layers_over(&shades->layers, table + COLOUR_TABLE_SIZE, rgba, plane, pixel);
}

#endif
