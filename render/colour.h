/* From a sample to a pixel: integer arithmetic only, the same bytes everywhere.
 *
 * The phase is a fixed-point number, counts in units of 2^-16; phase * frequency + offset turns
 * once round the palette's table per 2^32 * COLOUR_TABLE_SIZE, and wraps. */
#ifndef FATHOM_RENDER_COLOUR_H
#define FATHOM_RENDER_COLOUR_H

#include "render/inline.h"
#include "render/sample.h"

#define COLOUR_TABLE_BITS 12
#define COLOUR_TABLE_SIZE (1 << COLOUR_TABLE_BITS)

/* Pixels are R, G, B, A bytes in memory order, held as a little-endian uint32_t. Alpha 0: not done;
 * 255: final. */
#define COLOUR_ALPHA 0xff000000u

/* How samples are coloured. The table has COLOUR_TABLE_SIZE entries, RGBA, cyclic; it is a
 * palette's, and stays as it is for as long as anything has pictures in these colours. */
struct colouring {
    uint64_t frequency; /* see colouring_set in palette.h */
    uint64_t offset;    /* the same unit as phase * frequency */
    uint32_t interior;  /* RGBA */
    bool smooth;        /* false: the fraction is left out */
    const uint32_t *table;
};

/* `table` is passed apart because kernels keep it in faster memory. */
INLINE uint32_t colour_of(const struct colouring *colouring, const uint32_t *table, uint32_t count,
                          float fraction) {
    if (count & SAMPLE_INTERIOR)
        return colouring->interior;
    uint64_t phase = (uint64_t)count << 16;
    if (colouring->smooth)
        phase += (uint64_t)(int64_t)(int32_t)(fraction * 65536.0f);
    const uint64_t turn = phase * colouring->frequency + colouring->offset;
    return table[(turn >> 32) & (COLOUR_TABLE_SIZE - 1)];
}

#endif
