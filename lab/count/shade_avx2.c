/* Sixteen pixels at a time: a palette of sixteen bytes is what one shuffle looks up. Beside lanes.h
 * and counters.h the only file that knows an instruction set. */
#include "lab/count/shade.h"
#include <immintrin.h>

/* Sixteen counts as bytes; none is above 255. */
static inline __m128i load_counts(const uint32_t *count) {
    const __m256i low = _mm256_loadu_si256((const __m256i *)count);
    const __m256i high = _mm256_loadu_si256((const __m256i *)(count + 8));
    const __m256i words = _mm256_permute4x64_epi64(_mm256_packus_epi32(low, high), 0xd8);
    return _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
}

/* Which byte of a colour plane is byte 16 * part + i of the woven pixels; -1, of another plane. */
#define FROM(part, i, plane)                                                                       \
    ((16 * (part) + (i)) % 3 == (plane) ? (char)((16 * (part) + (i)) / 3) : (char)-1)
#define WEAVE(part, plane)                                                                         \
    _mm_setr_epi8(FROM(part, 0, plane), FROM(part, 1, plane), FROM(part, 2, plane),                \
                  FROM(part, 3, plane), FROM(part, 4, plane), FROM(part, 5, plane),                \
                  FROM(part, 6, plane), FROM(part, 7, plane), FROM(part, 8, plane),                \
                  FROM(part, 9, plane), FROM(part, 10, plane), FROM(part, 11, plane),              \
                  FROM(part, 12, plane), FROM(part, 13, plane), FROM(part, 14, plane),             \
                  FROM(part, 15, plane))
#define WOVEN(part, r, g, b)                                                                       \
    _mm_or_si128(                                                                                  \
        _mm_or_si128(_mm_shuffle_epi8(r, WEAVE(part, 0)), _mm_shuffle_epi8(g, WEAVE(part, 1))),    \
        _mm_shuffle_epi8(b, WEAVE(part, 2)))

static inline void shade_16(const uint8_t shades[3][SHADES], const uint32_t *count, uint8_t *rgb) {
    const __m128i n = load_counts(count);
    const __m128i black =
        _mm_or_si128(_mm_cmpeq_epi8(n, _mm_setzero_si128()), _mm_cmpeq_epi8(n, _mm_set1_epi8(-1)));
    const __m128i index = _mm_or_si128(_mm_and_si128(n, _mm_set1_epi8(SHADES - 1)), black);
    __m128i plane[3]; /* a shuffle gives 0 where the index is negative, as it is for black */
    for (int k = 0; k < 3; k++)
        plane[k] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)shades[k]), index);
    _mm_storeu_si128((__m128i *)rgb, WOVEN(0, plane[0], plane[1], plane[2]));
    _mm_storeu_si128((__m128i *)(rgb + 16), WOVEN(1, plane[0], plane[1], plane[2]));
    _mm_storeu_si128((__m128i *)(rgb + 32), WOVEN(2, plane[0], plane[1], plane[2]));
}

void shade_avx2(const uint8_t shades[3][SHADES], const uint32_t *count, size_t size, uint8_t *rgb) {
    const size_t whole = size / 16 * 16;
    for (size_t i = 0; i < whole; i += 16)
        shade_16(shades, count + i, rgb + 3 * i);
    shade_base(shades, count + whole, size - whole, rgb + 3 * whole);
}
