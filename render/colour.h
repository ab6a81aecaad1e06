/* Colour of a sample by its count (host and GPU): integers, and operations that every device rounds
 * equally.
 *
 * The phase is a fixed-point number: the count in units of 2^-16, which a mapping converts to
 * another phase. The product phase * frequency + offset is one turn of the palette's table per 2^32
 * * COLOUR_TABLE_SIZE, and wraps. */
#ifndef FATHOM_RENDER_COLOUR_H
#define FATHOM_RENDER_COLOUR_H

#include "render/light/colour_by.h"
#include "render/light/layers.h"
#include "render/light/mapping.h"

#define COLOUR_TABLE_BITS 12
#define COLOUR_TABLE_SIZE (1 << COLOUR_TABLE_BITS)

/* Pixels are R, G, B, A bytes in memory order, in a little-endian uint32_t. Alpha 0: not done; 255:
 * final. */
#define COLOUR_ALPHA 0xff000000u

#define COLOUR_IMAGE_SIDE 256 /* [pixels] side of images for image traps */
#define COLOUR_IMAGE_SIZE (COLOUR_IMAGE_SIDE * COLOUR_IMAGE_SIDE)

/* Settings that convert samples to colours. The table has COLOUR_TABLE_SIZE entries, RGBA, cyclic.
 * It belongs to a palette and does not change as long as any picture has these colours. */
struct colouring {
    uint64_t frequency; /* see colouring_set in palette.h */
    uint64_t offset;    /* in the unit of phase * frequency */
    uint32_t interior;  /* RGBA */
    bool smooth;        /* false: the fraction is ignored */
    enum colour_mapping mapping;
    const uint32_t *image; /* BY_IMAGE: COLOUR_IMAGE_SIZE pixels, top down; NULL: no image */
    uint32_t image_scale;  /* 256 over half the image's side in the plane, up to 2^14 */
    uint32_t by, inside;   /* enum colour_by and colour_inside, used if the plane exists */
    struct layers layers;
    struct colour_ranks ranks; /* for MAPPING_HISTOGRAM */
    const uint32_t *table;
    const uint64_t *light; /* light of the table (light_of_pixels); NULL: no layers */
};

INLINE uint64_t colour_phase(bool smooth, uint32_t count, float fraction) {
    const int32_t fine = smooth ? (int32_t)(fraction * 65536.0f) : 0;
    return ((uint64_t)count << 16) + (uint64_t)(int64_t)fine;
}

/* Returns the index of a mapped phase in the table. */
INLINE uint32_t colour_entry(const struct colouring *colouring, uint64_t mapped) {
    const uint64_t turn = mapped * colouring->frequency + colouring->offset;
    return (uint32_t)(turn >> 32) & (COLOUR_TABLE_SIZE - 1);
}

/* Returns the colour by the count. `table` and `knot` are separate parameters because kernels keep
 * them in other memory. */
INLINE uint32_t colour_ranked(const struct colouring *colouring, const GLOBAL uint32_t *table,
                              const GLOBAL uint32_t *knot, uint32_t count, float fraction) {
    if (count & SAMPLE_INTERIOR)
        return colouring->interior;
    uint64_t phase = colour_phase(colouring->smooth, count, fraction);
    if (colouring->mapping == MAPPING_SQRT)
        phase = colour_map_sqrt(phase);
    else if (colouring->mapping == MAPPING_LOG)
        phase = colour_map_log(phase);
    else if (colouring->mapping == MAPPING_HISTOGRAM)
        phase = colour_map_ranks(knot, phase);
    return table[colour_entry(colouring, phase)];
}

#ifndef __OPENCL_C_VERSION__ /* ranks are in other memory there */
INLINE uint32_t colour_of(const struct colouring *colouring, const uint32_t *table, uint32_t count,
                          float fraction) {
    return colour_ranked(colouring, table, colouring->ranks.knot, count, fraction);
}
#endif

#endif
