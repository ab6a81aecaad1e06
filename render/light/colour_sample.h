/* From all that is known of a sample to its colour, without layers. */
#ifndef FATHOM_RENDER_LIGHT_COLOUR_SAMPLE_H
#define FATHOM_RENDER_LIGHT_COLOUR_SAMPLE_H

#include "render/colour.h"

/* The turns of a value of another plane, as of mapped * frequency + offset. */
INLINE uint64_t colour_turns(const struct colouring *colouring, const uint32_t scale,
                             uint32_t value) {
    const uint64_t golden = 0x9e3779b97f5; /* turns, 2^44 of which are one */
    if (scale == SCALE_TURN)
        return ((uint64_t)value << COLOUR_TABLE_BITS) + colouring->offset;
    if (scale == SCALE_NUMBER)
        return value * golden + colouring->offset;
    const float phase = scale == SCALE_MEAN ? bits_float(value) * 0x1p24f
                                            : float_fma(sample_log2(bits_float(value)),
                                                        12 * 65536.0f, 128 * 12 * 65536.0f);
    return (uint64_t)(uint32_t)(int32_t)phase * colouring->frequency + colouring->offset;
}

INLINE uint32_t colour_at(const uint32_t *table, uint64_t turns) {
    return table[(uint32_t)(turns >> 32) & (COLOUR_TABLE_SIZE - 1)];
}

/* Whether other planes than the count decide. */
INLINE bool colour_by_planes(const struct colouring *colouring) {
    return colouring->by != BY_COUNT || colouring->inside != INSIDE_ONE;
}

/* Whether sample number i of an escaped point has a value to be coloured by, and what it is, as bits. */
INLINE bool colour_value(uint32_t by, void *const *plane, size_t i, uint32_t *value) {
    const float *distance = (const float *)plane[SAMPLE_PLANE_distance];
    const uint32_t *values = (const uint32_t *)plane[by_plane(by)];
    if (by == BY_COUNT || !values || (distance && !(distance[i] > 0.0f)))
        return false;
    *value = values[i];
    return true;
}

/* The same of an interior one. */
INLINE bool colour_value_inside(uint32_t inside, void *const *plane, size_t i, uint32_t *value) {
    const uint32_t *values =
        inside == INSIDE_ONE ? (const uint32_t *)0 : (const uint32_t *)plane[inside_plane(inside)];
    *value = values ? values[i] : 0;
    return *value > 0 && *value < 0x80000000u;
}

/* Of sample number i, by the planes that there are; without its layers. */
INLINE uint32_t colour_sample(const struct colouring *colouring, const uint32_t *table,
                              const uint32_t *knot, void *const *plane, size_t i) {
    const uint32_t count = ((const uint32_t *)plane[SAMPLE_PLANE_count])[i];
    const float *fraction = (const float *)plane[SAMPLE_PLANE_fraction];
    uint32_t value, scale = 0;
    if (count & SAMPLE_INTERIOR && colour_value_inside(colouring->inside, plane, i, &value))
        scale = inside_scale(colouring->inside);
    else if (!(count & SAMPLE_INTERIOR) && colour_value(colouring->by, plane, i, &value))
        scale = by_scale(colouring->by);
    if (scale != SCALE_COUNT)
        return colour_at(table, colour_turns(colouring, scale, value));
    return colour_ranked(colouring, table, knot, count, fraction[i]);
}

#endif
