/* Steps of the derivative of one perturbed orbit. */
#ifndef FATHOM_RENDER_DEEP_POINT_STEP_SLOPE_H
#define FATHOM_RENDER_DEEP_POINT_STEP_SLOPE_H

#include "render/deep/perturbed_slope.h"
#include "render/deep/point/point_slope.h"

#ifdef FORMULA_KERNEL

/* D after a round is as large as doubles like. */
INLINE void perturbed_slope_fit(const struct perturbed_tables *t, const bool folded,
                                struct perturbed_slope *d) {
    const bool folds = perturbed_any_folds(t, folded);
    const double most = slope_size(folds, d->d);
    if (!(most >= SLOPE_LEAST && most < SLOPE_MOST))
        slope_fit(folds, t->unit, t->unit_log2, d->d, &d->log2, &d->by);
}

/* Of the step of that turn where the orbit is at W, with no fit. */
INLINE void perturbed_slope_step(const struct perturbed_tables *t, const bool folded, uint32_t turn,
                                 double wr, double wi, struct perturbed_slope *d) {
    slope_single(perturbed_power(t, folded, turn), perturbed_any_folds(t, folded),
                 perturbed_folds(t, folded, turn), wr, wi, d->by, d->d);
}

INLINE void perturbed_slope_single(const struct perturbed_tables *t, const bool folded,
                                   uint32_t turn, double wr, double wi, struct perturbed_slope *d) {
    perturbed_slope_step(t, folded, turn, wr, wi, d);
    perturbed_slope_fit(t, folded, d);
}

INLINE void perturbed_slope_segment(const struct perturbed_tables *t, const bool folded,
                                    uint32_t turn, uint32_t found, double wr, double wi, double xr,
                                    double xi, struct perturbed_slope *d) {
    const bool folds = perturbed_any_folds(t, folded);
    const GLOBAL struct segment *s = &t->segment[found];
    double numbers[SEGMENT_NUMBERS];
    segment_numbers(t, folded, found, numbers);
    const double scale = extended_power(-s->t_log2);
    const double tr = xr * scale, ti = xi * (folded ? scale * numbers[SEGMENT_SIGN] : scale);
    double sr = s->p[SEGMENT_DEGREE - 1][0], si = s->p[SEGMENT_DEGREE - 1][1];
    double gr = sr, gi = si;
    for (int k = SEGMENT_DEGREE - 2; k >= 0; k--) {
        perturbed_term(&sr, &si, tr, ti, s->p[k][0], s->p[k][1]);
        perturbed_term(&gr, &gi, tr, ti, sr, si);
    }
    slope_single(perturbed_power(t, folded, turn), folds, perturbed_folds(t, folded, turn), wr, wi,
                 0.0, d->d);
    slope_segment(folds, gr, gi, numbers, t->unit, t->unit_log2, d->d, &d->log2, &d->by);
    perturbed_slope_fit(t, folded, d);
}

#endif

#endif
