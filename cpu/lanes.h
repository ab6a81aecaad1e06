/* Vector of numbers: the only file that depends on an instruction set and its width. Included once
 * per (ISA, type), which the build defines by TILE_ISA_* and TILE_TYPE_*.
 *
 * number: one lane. real: LANES numbers; + - * work on it. lanes: a truth value per lane; bits: the
 * same as bits of an unsigned. real_least(a, b) is b if either is NaN. real_pack(p, bits, x) writes
 * the lanes of `bits` one after another, and anything up to p + LANES. */
#ifndef FATHOM_CPU_LANES_H
#define FATHOM_CPU_LANES_H

#if defined TILE_ISA_AVX2 || defined TILE_ISA_AVX512
#include <immintrin.h>
#endif

#ifdef TILE_TYPE_FLOAT
typedef float number;
#define number_fma(a, b, c) __builtin_fmaf(a, b, c)
#define TILE_TYPE_NAME      float
#define INTERIOR_MARGIN     INTERIOR_MARGIN_FLOAT
#else
typedef double number;
#define number_fma(a, b, c) __builtin_fma(a, b, c)
#define INTERIOR_MARGIN     INTERIOR_MARGIN_DOUBLE
#ifdef TILE_TYPE_WIDE
#define TILE_TYPE_NAME wide
#else
#define TILE_TYPE_NAME double
#endif
#endif

#if defined TILE_ISA_AVX512
#define TILE_ISA_NAME avx512
#elif defined TILE_ISA_AVX2
#define TILE_ISA_NAME avx2
#elif defined TILE_ISA_FMA
#define TILE_ISA_NAME fma
#else
#define TILE_ISA_NAME base
#endif

#if defined TILE_ISA_AVX512 && defined TILE_TYPE_FLOAT
typedef __m512 real;
typedef __mmask16 lanes;
#define LANES                 16
#define real_fma(a, b, c)     _mm512_fmadd_ps(a, b, c)
#define real_abs(x)           _mm512_abs_ps(x)
#define real_flip(x, by)      _mm512_xor_ps(x, _mm512_and_ps(by, _mm512_set1_ps(-0.0f)))
#define real_least(a, b)      _mm512_min_ps(a, b)
#define real_set(x)           _mm512_set1_ps(x)
#define real_load(p)          _mm512_loadu_ps(p)
#define real_store(p, x)      _mm512_storeu_ps(p, x)
#define real_pack(p, bits, x) _mm512_storeu_ps(p, _mm512_maskz_compress_ps((lanes)(bits), x))
#define lanes_not_less(a, b)  _mm512_cmp_ps_mask(a, b, _CMP_NLT_UQ)
#define lanes_equal(a, b, c, d)                                                                    \
    _mm512_mask_cmp_ps_mask(_mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ), c, d, _CMP_EQ_OQ)
#define lanes_bits(m)         ((unsigned)(m))
#define lanes_select(m, a, b) _mm512_mask_blend_ps(m, b, a)
#define lanes_clear(m, x)     _mm512_maskz_mov_ps((lanes) ~(m), x)

#elif defined TILE_ISA_AVX512
typedef __m512d real;
typedef __mmask8 lanes;
#define LANES                 8
#define real_fma(a, b, c)     _mm512_fmadd_pd(a, b, c)
#define real_abs(x)           _mm512_abs_pd(x)
#define real_flip(x, by)      _mm512_xor_pd(x, _mm512_and_pd(by, _mm512_set1_pd(-0.0)))
#define real_least(a, b)      _mm512_min_pd(a, b)
#define real_set(x)           _mm512_set1_pd(x)
#define real_load(p)          _mm512_loadu_pd(p)
#define real_store(p, x)      _mm512_storeu_pd(p, x)
#define real_pack(p, bits, x) _mm512_storeu_pd(p, _mm512_maskz_compress_pd((lanes)(bits), x))
#define lanes_not_less(a, b)  _mm512_cmp_pd_mask(a, b, _CMP_NLT_UQ)
#define lanes_equal(a, b, c, d)                                                                    \
    _mm512_mask_cmp_pd_mask(_mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ), c, d, _CMP_EQ_OQ)
#define lanes_bits(m)         ((unsigned)(m))
#define lanes_select(m, a, b) _mm512_mask_blend_pd(m, b, a)
#define lanes_clear(m, x)     _mm512_maskz_mov_pd((lanes) ~(m), x)

#elif defined TILE_ISA_AVX2
/* Order of the selected lanes of four, for each value of their bits. */
/* clang-format off */
#define PACK_LIST(X)                                        \
    X(0, 0, 0, 0) X(0, 0, 0, 0) X(1, 0, 0, 0) X(0, 1, 0, 0) \
    X(2, 0, 0, 0) X(0, 2, 0, 0) X(1, 2, 0, 0) X(0, 1, 2, 0) \
    X(3, 0, 0, 0) X(0, 3, 0, 0) X(1, 3, 0, 0) X(0, 1, 3, 0) \
    X(2, 3, 0, 0) X(0, 2, 3, 0) X(1, 2, 3, 0) X(0, 1, 2, 3)
