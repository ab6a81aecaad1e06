/* Vector programs of the paper: listings 4 to 6, and the baseline made of them, compiled once per
 * number type, with AVX2 and FMA. */
#include "lab/paper/paper_loops.h"
#include <immintrin.h>
#include <stddef.h>

#ifdef PAPER_TYPE_FLOAT
typedef float number;
typedef __m256 reals;
#define LANES            8
#define ALL              0xff
#define OP(name)         _mm256_##name##_ps
#define steps_set(n)     _mm256_set1_epi32((int)(n))
#define bits_of(x)       _mm256_castps_si256(x)
#define PAPER_PROGRAM    paper_vector_float
#define BASELINE         loop_vector_float
#define store(p, counts) _mm256_storeu_si256((__m256i *)(p), counts)
#else
typedef double number;
typedef __m256d reals;
#define LANES         4
#define ALL           0xf
#define OP(name)      _mm256_##name##_pd
#define steps_set(n)  _mm256_set1_epi64x((long long)(n))
#define bits_of(x)    _mm256_castpd_si256(x)
#define PAPER_PROGRAM paper_vector_double
#define BASELINE      loop_vector_double
static inline void store(uint32_t *p, __m256i counts) {
    const __m256i even = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 4, 6);
    _mm_storeu_si128((__m128i *)p,
                     _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(counts, even)));
}
#endif

/* Returns a * b + c with one rounding or two. */
static inline reals multiply_add(reals a, reals b, reals c, bool fused) {
    return fused ? OP(fmadd)(a, b, c) : OP(add)(OP(mul)(a, b), c);
}

static inline reals place(const number *k, double step, double first, bool fused) {
    return multiply_add(OP(loadu)(k), OP(set1)((number)step), OP(set1)((number)first), fused);
}

/* Does a step of z; returns |z|^2. */
static inline reals advance(reals *zr, reals *zi, reals cr, reals ci,
                            enum paper_rounding rounding) {
    const reals two = OP(set1)(2), zr_zr = OP(mul)(*zr, *zr), zi_zi = OP(mul)(*zi, *zi);
    const bool contracted = rounding >= PAPER_CONTRACTED, fused = rounding != PAPER_UNFUSED;
    const reals square = contracted ? OP(fnmadd)(*zi, *zi, zr_zr)
                         : fused    ? OP(fmsub)(*zr, *zr, zi_zi)
                                    : OP(sub)(zr_zr, zi_zi);
    if (rounding == PAPER_CONTRACTED)
        *zi = OP(fmadd)(OP(mul)(two, *zr), *zi, ci);
    else /* twice a number is exact */
        *zi = multiply_add(two, OP(mul)(*zr, *zi), ci, fused);
    *zr = OP(add)(square, cr);
    return contracted ? OP(fmadd)(*zi, *zi, OP(mul)(*zr, *zr))
                      : multiply_add(*zr, *zr, OP(mul)(*zi, *zi), fused);
}

/* Returns the counts of a vector. The listing tests `left` lanes: orbits that left long ago are
 * NaN, which compares as false. So a vector whose lanes leave at different times runs up to the
 * limit. */
static inline __m256i follow(reals cr, reals ci, uint32_t limit, enum paper_rounding rounding,
                             bool listed) {
    const reals four = OP(set1)(4);
    reals zr = OP(setzero)(), zi = OP(setzero)();
    __m256i counts = _mm256_setzero_si256(), mask = _mm256_set1_epi32(-1);
    for (uint32_t i = 1; i <= limit; i++) {
        const reals norm = advance(&zr, &zi, cr, ci, rounding);
        const reals left =
            listed ? OP(cmp)(norm, four, _CMP_GT_OQ) : OP(cmp)(norm, four, _CMP_GE_OQ);
        const __m256i now = _mm256_and_si256(bits_of(left), mask);
        counts = _mm256_or_si256(counts, _mm256_and_si256(now, steps_set(i)));
        mask = _mm256_and_si256(mask, _mm256_xor_si256(mask, bits_of(left)));
        if (listed ? OP(movemask)(left) == ALL : _mm256_testz_si256(mask, mask))
            break;
    }
    return counts;
}

static inline void counts_at(const struct paper_job *job, int pos, enum paper_rounding rounding,
                             bool listed) {
    const bool fused = rounding != PAPER_UNFUSED;
    number col[LANES], row[LANES];
    for (int k = 0; k < LANES; k++) {
        col[k] = (number)((pos + k) % job->width_px);
        row[k] = (number)((pos + k) / job->width_px);
    }
    store(job->count + pos,
          follow(place(col, job->step, PAPER_FIRST_RE, fused),
                 place(row, job->step, PAPER_FIRST_IM, fused), job->limit, rounding, listed));
}

PAPER_LOOP(unfused_listed, LANES, counts_at(job, pos, PAPER_UNFUSED, true))
PAPER_LOOP(unfused_mended, LANES, counts_at(job, pos, PAPER_UNFUSED, false))
PAPER_LOOP(fma_listed, LANES, counts_at(job, pos, PAPER_FMA, true))
PAPER_LOOP(contracted_mended, LANES, counts_at(job, pos, PAPER_CONTRACTED, false))
PAPER_LOOP(wide_mended, LANES, counts_at(job, pos, PAPER_CONTRACTED_WIDE, false))

bool PAPER_PROGRAM(const struct paper_job *job, enum paper_rounding rounding, bool listed) {
    static bool (*const programs[PAPER_ROUNDING_COUNT][2])(const struct paper_job *) = {
        [PAPER_UNFUSED] = {unfused_mended, unfused_listed},
        [PAPER_FMA] = {NULL, fma_listed},
        [PAPER_CONTRACTED] = {contracted_mended},
        [PAPER_CONTRACTED_WIDE] = {wide_mended},
    };
    return programs[rounding][listed](job);
}

void BASELINE(const struct loop_job *job) {
    const number *re = job->re, *im = job->im;
#pragma omp parallel for schedule(dynamic) num_threads(job->threads)
    for (int y = 0; y < job->height_px; y++) {
        if (job->stop())
            continue;
        const reals ci = OP(set1)(im[y]);
        uint32_t *row = job->count + (long)y * job->width_px;
        for (int x = 0; x < job->width_px; x += LANES) {
            uint32_t counts[LANES];
            store(counts, follow(OP(loadu)(re + x), ci, job->limit, PAPER_FMA, false));
            for (int k = 0; k < LANES && x + k < job->width_px; k++)
                row[x + k] = counts[k] ? counts[k] : job->limit;
        }
    }
}
