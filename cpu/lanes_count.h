/* Vectors for counting: combines truth values and keeps a counter per lane. Continues lanes.h;
 * included once per (ISA, type), too.
 *
 * real_twice(p, c) is 2p + c, rounded once; 2p is exact. real_power2(k) is 2^k for whole k in the
 * exponent's range. lanes_less is false for NaN. A counter has a number below 2^31 for each lane;
 * counter_add adds 1 in the lanes where m is true. */
#ifndef FATHOM_CPU_LANES_COUNT_H
#define FATHOM_CPU_LANES_COUNT_H

#include "cpu/lanes.h"
#include <stdint.h>

/* Adding this number and subtracting it again rounds to a whole number. */
#ifdef TILE_TYPE_FLOAT
#define REAL_WHOLE 0x1.8p23f
#else
#define REAL_WHOLE 0x1.8p52
#endif

#if defined TILE_ISA_AVX512
typedef __m512i counter;
#define LANES_TRUE         ((lanes)-1)
#define lanes_either(m, n) ((lanes)((m) | (n)))
#define lanes_both(m, n)   ((lanes)((m) & (n)))
#ifdef TILE_TYPE_FLOAT
#define real_power2(k)                                                                             \
    _mm512_castsi512_ps(                                                                           \
        _mm512_slli_epi32(_mm512_castps_si512((k) + real_set(REAL_WHOLE + 127)), 23))
#define lanes_less(a, b)    _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ)
#define counter_set(n)      _mm512_set1_epi32(n)
#define counter_add(c, m)   _mm512_mask_add_epi32(c, m, c, _mm512_set1_epi32(1))
#define counter_store(p, c) _mm512_storeu_si512(p, c)
#else
#define real_power2(k)                                                                             \
    _mm512_castsi512_pd(                                                                           \
        _mm512_slli_epi64(_mm512_castpd_si512((k) + real_set(REAL_WHOLE + 1023)), 52))
#define lanes_less(a, b)    _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ)
#define counter_set(n)      _mm512_set1_epi64(n)
#define counter_add(c, m)   _mm512_mask_add_epi64(c, m, c, _mm512_set1_epi64(1))
#define counter_store(p, c) _mm256_storeu_si256((__m256i *)(void *)(p), _mm512_cvtepi64_epi32(c))
#endif

#elif defined TILE_ISA_AVX2
typedef __m256i counter;
#ifdef TILE_TYPE_FLOAT
#define LANES_TRUE         _mm256_castsi256_ps(_mm256_set1_epi32(-1))
#define lanes_either(m, n) _mm256_or_ps(m, n)
#define lanes_both(m, n)   _mm256_and_ps(m, n)
#define real_power2(k)                                                                             \
    _mm256_castsi256_ps(                                                                           \
        _mm256_slli_epi32(_mm256_castps_si256((k) + real_set(REAL_WHOLE + 127)), 23))
#define lanes_less(a, b)    _mm256_cmp_ps(a, b, _CMP_LT_OQ)
#define counter_set(n)      _mm256_set1_epi32(n)
#define counter_add(c, m)   _mm256_sub_epi32(c, _mm256_castps_si256(m))
#define counter_store(p, c) _mm256_storeu_si256((__m256i *)(void *)(p), c)
#else
#define LANES_TRUE         _mm256_castsi256_pd(_mm256_set1_epi32(-1))
#define lanes_either(m, n) _mm256_or_pd(m, n)
#define lanes_both(m, n)   _mm256_and_pd(m, n)
#define real_power2(k)                                                                             \
    _mm256_castsi256_pd(                                                                           \
        _mm256_slli_epi64(_mm256_castpd_si256((k) + real_set(REAL_WHOLE + 1023)), 52))
#define lanes_less(a, b)  _mm256_cmp_pd(a, b, _CMP_LT_OQ)
#define counter_set(n)    _mm256_set1_epi64x(n)
#define counter_add(c, m) _mm256_sub_epi64(c, _mm256_castpd_si256(m))
static inline void counter_store(uint32_t *p, __m256i c) {
    const __m256i even = _mm256_permutevar8x32_epi32(c, _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6));
    _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(even));
}
#endif

#else /* scalar: for the laboratory */
typedef uint32_t counter;
#define LANES_TRUE         1
#define lanes_either(m, n) ((m) | (n))
#define lanes_both(m, n)   ((m) & (n))
#ifdef TILE_TYPE_FLOAT
#define real_power2(k) bits_float(float_bits((k) + real_set(REAL_WHOLE + 127)) << 23)
#else
#define real_power2(k) bits_double(double_bits((k) + REAL_WHOLE + 1023) << 52)
#endif
#define lanes_less(a, b)    ((a) < (b))
#define counter_set(n)      ((uint32_t)(n))
#define counter_add(c, m)   ((c) + (uint32_t)(m))
#define counter_store(p, c) (*(p) = (c))
#endif

#ifdef TILE_ISA_BASE /* the C library's fma is slow */
#define real_twice(p, c) (((p) + (p)) + (c))
#else
#define real_twice(p, c) real_fma(real_set(2), p, c)
#endif

#endif
