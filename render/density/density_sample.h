/* Density samples: the c of each sample. Counter-based: sample s can be computed anywhere, on any
 * device, with the same bits.
 *
 * 32 samples make a clump, spread over 8x4 strata of a square. Round r visits every cell once,
 * clump k in cell order[k]. Rounds are grouped in octaves: octave j divides cells into 4^j squares
 * and visits each square SAMPLE_PASSES times. So neighbours move closer together during a run,
 * which makes memory access fast, but never so close that a clump is visible. From octave 1 on,
 * each square already has SAMPLE_PASSES / 4 clumps, and 32 more samples matter less than chance.
 *
 * The order of the squares differs between cells and passes, because their lattice would otherwise
 * be visible in unfinished passes. Position p of a pass is scrambled by a permutation in which no
 * bit depends on a higher bit. Its bits select, from the lowest on, a half of the cell, a quarter,
 * and so on (Owen's scrambling). So each four consecutive visits are in different quarters, and
 * each 16 in different sixteenths. From octave SAMPLE_OCTAVES on, squares keep their size.
 *
 * A coordinate is a 32-bit fixed-point number: cell, square, stratum and jitter from the highest
 * bit, and more jitter below for double precision. */
#ifndef FATHOM_RENDER_DENSITY_DENSITY_SAMPLE_H
#define FATHOM_RENDER_DENSITY_DENSITY_SAMPLE_H

#include "render/density/philox.h"
#include "render/inline.h"

#define CELLS_X_BITS 10
#define CELLS_Y_BITS 9
#define CELLS_X      (1u << CELLS_X_BITS)
#define CELLS_Y      (1u << CELLS_Y_BITS)

/* Bits of an entry of the order: column, row << CELLS_X_BITS, and optionally CELLS_TEST. Row 0
 * begins at im c = 0. */
#define CELLS_TEST   0x80000000u /* the cell may contain points of the cardioid or the disc */
#define CELLS_NUMBER (CELLS_X * CELLS_Y - 1u)

#define CLUMP_SAMPLES  32u
#define CLUMP_X_BITS   3
#define CLUMP_Y_BITS   2
#define SAMPLE_PASSES  24u /* visits of each square in its octave */
#define SAMPLE_OCTAVES 8
#define SAMPLE_FRAME   22 /* number of bits below a cell */

/* Values that all clumps of a round share. */
struct sample_round {
    uint64_t number;
    uint32_t octave;   /* 0 .. SAMPLE_OCTAVES */
    uint32_t position; /* position in its pass, 0 .. 4^octave - 1 */
    uint32_t key;      /* key of the pass */
};

/* Factor from fixed-point numbers, x signed and y not negative, to c; the product is exact. */
#define SAMPLE_SCALE 0x1p-30

/* Returns the first round of an octave. */
uint64_t sample_octave_begin(uint32_t octave);
/* Returns a round by its number; takes tens of nanoseconds. */
struct sample_round sample_round(uint64_t number, uint64_t random);

/* Position of the clump that visits `cell` (an entry of the order): the upper bits of its
 * coordinates. */
struct sample_clump {
    uint32_t x, y;
};

/* Returns a hash (the finaliser of MurmurHash3). */
INLINE uint32_t sample_hash(uint32_t x) {
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* Returns a permutation of the numbers below 2^16, selected by the key, in which no bit depends on
 * a higher bit. */
INLINE uint32_t sample_scramble(uint32_t x, uint32_t key) {
    x += key;
    x ^= x * ((key >> 15) & ~1u);
    x += (x * x) << 1 ^ key >> 7;
    x ^= x * (key & ~1u);
    return x;
}

/* Returns the bits of even positions below 16 in the low half, the lowest on top, and the bits of
 * odd positions in the upper half. */
INLINE uint32_t sample_unfold(uint32_t p) {
    p = (p & 0x5555u) | (p & 0xaaaau) << 15;
    p = (p & 0x11111111u) << 1 | (p >> 2 & 0x11111111u);
    p = (p & 0x03030303u) << 2 | (p >> 4 & 0x03030303u);
    return (p & 0x000f000fu) << 4 | (p >> 8 & 0x000f000fu);
}

INLINE struct sample_clump sample_clump(const struct sample_round *round, uint32_t cell) {
    const uint32_t number = cell & CELLS_NUMBER;
    const uint32_t below = SAMPLE_FRAME - round->octave, unused = 8u - round->octave;
    const uint32_t key = sample_hash(number ^ round->key);
    const uint32_t square = sample_unfold(sample_scramble(round->position, key));
    const uint32_t x = (square & 0xffu) >> unused, y = square >> 16 >> unused;
    const struct sample_clump clump = {
        ((number % CELLS_X) << SAMPLE_FRAME | x << below) ^ 0x80000000u,
        (number / CELLS_X) << SAMPLE_FRAME | y << below,
    };
    return clump;
}

/* Returns the random words of clumps 2m and 2m + 1 of a round: words 0 and 1 (x and y) belong to
 * the first. */
INLINE struct philox sample_words(uint64_t round, uint32_t pair, uint32_t lane, uint64_t random) {
    const struct philox counter = {{(uint32_t)round, (uint32_t)(round >> 32), pair, lane}};
    return philox(counter, (uint32_t)random, (uint32_t)(random >> 32));
}

/* Return the fixed-point numbers of lane 0 .. 31 of a clump; `word` is the lane's random word. */
INLINE int32_t sample_x(uint32_t clump_x, uint32_t octave, uint32_t lane, uint32_t word) {
    const uint32_t jitter = SAMPLE_FRAME - CLUMP_X_BITS - octave;
    return (int32_t)(clump_x | (lane % (1u << CLUMP_X_BITS)) << jitter | word >> (32u - jitter));
}
INLINE int32_t sample_y(uint32_t clump_y, uint32_t octave, uint32_t lane, uint32_t word) {
    const uint32_t jitter = SAMPLE_FRAME - CLUMP_Y_BITS - octave;
    return (int32_t)(clump_y | (lane >> CLUMP_X_BITS) << jitter | word >> (32u - jitter));
}
/* Return the rest of a word in 31 bits, for double: the number is x + low * 2^-31. */
INLINE int32_t sample_x_low(uint32_t octave, uint32_t word) {
    return (int32_t)(word << (SAMPLE_FRAME - CLUMP_X_BITS - octave) >> 1);
}
INLINE int32_t sample_y_low(uint32_t octave, uint32_t word) {
    return (int32_t)(word << (SAMPLE_FRAME - CLUMP_Y_BITS - octave) >> 1);
}

#endif
