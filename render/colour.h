/* From a sample to a pixel: integers, and operations that are rounded the same everywhere.
 *
 * The phase is a fixed-point number, counts in units of 2^-16, and mapped to another; that times
 * frequency + offset turns once round the palette's table per 2^32 * COLOUR_TABLE_SIZE, and wraps. */
#ifndef FATHOM_RENDER_COLOUR_H
#define FATHOM_RENDER_COLOUR_H

#include "render/light/layers.h"

#define COLOUR_TABLE_BITS 12
#define COLOUR_TABLE_SIZE (1 << COLOUR_TABLE_BITS)

/* Pixels are R, G, B, A bytes in memory order, held as a little-endian uint32_t. Alpha 0: not done;
 * 255: final. */
#define COLOUR_ALPHA 0xff000000u

/* What becomes of a count n, which may be none that is whole, before its colour is looked up. The first
 * counts are much the same in all of them; high ones lie ever closer together:
 *   linear n; sqrt 128 (sqrt(1 + n/64) - 1); log 64 ln(1 + n/64) */
enum colour_mapping { MAPPING_LINEAR, MAPPING_SQRT, MAPPING_LOG, MAPPING_COUNT };

/* How samples are coloured. The table has COLOUR_TABLE_SIZE entries, RGBA, cyclic; it is a
 * palette's, and stays as it is for as long as anything has pictures in these colours. */
struct colouring {
    uint64_t frequency; /* see colouring_set in palette.h */
    uint64_t offset;    /* the same unit as phase * frequency */
    uint32_t interior;  /* RGBA */
    bool smooth;        /* false: the fraction is left out */
    enum colour_mapping mapping;
    struct layers layers;
    const uint32_t *table;
};

/* Doubles and two's complements of less than 2^51, without a conversion: those are not for vectors
 * everywhere. Rounds to the nearest. */
#define COLOUR_WHOLE 0x1.8p52

INLINE double colour_double(uint64_t whole) {
    return bits_double(whole + 0x4338000000000000u) - COLOUR_WHOLE;
}

INLINE uint64_t colour_round(double x) {
    return double_bits(x + COLOUR_WHOLE) - 0x4338000000000000u;
}

/* log2 of a double that is at least sqrt 1/2, within 1e-13: as sample_log2, with more terms. */
INLINE double colour_log2(double x) {
    const uint64_t bits = double_bits(x) - 0x3fe6a09e667f3bcdu;
    const double exponent = colour_double(bits >> 52);
    const double m = bits_double((bits & 0x000fffffffffffffu) + 0x3fe6a09e667f3bcdu);
    const double s = (m - 1) / (m + 1), q = s * s;
    double p = double_fma(q, 0x1.89f3b1694cffep-3, 0x1.c68f568d31761p-3); /* 2/(15 ln 2) ... */
    p = double_fma(q, p, 0x1.0c9a84994022dp-2);
    p = double_fma(q, p, 0x1.484b13d7c02a9p-2);
    p = double_fma(q, p, 0x1.a61762a7adedap-2);
    p = double_fma(q, p, 0x1.2776c50ef9bfep-1);
    p = double_fma(q, p, 0x1.ec709dc3a03fep-1);
    p = double_fma(q, p, 0x1.71547652b82fep+1); /* 2/ln 2 */
    return double_fma(s, p, exponent);
}

/* The same of a phase of -16 counts or more. */
INLINE uint64_t colour_map_sqrt(uint64_t phase) {
    return colour_round(double_sqrt(colour_double(phase + (1u << 22))) * 4096.0) - (1u << 23);
}

INLINE uint64_t colour_map_log(uint64_t phase) {
    const double x = colour_double(phase + (1u << 22)) * 0x1p-22;
    return colour_round(colour_log2(x) * 0x1.62e42fefa39efp+21); /* 2^22 ln 2 */
}

INLINE uint64_t colour_phase(bool smooth, uint32_t count, float fraction) {
    const int32_t fine = smooth ? (int32_t)(fraction * 65536.0f) : 0;
    return ((uint64_t)count << 16) + (uint64_t)(int64_t)fine;
}

/* Where in the table. */
INLINE uint32_t colour_entry(const struct colouring *colouring, uint64_t mapped) {
    const uint64_t turn = mapped * colouring->frequency + colouring->offset;
    return (uint32_t)(turn >> 32) & (COLOUR_TABLE_SIZE - 1);
}

/* `table` is passed apart because kernels keep it in faster memory. */
INLINE uint32_t colour_of(const struct colouring *colouring, const uint32_t *table, uint32_t count,
                          float fraction) {
    if (count & SAMPLE_INTERIOR)
        return colouring->interior;
    uint64_t phase = colour_phase(colouring->smooth, count, fraction);
    if (colouring->mapping == MAPPING_SQRT)
        phase = colour_map_sqrt(phase);
    else if (colouring->mapping == MAPPING_LOG)
        phase = colour_map_log(phase);
    return table[colour_entry(colouring, phase)];
}

#endif
