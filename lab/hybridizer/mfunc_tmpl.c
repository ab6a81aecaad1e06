/* Loop of seed 002, compiled once per instruction set and number type. It runs one vector at a
 * time, in an endless loop in which the end of an orbit is an if, as in the seed. */
#include "lab/hybridizer/mfunc.h"
#include <string.h>

#if defined MFUNC_ISA_AVX512
#include <immintrin.h>
#define VECTOR_BYTES 64
#define ISA_NAME     avx512
#elif defined MFUNC_ISA_AVX2
#include <immintrin.h>
#define VECTOR_BYTES 32
#define ISA_NAME     avx2
#else
#define ISA_NAME base
#endif

/* number: in memory; lane: as it is computed with; wide: a product of two; counter: as wide as a
 * lane. */
#if defined MFUNC_TYPE_FLOAT
typedef float number, lane, wide;
typedef int32_t counter;
#define TYPE_NAME float
#define FOUR      4
#elif defined MFUNC_TYPE_DOUBLE
typedef double number, lane, wide;
typedef int64_t counter;
#define TYPE_NAME double
#define FOUR      4
#else
typedef int32_t number;
typedef int64_t lane, wide, counter;
#define TYPE_NAME fixed
#define FOUR      (INT64_C(4) << 2 * MFUNC_FIXED_BITS)
#endif

#define NAME3(what, isa, type) mfunc_##what##_##isa##_##type
#define NAME2(what, isa, type) NAME3(what, isa, type)
#define NAME(what)             NAME2(what, ISA_NAME, TYPE_NAME)

mfunc_fn NAME(follow);

#ifndef VECTOR_BYTES

#ifdef MFUNC_TYPE_FIXED
#define product(a, b) ((wide)(a) * (b))
#define narrow(x)     ((x) >> MFUNC_FIXED_BITS)
#else
#define product(a, b) ((a) * (b))
#define narrow(x)     (x)
#endif

/* Iterates a point; the function as published. */
static uint32_t direct(number zr, number zi, number cr, number ci, uint32_t max, number *fr,
                       number *fi) {
    uint32_t i = 0;
    wide zr2 = 0, zi2 = 0;
    while (i < max && zr2 + zi2 < FOUR) {
        zr2 = product(zr, zr);
        zi2 = product(zi, zi);
        const wide t = product(zr, zi);
        zr = (number)(narrow(zr2 - zi2) + cr);
        zi = (number)(narrow(t + t) + ci);
        i++;
    }
    *fr = zr;
    *fi = zi;
    return zr2 + zi2 < FOUR ? 0 : i;
}

void NAME(follow)(const struct mfunc_points *p) {
    const number *cr = p->cr, *ci = p->ci;
    number *zr = p->zr, *zi = p->zi;
    for (size_t k = 0; k < p->size; k++)
        p->depth[k] = direct(zr[k], zi[k], cr[k], ci[k], p->max, &zr[k], &zi[k]);
}

#else

mfunc_fn NAME(masked);

#define LANES (VECTOR_BYTES / (int)sizeof(lane))
typedef lane reals __attribute__((vector_size(VECTOR_BYTES)));
typedef counter counters __attribute__((vector_size(VECTOR_BYTES)));

/* A true value has all bits of a counter set; bits_of collects one bit per lane. */
#if defined MFUNC_ISA_AVX512 && defined MFUNC_TYPE_FLOAT
#define bits_of(truth) ((unsigned)_mm512_movepi32_mask((__m512i)(truth)))
#elif defined MFUNC_ISA_AVX512
#define bits_of(truth) ((unsigned)_mm512_movepi64_mask((__m512i)(truth)))
#elif defined MFUNC_TYPE_FLOAT
#define bits_of(truth) ((unsigned)_mm256_movemask_ps((__m256)(truth)))
#else
#define bits_of(truth) ((unsigned)_mm256_movemask_pd((__m256d)(truth)))
#endif

/* Fixed-point numbers occupy the lower 32 bits of lanes of 64, as the multiplication needs them. So
 * a logical shift, which garbles the upper bits, is enough, and the arithmetic shift that AVX2
 * lacks is not needed. */
#ifdef MFUNC_TYPE_FIXED
typedef uint64_t patterns __attribute__((vector_size(VECTOR_BYTES)));
#ifdef MFUNC_ISA_AVX512
#define product(a, b) ((reals)_mm512_mul_epi32((__m512i)(a), (__m512i)(b)))
#else
#define product(a, b) ((reals)_mm256_mul_epi32((__m256i)(a), (__m256i)(b)))
#endif
#define narrow(x) ((reals)((patterns)(x) >> MFUNC_FIXED_BITS))
#else
#define product(a, b) ((a) * (b))
#define narrow(x)     (x)
#endif

