/* One vector of numbers: the only file that knows an instruction set and its width. Included once
 * per (ISA, type), which the build names by TILE_ISA_* and TILE_TYPE_*.
 *
 * number: one lane. real: LANES of them; + - * work on it. lanes: a truth value per lane.
 * GROUP: how many vectors are iterated together to hide latency. */
#ifndef FATHOM_CPU_LANES_H
#define FATHOM_CPU_LANES_H

#if defined TILE_ISA_AVX2 || defined TILE_ISA_AVX512
#include <immintrin.h>
#endif

#ifdef TILE_TYPE_FLOAT
typedef float number;
#define number_fma(a, b, c) __builtin_fmaf(a, b, c)
#define TILE_TYPE_NAME      float
#else
typedef double number;
#define number_fma(a, b, c) __builtin_fma(a, b, c)
#define TILE_TYPE_NAME      double
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
#define GROUP                 6
#define real_fma(a, b, c)     _mm512_fmadd_ps(a, b, c)
#define real_set(x)           _mm512_set1_ps(x)
#define real_load(p)          _mm512_loadu_ps(p)
#define real_store(p, x)      _mm512_storeu_ps(p, x)
#define lanes_not_less(a, b)  _mm512_cmp_ps_mask(a, b, _CMP_NLT_UQ)
#define lanes_or(a, b)        ((lanes)((a) | (b)))
#define lanes_bits(m)         ((unsigned)(m))
#define lanes_select(m, a, b) _mm512_mask_blend_ps(m, b, a)

#elif defined TILE_ISA_AVX512
typedef __m512d real;
typedef __mmask8 lanes;
#define LANES                 8
#define GROUP                 6
#define real_fma(a, b, c)     _mm512_fmadd_pd(a, b, c)
#define real_set(x)           _mm512_set1_pd(x)
#define real_load(p)          _mm512_loadu_pd(p)
#define real_store(p, x)      _mm512_storeu_pd(p, x)
#define lanes_not_less(a, b)  _mm512_cmp_pd_mask(a, b, _CMP_NLT_UQ)
#define lanes_or(a, b)        ((lanes)((a) | (b)))
#define lanes_bits(m)         ((unsigned)(m))
#define lanes_select(m, a, b) _mm512_mask_blend_pd(m, b, a)

#elif defined TILE_ISA_AVX2 && defined TILE_TYPE_FLOAT
typedef __m256 real;
typedef __m256 lanes;
#define LANES                 8
#define GROUP                 6
#define real_fma(a, b, c)     _mm256_fmadd_ps(a, b, c)
#define real_set(x)           _mm256_set1_ps(x)
#define real_load(p)          _mm256_loadu_ps(p)
#define real_store(p, x)      _mm256_storeu_ps(p, x)
#define lanes_not_less(a, b)  _mm256_cmp_ps(a, b, _CMP_NLT_UQ)
#define lanes_or(a, b)        _mm256_or_ps(a, b)
#define lanes_bits(m)         ((unsigned)_mm256_movemask_ps(m))
#define lanes_select(m, a, b) _mm256_blendv_ps(b, a, m)

#elif defined TILE_ISA_AVX2
typedef __m256d real;
typedef __m256d lanes;
#define LANES                 4
#define GROUP                 6
#define real_fma(a, b, c)     _mm256_fmadd_pd(a, b, c)
#define real_set(x)           _mm256_set1_pd(x)
#define real_load(p)          _mm256_loadu_pd(p)
#define real_store(p, x)      _mm256_storeu_pd(p, x)
#define lanes_not_less(a, b)  _mm256_cmp_pd(a, b, _CMP_NLT_UQ)
#define lanes_or(a, b)        _mm256_or_pd(a, b)
#define lanes_bits(m)         ((unsigned)_mm256_movemask_pd(m))
#define lanes_select(m, a, b) _mm256_blendv_pd(b, a, m)

#else /* scalar, with or without hardware fma */
typedef number real;
typedef int lanes;
#define LANES                 1
#define GROUP                 4
#define real_fma(a, b, c)     number_fma(a, b, c)
#define real_set(x)           ((number)(x))
#define real_load(p)          (*(p))
#define real_store(p, x)      (*(p) = (x))
#define lanes_not_less(a, b)  (!((a) < (b)))
#define lanes_or(a, b)        ((lanes)((a) | (b)))
#define lanes_bits(m)         ((unsigned)(m))
#define lanes_select(m, a, b) ((m) ? (a) : (b))
#endif

#endif
