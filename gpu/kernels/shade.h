/* Shading: turns samples into pixels. */
#ifndef FATHOM_GPU_KERNELS_SHADE_H
#define FATHOM_GPU_KERNELS_SHADE_H

/* Copies the members that are used in addition to the tables, so that they stay in registers. */
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

/* Returns a pixel's colour from its count and fraction, in iteration kernels. */
INLINE uint32_t shade(const struct shades *shades, const GLOBAL uint32_t *table, uint32_t count,
                      float fraction) {
    struct colouring colouring;
    shade_colouring(shades, MAPPING_LINEAR, &colouring);
    return colour_ranked(&colouring, table, (const GLOBAL uint32_t *)0, count, fraction);
}

/* Returns a pixel's colour from all planes of its sample, with layers. */
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