/* clang-format on */
#ifdef TILE_TYPE_FLOAT
typedef __m256 real;
typedef __m256 lanes;
#define LANES                8
#define real_fma(a, b, c)    _mm256_fmadd_ps(a, b, c)
#define real_abs(x)          _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x)
#define real_flip(x, by)     _mm256_xor_ps(x, _mm256_and_ps(by, _mm256_set1_ps(-0.0f)))
#define real_least(a, b)     _mm256_min_ps(a, b)
#define real_set(x)          _mm256_set1_ps(x)
#define real_load(p)         _mm256_loadu_ps(p)
#define real_store(p, x)     _mm256_storeu_ps(p, x)
#define lanes_not_less(a, b) _mm256_cmp_ps(a, b, _CMP_NLT_UQ)
#define lanes_equal(a, b, c, d)                                                                    \
    _mm256_and_ps(_mm256_cmp_ps(a, b, _CMP_EQ_OQ), _mm256_cmp_ps(c, d, _CMP_EQ_OQ))
#define lanes_bits(m)         ((unsigned)_mm256_movemask_ps(m))
#define lanes_select(m, a, b) _mm256_blendv_ps(b, a, m)
#define lanes_clear(m, x)     _mm256_andnot_ps(m, x)
static inline void real_pack(float *p, unsigned bits, __m256 x) {
#define PACK_ROW(a, b, c, d)  {a, b, c, d},
    static const int order[16][4] = {PACK_LIST(PACK_ROW)};
#undef PACK_ROW
    const __m128i low = _mm_loadu_si128((const __m128i *)order[bits & 15]);
    const __m128i high = _mm_loadu_si128((const __m128i *)order[bits >> 4]);
    _mm_storeu_ps(p, _mm_permutevar_ps(_mm256_castps256_ps128(x), low));
    _mm_storeu_ps(p + __builtin_popcount(bits & 15),
                  _mm_permutevar_ps(_mm256_extractf128_ps(x, 1), high));
}
#else
typedef __m256d real;
typedef __m256d lanes;
#define LANES                4
#define real_fma(a, b, c)    _mm256_fmadd_pd(a, b, c)
#define real_abs(x)          _mm256_andnot_pd(_mm256_set1_pd(-0.0), x)
#define real_flip(x, by)     _mm256_xor_pd(x, _mm256_and_pd(by, _mm256_set1_pd(-0.0)))
#define real_least(a, b)     _mm256_min_pd(a, b)
#define real_set(x)          _mm256_set1_pd(x)
#define real_load(p)         _mm256_loadu_pd(p)
#define real_store(p, x)     _mm256_storeu_pd(p, x)
#define lanes_not_less(a, b) _mm256_cmp_pd(a, b, _CMP_NLT_UQ)
#define lanes_equal(a, b, c, d)                                                                    \
    _mm256_and_pd(_mm256_cmp_pd(a, b, _CMP_EQ_OQ), _mm256_cmp_pd(c, d, _CMP_EQ_OQ))
#define lanes_bits(m)         ((unsigned)_mm256_movemask_pd(m))
#define lanes_select(m, a, b) _mm256_blendv_pd(b, a, m)
#define lanes_clear(m, x)     _mm256_andnot_pd(m, x)
static inline void real_pack(double *p, unsigned bits, __m256d x) {
#define PACK_ROW(a, b, c, d)                                                                       \
    {2 * (a), 2 * (a) + 1, 2 * (b), 2 * (b) + 1, 2 * (c), 2 * (c) + 1, 2 * (d), 2 * (d) + 1},
    static const int order[16][8] = {PACK_LIST(PACK_ROW)};
#undef PACK_ROW
    const __m256i row = _mm256_loadu_si256((const __m256i *)order[bits]);
    _mm256_storeu_pd(p, _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(x), row)));
}
#endif

#else /* scalar, with or without hardware fma: for the laboratory */
typedef number real;
typedef int lanes;
#define LANES                   1
#define real_fma(a, b, c)       number_fma(a, b, c)
#define real_abs(x)             ((number)__builtin_fabs(x))
#define real_flip(x, by)        (__builtin_signbit(by) ? -(x) : (x))
#define real_least(a, b)        ((a) < (b) ? (a) : (b))
#define real_set(x)             ((number)(x))
#define real_load(p)            (*(p))
#define real_store(p, x)        (*(p) = (x))
#define real_pack(p, bits, x)   (*(p) = (x))
#define lanes_not_less(a, b)    (!((a) < (b)))
#define lanes_equal(a, b, c, d) ((a) == (b) && (c) == (d))
#define lanes_bits(m)           ((unsigned)(m))
#define lanes_select(m, a, b)   ((m) ? (a) : (b))
#define lanes_clear(m, x)       ((m) ? 0 : (x))
#endif

#endif