static inline reals reals_of(const number *p) {
    reals result;
#ifdef MFUNC_TYPE_FIXED
    for (int k = 0; k < LANES; k++)
        result[k] = p[k];
#else
    memcpy(&result, p, sizeof result);
#endif
    return result;
}

static inline void reals_store(number *p, reals x) {
#ifdef MFUNC_TYPE_FIXED
    for (int k = 0; k < LANES; k++)
        p[k] = (number)x[k];
#else
    memcpy(p, &x, sizeof x);
#endif
}

/* Orbits in the lanes. */
struct orbits {
    reals zr, zi, cr, ci;
    counters i;
};

/* Points in the lanes, and the next point. */
struct feed {
    const struct mfunc_points *points;
    size_t next, left; /* number of the next point; points without a depth yet */
    size_t at[LANES];
};

/* Gives lane k the next point, or a point that never ends. */
static inline void start(struct orbits *o, struct feed *feed, int k) {
    const struct mfunc_points *p = feed->points;
    const size_t at = feed->next;
    const bool there = at < p->size;
    feed->at[k] = at;
    feed->next += there;
    o->zr[k] = there ? ((const number *)p->zr)[at] : 0;
    o->zi[k] = there ? ((const number *)p->zi)[at] : 0;
    o->cr[k] = there ? ((const number *)p->cr)[at] : 0;
    o->ci[k] = there ? ((const number *)p->ci)[at] : 0;
    o->i[k] = there ? 0 : INT32_MIN;
}

static inline void change(struct orbits *o, struct feed *feed, unsigned done, unsigned escaped) {
    const struct mfunc_points *p = feed->points;
    for (; done; done &= done - 1) {
        const int k = __builtin_ctz(done);
        const size_t at = feed->at[k];
        p->depth[at] = escaped >> k & 1 ? (uint32_t)o->i[k] : 0;
        ((number *)p->zr)[at] = (number)o->zr[k];
        ((number *)p->zi)[at] = (number)o->zi[k];
        feed->left--;
        start(o, feed, k);
    }
}

void NAME(follow)(const struct mfunc_points *p) {
    const counters one = (counters){0} + 1, last = one * (counter)p->max;
    const reals four = (reals){0} + FOUR;
    struct feed feed = {.points = p, .left = p->size};
    struct orbits o;
    for (int k = 0; k < LANES; k++)
        start(&o, &feed, k);
    while (feed.left > 0) {
        const reals zr2 = product(o.zr, o.zr), zi2 = product(o.zi, o.zi);
        const reals t = product(o.zr, o.zi);
        o.zr = narrow(zr2 - zi2) + o.cr;
        o.zi = narrow(t + t) + o.ci;
        o.i += one;
        const counters escaped = (counters)(zr2 + zi2 >= four);
        const unsigned done = bits_of(escaped | (counters)(o.i >= last));
        if (done) {
            struct orbits changed = o; /* a copy, so that the loop's orbits stay in registers */
            change(&changed, &feed, done, bits_of(escaped));
            o = changed;
        }
    }
}

static inline reals select(counters truth, reals a, reals b) {
    return (reals)((truth & (counters)a) | (~truth & (counters)b));
}

void NAME(masked)(const struct mfunc_points *p) {
    const reals four = (reals){0} + FOUR;
    number *all_zr = p->zr, *all_zi = p->zi;
    for (size_t at = 0; at < p->size; at += LANES) {
        const reals cr = reals_of((const number *)p->cr + at);
        const reals ci = reals_of((const number *)p->ci + at);
        reals zr = reals_of(all_zr + at), zi = reals_of(all_zi + at);
        counters going = (counters){0} - 1, steps = (counters){0};
        for (uint32_t i = 0; i < p->max; i++) {
            const reals zr2 = product(zr, zr), zi2 = product(zi, zi), t = product(zr, zi);
            zr = select(going, narrow(zr2 - zi2) + cr, zr);
            zi = select(going, narrow(t + t) + ci, zi);
            steps -= going;
            going &= (counters)(zr2 + zi2 < four);
        }
        reals_store(all_zr + at, zr);
        reals_store(all_zi + at, zi);
        for (int k = 0; k < LANES; k++)
            p->depth[at + (size_t)k] = going[k] ? 0 : (uint32_t)steps[k];
    }
}

#endif
