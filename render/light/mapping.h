/* Count mappings, in arithmetic that all devices share. */
#ifndef FATHOM_RENDER_LIGHT_MAPPING_H
#define FATHOM_RENDER_LIGHT_MAPPING_H

#include "render/light/choice.h"

/* Mapping of a count n, which may be fractional, before its colour is looked up. The formulas treat
 * low counts alike; high counts move ever closer together:
 *   linear n; sqrt 128 (sqrt(1 + n/64) - 1); log 64 ln(1 + n/64)
 * The histogram mapping uses the number of pixels with lower counts (light/ranks.h). */
#define COLOUR_MAPPING_LIST(X)                                                                     \
    X(MAPPING_LINEAR, "linear")                                                                    \
    X(MAPPING_SQRT, "sqrt")                                                                        \
    X(MAPPING_LOG, "log")                                                                          \
    X(MAPPING_HISTOGRAM, "histogram")
enum colour_mapping { COLOUR_MAPPING_LIST(CHOICE_ID) MAPPING_COUNT };

/* Mapped counts at knots, in units of 2^-16; ascending, 0 to COLOUR_RANKS. There are four knots in
 * each octave: knot k lies at the count (4 + k % 4) * 2^(k / 4) - 4, with k / 4 rounded down. */
#define COLOUR_KNOTS 120
#define COLOUR_RANKS (128u << 16)
struct colour_ranks {
    uint32_t knot[COLOUR_KNOTS];
};

/* Offset that converts between doubles and two's complement integers below 2^51 in size, by their
 * bits: not all vector units have such conversions. Rounds to nearest. */
#define COLOUR_WHOLE 0x1.8p52

INLINE double colour_double(uint64_t whole) {
#ifdef NO_DOUBLES
    return (float)(int64_t)whole;
#else
    return bits_double(whole + 0x4338000000000000u) - COLOUR_WHOLE;
#endif
}

INLINE uint64_t colour_round(double x) {
#ifdef NO_DOUBLES
    return (uint64_t)(int64_t)rint(x);
#else
    return double_bits(x + COLOUR_WHOLE) - 0x4338000000000000u;
#endif
}

/* Returns log2 of a double that is at least sqrt 1/2, within 1e-13: as sample_log2, with more
 * terms. */
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

/* Map a phase, which is at least -16 counts, as MAPPING_SQRT and MAPPING_LOG. */
INLINE uint64_t colour_map_sqrt(uint64_t phase) {
    return colour_round(double_sqrt(colour_double(phase + (1u << 22))) * 4096.0) - (1u << 23);
}

INLINE uint64_t colour_map_log(uint64_t phase) {
    const double x = colour_double(phase + (1u << 22)) * 0x1p-22;
    return colour_round(colour_log2(x) * 0x1.62e42fefa39efp+21); /* 2^22 ln 2 */
}

/* Maps a phase by the knots of struct colour_ranks. */
INLINE uint64_t colour_map_ranks(const GLOBAL uint32_t *knot, uint64_t phase) {
    const uint64_t least = (int64_t)phase < 0 ? 0 : phase;
    const uint64_t bits = double_bits(colour_double(least + (4u << 16)));
    const uint32_t at = (uint32_t)(bits >> 50) - ((1023u + 18) << 2);
    const uint64_t part = bits >> 34 & 0xffffu, low = knot[at];
    return low + ((knot[at + 1] - low) * part >> 16);
}

#endif
