/* What is seen of a perturbed orbit's derivative. */
#ifndef FATHOM_RENDER_DEEP_POINT_SLOPE_END_H
#define FATHOM_RENDER_DEEP_POINT_SLOPE_END_H

#include "render/deep/extended.h"
#include "render/deep/point/point_slope.h"
#include "render/formula/slope.h"

#define SLOPE_END_LOG2 200.0 /* beyond what distances go to; the direction is what is left */

/* Of an orbit that was left at zr + i zi. */
INLINE struct slope perturbed_slope_end(double zr, double zi, bool folds,
                                        const struct perturbed_slope *d) {
    const double a = extended_most(d->d[0], d->d[1]);
    const double b = folds ? extended_most(d->d[2], d->d[3]) : a;
    const int32_t more = perturbed_log2(a < b ? b : a);
    const double log2 = d->log2 + more;
    const double kept = log2 < -SLOPE_END_LOG2  ? -SLOPE_END_LOG2
                        : log2 > SLOPE_END_LOG2 ? SLOPE_END_LOG2
                                                : log2;
    const double one = extended_power(-more), scale = extended_power((int32_t)kept);
    const double xa = d->d[0] * one * scale, ya = d->d[1] * one * scale;
    if (!folds)
        return slope_of(zr, zi, xa, ya, -ya, xa);
    return slope_of(zr, zi, xa, ya, d->d[2] * one * scale, d->d[3] * one * scale);
}

#endif
