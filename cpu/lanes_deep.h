/* Vectors of doubles for perturbed kernels: continues lanes.h. real_by_sign selects by a sign
 * (perturbed_steps.h). real_most returns its second operand if either is NaN. lanes_of makes truth
 * values from bits. real_pick gathers pairs[2 * index] for each lane. real_power and real_exponent
 * handle powers of two (perturbed_slope.h). */
#ifndef FATHOM_CPU_LANES_DEEP_H
#define FATHOM_CPU_LANES_DEEP_H

#include "cpu/lanes.h"

#define EACH_LANE for (int l = 0; l < LANES; l++)
#define ALL_LANES ((unsigned)((1ull << LANES) - 1))

#define EXPONENT_ZERO                                                                              \
    0x1.00000000003ffp52 /* 2^52 + 1023: after adding k, the low bits are the exponent of 2^k */

#if defined TILE_ISA_AVX512
static inline __m512d real_power(__m512d x) {
    const __m512d at = _mm512_add_pd(x, _mm512_set1_pd(EXPONENT_ZERO));
    return _mm512_castsi512_pd(_mm512_slli_epi64(_mm512_castpd_si512(at), 52));
}
static inline __m512d real_exponent(__m512d x) {
    const __m512i bits = _mm512_srli_epi64(_mm512_castpd_si512(x), 52);
    const __m512i at = _mm512_or_si512(bits, _mm512_set1_epi64(0x4330000000000000));
    return _mm512_sub_pd(_mm512_castsi512_pd(at), _mm512_set1_pd(EXPONENT_ZERO - 1));
}
#define real_power       real_power
#define lanes_of(bits)   ((lanes)(bits))
#define real_most(a, b)  _mm512_max_pd(a, b)
#define real_sqrt(x)     _mm512_sqrt_pd(x)
#define lanes_less(a, b) _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ)
#define lanes_or(a, b)   ((lanes)((a) | (b)))
#define lanes_and(a, b)  ((lanes)((a) & (b)))
static inline __m512d real_pick(const double *pairs, const uint32_t *index) {
    const __m512i at = _mm512_cvtepu32_epi64(_mm256_loadu_si256((const __m256i *)index));
    return _mm512_i64gather_pd(_mm512_slli_epi64(at, 1), pairs, 8);
}
#else
static inline __m256d real_power(__m256d x) {
    const __m256d at = _mm256_add_pd(x, _mm256_set1_pd(EXPONENT_ZERO));
    return _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_castpd_si256(at), 52));
}
static inline __m256d real_exponent(__m256d x) {
    const __m256i bits = _mm256_srli_epi64(_mm256_castpd_si256(x), 52);
    const __m256i at = _mm256_or_si256(bits, _mm256_set1_epi64x(0x4330000000000000));
    return _mm256_sub_pd(_mm256_castsi256_pd(at), _mm256_set1_pd(EXPONENT_ZERO - 1));
}
#define real_power       real_power
#define real_most(a, b)  _mm256_max_pd(a, b)
#define real_sqrt(x)     _mm256_sqrt_pd(x)
#define lanes_less(a, b) _mm256_cmp_pd(a, b, _CMP_LT_OQ)
#define lanes_or(a, b)   _mm256_or_pd(a, b)
#define lanes_and(a, b)  _mm256_and_pd(a, b)
static inline __m256d real_pick(const double *pairs, const uint32_t *index) {
    const __m256i at = _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)index));
    return _mm256_i64gather_pd(pairs, _mm256_slli_epi64(at, 1), 8);
}
static inline __m256d lanes_of(unsigned bits) {
    const __m256i lane = _mm256_setr_epi64x(1, 2, 4, 8);
    const __m256i set = _mm256_and_si256(_mm256_set1_epi64x((long long)bits), lane);
    return _mm256_castsi256_pd(_mm256_cmpeq_epi64(set, lane));
}
#endif

#define real_by_sign(x, a, b) lanes_select(lanes_less(x, real_set(0)), b, a)

#endif
