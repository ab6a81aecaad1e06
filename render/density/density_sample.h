/* Which c a sample is. Counter-based: sample s can be made anywhere, on any device, with the same
 * bits.
 *
 * 32 samples make a clump, spread over 8x4 strata of a square. Round r visits every cell once,
 * clump k of it in cell order[k]; rounds come in octaves: octave j divides cells into 4^j squares
 * and visits each of them SAMPLE_PASSES times. So neighbours come closer together the longer it
 * runs, which is what makes memory fast, but never so close that a clump could be seen: from octave
 * 1 on, where one falls at least SAMPLE_PASSES / 3 are already, and its 32 samples change the
 * density by less than chance would.
 *
 * The order of the squares is different in each cell and each pass, or their lattice would be seen
 * in all that is half done: position p of a pass is scrambled by a permutation in which no bit
 * depends on a higher one, and its bits then say, from the lowest on, which half of the cell, which
 * quarter, and so on (Owen's scrambling): each four visits one after another, from the first on,
 * are in different quarters, each 16 in different sixteenths. From octave SAMPLE_OCTAVES on squares
 * stay as small and passes go on.
 *
 * A coordinate is a 32-bit fixed-point number, cell, square, stratum and jitter from the top, and
 * for double precision some more jitter below. */
#ifndef FATHOM_RENDER_DENSITY_DENSITY_SAMPLE_H
#define FATHOM_RENDER_DENSITY_DENSITY_SAMPLE_H

#include "render/density/philox.h"
#include "render/inline.h"

#define CELLS_X_BITS 10
#define CELLS_Y_BITS 9
#define CELLS_X      (1u << CELLS_X_BITS)
#define CELLS_Y      (1u << CELLS_Y_BITS)

/* An entry: column, row << CELLS_X_BITS, and perhaps CELLS_TEST. Row 0 begins at im c = 0. */
#define CELLS_TEST   0x80000000u /* may hold points of the cardioid or the disc */
#define CELLS_NUMBER (CELLS_X * CELLS_Y - 1u)

#define CLUMP_SAMPLES  32u
#define CLUMP_X_BITS   3
#define CLUMP_Y_BITS   2
#define SAMPLE_PASSES  24u /* visits of a square in its octave */
#define SAMPLE_OCTAVES 8
#define SAMPLE_FRAME   22 /* bits below a cell */

/* What all clumps of a round share. */
struct sample_round {
    uint64_t number;
    uint32_t octave;   /* 0 .. SAMPLE_OCTAVES */
    uint32_t position; /* in its pass, 0 .. 4^octave - 1 */
    uint32_t key;      /* of the pass */
};

/* How the fixed-point numbers, x signed and y not negative, become c: by an exact product. */
#define SAMPLE_SCALE 0x1p-30

/* The first round of an octave. */
uint64_t sample_octave_begin(uint32_t octave);
/* Any round, some ten nanoseconds. */
struct sample_round sample_round(uint64_t number, uint64_t random);

/* Where the clump is that visits `cell` (an entry of the order): the upper bits of its
 * coordinates. */
struct sample_clump {
    uint32_t x, y;
};

/* Finaliser of MurmurHash3. */
INLINE uint32_t sample_hash(uint32_t x) {
    x ^= x >> 16;
    x *= 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    return x ^ x >> 16;
}

/* A permutation of the numbers below 2^16 in which no bit depends on a higher one; which, the key
 * says. */
INLINE uint32_t sample_scramble(uint32_t x, uint32_t key) {
    x += key;
    x ^= x * ((key >> 15) & ~1u);
    x += (x * x) << 1 ^ key >> 7;
    x ^= x * (key & ~1u);
    return x;
}

/* The bits of even positions below 16, the lowest on top, in the low half; those of odd ones in the
 * upper. */
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

/* Random words for clumps 2m and 2m + 1 of a round: 0 and 1 (x and y) are the first one's. */
INLINE struct philox sample_words(uint64_t round, uint32_t pair, uint32_t lane, uint64_t random) {
    const struct philox counter = {{(uint32_t)round, (uint32_t)(round >> 32), pair, lane}};
    return philox(counter, (uint32_t)random, (uint32_t)(random >> 32));
}

/* The fixed-point numbers of lane 0 .. 31 of a clump; `word` is its random one. */
INLINE int32_t sample_x(uint32_t clump_x, uint32_t octave, uint32_t lane, uint32_t word) {
    const uint32_t jitter = SAMPLE_FRAME - CLUMP_X_BITS - octave;
    return (int32_t)(clump_x | (lane % (1u << CLUMP_X_BITS)) << jitter | word >> (32u - jitter));
}
INLINE int32_t sample_y(uint32_t clump_y, uint32_t octave, uint32_t lane, uint32_t word) {
    const uint32_t jitter = SAMPLE_FRAME - CLUMP_Y_BITS - octave;
    return (int32_t)(clump_y | (lane >> CLUMP_X_BITS) << jitter | word >> (32u - jitter));
}
/* What a word has below that, in 31 bits, for double: the number is x + low * 2^-31. */
INLINE int32_t sample_x_low(uint32_t octave, uint32_t word) {
    return (int32_t)(word << (SAMPLE_FRAME - CLUMP_X_BITS - octave) >> 1);
}
INLINE int32_t sample_y_low(uint32_t octave, uint32_t word) {
    return (int32_t)(word << (SAMPLE_FRAME - CLUMP_Y_BITS - octave) >> 1);
}

#endif
