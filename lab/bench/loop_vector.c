/* The baseline of one AVX2 vector at a time, compiled once per number type. */
#include "lab/bench/loops.h"
#include <immintrin.h>

#ifdef LOOP_TYPE_FLOAT
typedef float number;
typedef __m256 reals;
typedef uint32_t counter;
#define LANES            8
#define OP(name)         _mm256_##name##_ps
#define counters_set(n)  _mm256_set1_epi32((int)(n))
#define reals_as_bits(x) _mm256_castps_si256(x)
#define bits_as_reals(x) _mm256_castsi256_ps(x)
#define LOOP_NAME        loop_vector_float
#else
typedef double number;
typedef __m256d reals;
typedef uint64_t counter;
#define LANES            4
#define OP(name)         _mm256_##name##_pd
#define counters_set(n)  _mm256_set1_epi64x((long long)(n))
#define reals_as_bits(x) _mm256_castpd_si256(x)
#define bits_as_reals(x) _mm256_castsi256_pd(x)
#define LOOP_NAME        loop_vector_double
#endif

/* `inside` only ever loses lanes: an escaped orbit ends as NaN, which compares as nothing. */
static inline __m256i escape_counts(reals cr, reals ci, uint32_t limit) {
    const reals two = OP(set1)(2), four = OP(set1)(4);
    reals zr = OP(setzero)(), zi = OP(setzero)();
    reals inside = bits_as_reals(_mm256_set1_epi32(-1));
    __m256i counts = counters_set(limit);
    for (uint32_t n = 1; n <= limit; n++) {
        const reals re = OP(fmsub)(zr, zr, OP(mul)(zi, zi));
        zi = OP(fmadd)(two, OP(mul)(zr, zi), ci);
        zr = OP(add)(re, cr);
        const reals norm = OP(fmadd)(zr, zr, OP(mul)(zi, zi));
        const reals escaped = OP(and)(OP(cmp)(norm, four, _CMP_GE_OQ), inside);
        counts = _mm256_blendv_epi8(counts, counters_set(n), reals_as_bits(escaped));
        inside = OP(andnot)(escaped, inside);
        if (OP(movemask)(inside) == 0)
            break;
    }
    return counts;
}

void LOOP_NAME(const struct loop_job *job) {
    const number *re = job->re, *im = job->im;
#pragma omp parallel for schedule(dynamic) num_threads(job->threads)
    for (int y = 0; y < job->height_px; y++) {
        if (job->stop())
            continue;
        const reals ci = OP(set1)(im[y]);
        uint32_t *row = job->count + (long)y * job->width_px;
        for (int x = 0; x < job->width_px; x += LANES) {
            counter counts[LANES];
            const __m256i vector = escape_counts(OP(loadu)(re + x), ci, job->limit);
            _mm256_storeu_si256((__m256i *)counts, vector);
            for (int k = 0; k < LANES && x + k < job->width_px; k++)
                row[x + k] = (uint32_t)counts[k];
        }
    }
}
