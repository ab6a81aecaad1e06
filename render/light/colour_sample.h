/* Colour of a sample, from all of its planes, without layers. */
#ifndef FATHOM_RENDER_LIGHT_COLOUR_SAMPLE_H
#define FATHOM_RENDER_LIGHT_COLOUR_SAMPLE_H

#include "render/colour.h"
#include "render/formula/trace.h"

/* Returns the palette position of a value of another plane than the count, in the unit of mapped *
 * frequency + offset. */
INLINE uint64_t colour_turns(const struct colouring *colouring, const uint32_t scale,
                             uint32_t value) {
    const uint64_t golden = 0x9e3779b97f5; /* golden section in units of 2^-44 turns */
    if (scale == SCALE_TURN)
        return ((uint64_t)value << COLOUR_TABLE_BITS) + colouring->offset;
    if (scale == SCALE_NUMBER)
        return value * golden + colouring->offset;
    const float phase = scale == SCALE_MEAN ? bits_float(value) * 0x1p24f
                                            : float_fma(sample_log2(bits_float(value)),
                                                        12 * 65536.0f, 128 * 12 * 65536.0f);
    /* Loops over several samples also convert undefined values, whose colours are not used. */
    const int32_t whole = phase > -0x1p31f && phase < 0x1p31f ? (int32_t)phase : 0;
    return (uint64_t)(uint32_t)whole * colouring->frequency + colouring->offset;
}

INLINE uint32_t colour_at(const GLOBAL uint32_t *table, uint64_t turns) {
    return table[(uint32_t)(turns >> 32) & (COLOUR_TABLE_SIZE - 1)];
}

/* Returns true if the escaped sample i has a value to be coloured by; *value receives its bits. */
INLINE bool colour_value(uint32_t by, GLOBAL void *const *plane, size_t i, uint32_t *value) {
    const GLOBAL float *distance = (const GLOBAL float *)plane[SAMPLE_PLANE_distance];
    const GLOBAL uint32_t *values = (const GLOBAL uint32_t *)plane[by_plane(by)];
    if (by == BY_COUNT || !values || (distance && !(distance[i] > 0.0f)))
        return false;
    *value = values[i];
    return true;
}

/* Returns the same for an interior sample. */
INLINE bool colour_value_inside(uint32_t inside, GLOBAL void *const *plane, size_t i,
                                uint32_t *value) {
    const GLOBAL uint32_t *values = inside == INSIDE_ONE
                                        ? (const GLOBAL uint32_t *)0
                                        : (const GLOBAL uint32_t *)plane[inside_plane(inside)];
    *value = values ? values[i] : 0;
    return *value > 0 && *value < 0x80000000u;
}

/* Returns the pixel of an image centred at 0 for a place of the plane `caught`; COLOUR_IMAGE_SIZE
 * if the place is outside. */
INLINE uint32_t colour_image_at(const uint32_t scale, uint32_t place) {
    const int32_t re = (int16_t)(place & 0xffffu), im = (int16_t)(place >> 16);
    const uint32_t x = (uint32_t)((re * (int32_t)scale >> 16) + COLOUR_IMAGE_SIDE / 2);
    const uint32_t y = (uint32_t)(COLOUR_IMAGE_SIDE / 2 - 1 - (im * (int32_t)scale >> 16));
    const bool there = place != TRACE_NOWHERE && x < COLOUR_IMAGE_SIDE && y < COLOUR_IMAGE_SIDE;
    return there ? y * COLOUR_IMAGE_SIDE + x : COLOUR_IMAGE_SIZE;
}

/* Returns the opaque colour of a place in an image, or `otherwise` if the image is transparent
 * there. */
INLINE uint32_t colour_of_image(const struct colouring *colouring, const GLOBAL uint32_t *image,
                                uint32_t place, uint32_t otherwise) {
    const uint32_t at = colour_image_at(colouring->image_scale, place);
    const uint32_t rgba = at < COLOUR_IMAGE_SIZE ? image[at] : 0;
    return rgba >= 0x80000000u ? rgba | COLOUR_ALPHA : otherwise;
}

/* Returns the colour of sample i from the planes that exist, without layers. Tables, knots and
 * images are separate parameters because kernels keep them in other memory. */
INLINE uint32_t colour_sample(const struct colouring *colouring, const GLOBAL uint32_t *table,
                              const GLOBAL uint32_t *knot, const GLOBAL uint32_t *image,
                              GLOBAL void *const *plane, size_t i) {
    const uint32_t count = ((const GLOBAL uint32_t *)plane[SAMPLE_PLANE_count])[i];
    const GLOBAL float *fraction = (const GLOBAL float *)plane[SAMPLE_PLANE_fraction];
    uint32_t value, scale = 0;
    if (count & SAMPLE_INTERIOR && colour_value_inside(colouring->inside, plane, i, &value))
        scale = inside_scale(colouring->inside);
    else if (!(count & SAMPLE_INTERIOR) && colour_value(colouring->by, plane, i, &value))
        scale = by_scale(colouring->by);
    if (scale == SCALE_IMAGE)
        return colour_of_image(colouring, image, value,
                               colour_ranked(colouring, table, knot, count, fraction[i]));
    if (scale != SCALE_COUNT)
        return colour_at(table, colour_turns(colouring, scale, value));
    return colour_ranked(colouring, table, knot, count, fraction[i]);
}

#endif
