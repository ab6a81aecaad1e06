/* From samples to pixels. */

INLINE void shade_colouring(const struct opencl_shades *shades, enum colour_mapping mapping,
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

/* In kernels that iterate: see shades_apart of gpu/escape/shades.h. */
INLINE uint shade(const struct opencl_shades *shades, const GLOBAL uint *table, uint count,
                  float fraction) {
    struct colouring colouring;
    shade_colouring(shades, MAPPING_LINEAR, &colouring);
    return colour_ranked(&colouring, table, (const GLOBAL uint *)0, count, fraction);
}
