/* Vectors for counting points: turns places into pixels, and packs 32-bit words. Continues lanes.h;
 * included once per (ISA, type), too.
 *
 * WORDS: number of words in a vector. words_pack(to, bits, from, base) writes the words of `bits`
 * one after another, each with `base` added, and anything up to to + WORDS. real_size(x) is |x|.
 * real_index(to, row, width, column) writes LANES words, trunc(row) * width + trunc(column) if both
 * are in range, else anything. wide: WORDS / 2 numbers of 64 bits; wide_times multiplies their
 * lower halves, wide_high takes their upper halves. wide_merge(to, even, odd) writes WORDS words,
 * the lower halves of both, alternating. words_heads(x, y) returns a bit for each of WORDS words
 * that differ. */
#ifndef FATHOM_CPU_LANES_INT_H
#define FATHOM_CPU_LANES_INT_H

#include "cpu/lanes_count.h"

#if defined TILE_ISA_AVX512
#define WORDS 16
typedef __m512i wide;
#define wide_set(x)      _mm512_set1_epi64((long long)(x))
#define wide_load(p)     _mm512_loadu_si512(p)
#define wide_times(a, b) _mm512_mul_epu32(a, b)
#define wide_high(x)     _mm512_srli_epi64(x, 32)
#define wide_xor(a, b)   _mm512_xor_si512(a, b)
#define wide_merge(to, even, odd)                                                                  \
    _mm512_storeu_si512(to, _mm512_mask_blend_epi32(0xaaaa, even, _mm512_slli_epi64(odd, 32)))
#define words_heads(x, y)                                                                          \
    ((unsigned)_mm512_cmpneq_epi32_mask(_mm512_loadu_si512(x), _mm512_loadu_si512(y)))
static inline void words_pack(uint32_t *to, unsigned bits, const uint32_t *from, uint32_t base) {
    const __m512i x = _mm512_add_epi32(_mm512_loadu_si512(from), _mm512_set1_epi32((int)base));
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)bits, x));
}
#ifdef TILE_TYPE_FLOAT
#define real_size(x) _mm512_abs_ps(x)
static inline void real_index(uint32_t *to, __m512 row, uint32_t width, __m512 column) {
    const __m512i first =
        _mm512_mullo_epi32(_mm512_cvttps_epi32(row), _mm512_set1_epi32((int)width));
    _mm512_storeu_si512(to, _mm512_add_epi32(first, _mm512_cvttps_epi32(column)));
}
#else
#define real_size(x) _mm512_abs_pd(x)
static inline void real_index(uint32_t *to, __m512d row, uint32_t width, __m512d column) {
    const __m256i first =
        _mm256_mullo_epi32(_mm512_cvttpd_epi32(row), _mm256_set1_epi32((int)width));
    _mm256_storeu_si256((__m256i *)(void *)to,
                        _mm256_add_epi32(first, _mm512_cvttpd_epi32(column)));
}
#endif

#else
#define WORDS            8
typedef __m256i wide;
#define wide_set(x)      _mm256_set1_epi64x((long long)(x))
#define wide_load(p)     _mm256_loadu_si256((const __m256i *)(const void *)(p))
#define wide_times(a, b) _mm256_mul_epu32(a, b)
#define wide_high(x)     _mm256_srli_epi64(x, 32)
#define wide_xor(a, b)   _mm256_xor_si256(a, b)
#define wide_merge(to, even, odd)                                                                  \
    _mm256_storeu_si256((__m256i *)(void *)(to),                                                   \
                        _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xaa))
#define words_heads(x, y)                                                                          \
    (0xffu ^ (unsigned)_mm256_movemask_ps(                                                         \
                 _mm256_castsi256_ps(_mm256_cmpeq_epi32(wide_load(x), wide_load(y)))))
/* Packs words; `order` lists for each value of `bits` the selected words, a byte each. */
static inline void words_pack(uint32_t *to, unsigned bits, const uint32_t *from, uint32_t base) {
#define PACK_BYTES(high, low, n) ((uint64_t)(low) | (uint64_t)(high) << 8 * (n))
#define PACK_HIGH(h)                                                                               \
    PACK_BYTES(h, 0x0, 0), PACK_BYTES(h, 0x0, 1), PACK_BYTES(h, 0x1, 1), PACK_BYTES(h, 0x100, 2),  \
        PACK_BYTES(h, 0x2, 1), PACK_BYTES(h, 0x200, 2), PACK_BYTES(h, 0x201, 2),                   \
        PACK_BYTES(h, 0x20100, 3), PACK_BYTES(h, 0x3, 1), PACK_BYTES(h, 0x300, 2),                 \
        PACK_BYTES(h, 0x301, 2), PACK_BYTES(h, 0x30100, 3), PACK_BYTES(h, 0x302, 2),               \
        PACK_BYTES(h, 0x30200, 3), PACK_BYTES(h, 0x30201, 3), PACK_BYTES(h, 0x3020100, 4)
    static const uint64_t order[256] = {
        PACK_HIGH(0x0),   PACK_HIGH(0x4),     PACK_HIGH(0x5),     PACK_HIGH(0x504),
        PACK_HIGH(0x6),   PACK_HIGH(0x604),   PACK_HIGH(0x605),   PACK_HIGH(0x60504),
        PACK_HIGH(0x7),   PACK_HIGH(0x704),   PACK_HIGH(0x705),   PACK_HIGH(0x70504),
        PACK_HIGH(0x706), PACK_HIGH(0x70604), PACK_HIGH(0x70605), PACK_HIGH(0x7060504),
    };
#undef PACK_HIGH
#undef PACK_BYTES
    const __m256i which = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)order[bits]));
    const __m256i x =
        _mm256_permutevar8x32_epi32(_mm256_loadu_si256((const __m256i *)(const void *)from), which);
    _mm256_storeu_si256((__m256i *)(void *)to, _mm256_add_epi32(x, _mm256_set1_epi32((int)base)));
}
#ifdef TILE_TYPE_FLOAT
#define real_size(x) _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x)
static inline void real_index(uint32_t *to, __m256 row, uint32_t width, __m256 column) {
    const __m256i first =
        _mm256_mullo_epi32(_mm256_cvttps_epi32(row), _mm256_set1_epi32((int)width));
    _mm256_storeu_si256((__m256i *)(void *)to,
                        _mm256_add_epi32(first, _mm256_cvttps_epi32(column)));
}
#else
#define real_size(x) _mm256_andnot_pd(_mm256_set1_pd(-0.0), x)
static inline void real_index(uint32_t *to, __m256d row, uint32_t width, __m256d column) {
    const __m128i first = _mm_mullo_epi32(_mm256_cvttpd_epi32(row), _mm_set1_epi32((int)width));
    _mm_storeu_si128((__m128i *)(void *)to, _mm_add_epi32(first, _mm256_cvttpd_epi32(column)));
}
#endif

#endif

#endif
