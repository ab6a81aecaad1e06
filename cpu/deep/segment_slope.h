/* What segments make of the derivatives of a vector of orbits, as group_slope.h. */
#ifndef FATHOM_CPU_DEEP_SEGMENT_SLOPE_H
#define FATHOM_CPU_DEEP_SEGMENT_SLOPE_H

#include "cpu/deep/single_slope.h"

#define EACH_NUMBER _Pragma("GCC unroll 8") for (int i = 0; i < SEGMENT_NUMBERS; i++)

/* What segments that lanes take have besides. */
struct lane_segments {
#ifdef PERTURBED_SLOPE
    _Alignas(64) double numbers[SEGMENT_NUMBERS][LANES];
#else
    int none;
#endif
};

#ifdef PERTURBED_SLOPE
/* A term of a segment's sum, and of its derivative. */
INLINE void slopes_term(real *sr, real *si, real *gr, real *gi, real tr, real ti, real pr,
                        real pi) {
    perturbed_term(sr, si, tr, ti, pr, pi);
    perturbed_term(gr, gi, tr, ti, *sr, *si);
}

/* What a segment for each makes of them, or one for all, after its first step. */
INLINE void slopes_segment(const struct perturbed_tables *t, const real s[SEGMENT_NUMBERS],
                           struct slopes *d, real gr, real gi) {
    slope_segment(perturbed_any_folds(t, FOLDED), gr, gi, s, real_set(t->unit),
                  real_set(t->unit_log2), d->d, &d->log2, &d->by);
}

/* Those of the lanes; `plain` ones make single steps. */
INLINE void slopes_segments(const struct perturbed_tables *t, const struct turns *turns,
                            const struct lane_segments *s, lanes plain, struct slopes *d, real wr,
                            real wi, real gr, real gi) {
    struct slopes single = *d;
    real numbers[SEGMENT_NUMBERS];
    slopes_singles(t, turns, 0, &single, wr, wi);
    EACH_NUMBER numbers[i] = real_load(s->numbers[i]);
    slopes_add_singles(t, turns, 0, real_set(0), d, wr, wi);
    slopes_segment(t, numbers, d, gr, gi);
    *d = slopes_select(plain, &single, d);
}

/* A lane's; without a segment it makes a single step. */
static inline void slopes_set_segment(const struct perturbed_tables *t, struct lane_segments *to,
                                      int lane, int64_t found) {
    double numbers[SEGMENT_NUMBERS] = {0};
    if (found >= 0)
        segment_numbers(t, FOLDED, (size_t)found, numbers);
    EACH_NUMBER to->numbers[i][lane] = numbers[i];
}

/* The same segment for all. */
INLINE void slopes_segment_together(const struct perturbed_tables *t, uint32_t turn, int64_t found,
                                    struct slopes *d, real wr, real wi, real gr, real gi) {
    double of_all[SEGMENT_NUMBERS];
    real numbers[SEGMENT_NUMBERS];
    segment_numbers(t, FOLDED, (size_t)found, of_all);
    EACH_NUMBER numbers[i] = real_set(of_all[i]);
    slopes_add_single(t, turn, real_set(0), d, wr, wi);
    slopes_segment(t, numbers, d, gr, gi);
}
#else
#define slopes_set_segment(t, to, lane, found) ((void)(to))
#define slopes_term(sr, si, gr, gi, tr, ti, pr, pi)                                                \
    ((void)(gr), (void)(gi), perturbed_term(sr, si, tr, ti, pr, pi))
#define slopes_segments(t, turns, s, plain, d, wr, wi, gr, gi)                                     \
    ((void)(t), (void)(d), (void)(wr), (void)(wi))
#define slopes_segment_together(t, turn, found, d, wr, wi, gr, gi)                                 \
    ((void)(turn), (void)(d), (void)(wr), (void)(wi))
#endif

#endif
