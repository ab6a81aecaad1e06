/* Extended numbers (render/deep/extended.h) whose parts are wide numbers. The includer has defined
 * WIDE_KERNEL, and `real` as double, as for wide.h. */
#ifndef FATHOM_RENDER_NUMBER_WIDE_EXTENDED_H
#define FATHOM_RENDER_NUMBER_WIDE_EXTENDED_H

#include "render/deep/perturbed_point.h"
#include "render/number/wide.h"

#ifdef WIDE_KERNEL

/* (re + i im) 2^log2, 0.5 <= max(|re.hi|, |im.hi|) < 1; zero has EXTENDED_ZERO. */
struct wide_extended {
    struct wide re, im;
    int32_t log2;
};

INLINE struct wide wide_of(const double hi, const double lo) {
    struct wide x;
    x.hi = hi;
    x.lo = lo;
    return x;
}

/* Returns x times a power of two. */
INLINE struct wide wide_scaled(const struct wide x, const double by) {
    return wide_of(x.hi * by, x.lo * by);
}

/* Computes (ar + i ai) (br + i bi). */
INLINE void wide_complex_product(const struct wide ar, const struct wide ai, const struct wide br,
                                 const struct wide bi, struct wide *re, struct wide *im) {
    *re = wide_add(wide_product(ar, br), wide_negative(wide_product(ai, bi)));
    *im = wide_add(wide_product(ar, bi), wide_product(ai, br));
}

/* s = s t + p */
INLINE void wide_complex_term(struct wide *sr, struct wide *si, const struct wide tr,
                              const struct wide ti, const struct wide pr, const struct wide pi) {
    const struct wide r =
        wide_add3(wide_product(*sr, tr), wide_negative(wide_product(*si, ti)), pr);
    *si = wide_add3(wide_product(*sr, ti), wide_product(*si, tr), pi);
    *sr = r;
}

/* Makes an extended number of numbers whose high parts are normal doubles. */
INLINE struct wide_extended wide_extended_make(const struct wide re, const struct wide im,
                                               int32_t log2) {
    const struct extended high = extended_make(re.hi, im.hi, log2);
    const double scale = high.log2 == EXTENDED_ZERO ? 0.0 : extended_power(log2 - high.log2);
    const struct wide_extended a = {wide_of(high.re, re.lo * scale),
                                    wide_of(high.im, im.lo * scale), high.log2};
    return a;
}

INLINE struct wide_extended wide_extended_product(const struct wide_extended a,
                                                  const struct wide_extended b) {
    const bool zero = a.log2 == EXTENDED_ZERO || b.log2 == EXTENDED_ZERO;
    struct wide re, im;
    wide_complex_product(a.re, a.im, b.re, b.im, &re, &im);
    return wide_extended_make(re, im, zero ? 0 : a.log2 + b.log2);
}

INLINE struct wide_extended wide_extended_sum(const struct wide_extended a,
                                              const struct wide_extended b) {
    const struct wide_extended large = a.log2 < b.log2 ? b : a, small = a.log2 < b.log2 ? a : b;
    const int32_t apart = large.log2 - small.log2;
    const double scale = apart > EXTENDED_APART ? 0.0 : extended_power(-apart);
    return wide_extended_make(wide_add(large.re, wide_scaled(small.re, scale)),
                              wide_add(large.im, wide_scaled(small.im, scale)), large.log2);
}

/* Compares max-norms. */
INLINE bool wide_extended_less(const struct wide_extended a, const struct wide_extended b) {
    const struct extended high_a = {a.re.hi, a.im.hi, a.log2}, high_b = {b.re.hi, b.im.hi, b.log2};
    return extended_less(high_a, high_b);
}

/* Returns Z at index m. */
INLINE struct wide_extended wide_extended_at(const struct perturbed_tables *t, uint32_t m) {
    const uint32_t small = perturbed_small_at(t, m);
    if (small < t->smalls) {
        const GLOBAL struct perturbed_small *s = &t->small[small];
        const struct wide_extended Z = {wide_of(s->z.re, s->re_low), wide_of(s->z.im, s->im_low),
                                        s->z.log2};
        return Z;
    }
    const GLOBAL double *high = t->orbit + 2 * (size_t)m, *low = t->orbit_low + 2 * (size_t)m;
    return wide_extended_make(wide_of(high[0], low[0]), wide_of(high[1], low[1]), 0);
}

#endif

#endif
