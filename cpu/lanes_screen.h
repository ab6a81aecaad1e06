/* Range test by bits: finds lanes in which a number was ever far from 0, without a product or a
 * comparison. It adds a word to each number's bits that carries into the exponent's highest bit
 * from a bound on. Included like lanes.h.
 *
 * screen_at(norm2) returns the word for a squared distance of at least 4. Numbers that are not far
 * are parts of complex numbers nearer to 0 than that distance. screen_add(s, x, y, word) adds x and
 * y to s. NaN may be missed. The includer provides float_bits and double_bits (render/inline.h). */
#ifndef FATHOM_CPU_LANES_SCREEN_H
#define FATHOM_CPU_LANES_SCREEN_H

#include "cpu/lanes.h"
#include <math.h>
#include <stdint.h>

#ifdef TILE_TYPE_FLOAT
typedef uint32_t screen_word;
#define SCREEN_TOP   0x40000000u
#define SCREEN_OF(x) float_bits(x)
#else
typedef uint64_t screen_word;
#define SCREEN_TOP   0x4000000000000000u
#define SCREEN_OF(x) double_bits(x)
#endif

static inline screen_word screen_at(double norm2) {
    const double most = sqrt(norm2 / 2) * (1 - 0x1p-20);
    return SCREEN_TOP - SCREEN_OF((number)(most < 2 ? most : 2));
}

#if defined TILE_ISA_AVX512
typedef __m512i screen;
#define screen_none() _mm512_setzero_si512()
#ifdef TILE_TYPE_FLOAT
#define screen_part(x, word)                                                                       \
    _mm512_add_epi32(_mm512_castps_si512(x), _mm512_set1_epi32((int)(word)))
#define screen_bits(s) ((unsigned)_mm512_test_epi32_mask(s, _mm512_set1_epi32(SCREEN_TOP)))
#else
#define screen_part(x, word)                                                                       \
    _mm512_add_epi64(_mm512_castpd_si512(x), _mm512_set1_epi64((long long)(word)))
#define screen_bits(s) ((unsigned)_mm512_test_epi64_mask(s, _mm512_set1_epi64(SCREEN_TOP)))
#endif
#define screen_add(s, x, y, word)                                                                  \
    _mm512_ternarylogic_epi64(s, screen_part(x, word), screen_part(y, word), 0xfe)

#else
typedef __m256i screen;
#define screen_none() _mm256_setzero_si256()
#ifdef TILE_TYPE_FLOAT
#define screen_part(x, word)                                                                       \
    _mm256_add_epi32(_mm256_castps_si256(x), _mm256_set1_epi32((int)(word)))
#define screen_bits(s) ((unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_slli_epi32(s, 1))))
#else
#define screen_part(x, word)                                                                       \
    _mm256_add_epi64(_mm256_castpd_si256(x), _mm256_set1_epi64x((long long)(word)))
#define screen_bits(s) ((unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_slli_epi64(s, 1))))
#endif
#define screen_add(s, x, y, word)                                                                  \
    _mm256_or_si256(s, _mm256_or_si256(screen_part(x, word), screen_part(y, word)))

#endif

#endif
