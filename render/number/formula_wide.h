/* Steps of the formulas of formula.h in wide numbers (wide.h). |z|^2 is that of the high parts.
 * For vectors the includer has defined real_flip(x, by): x, with the other sign where `by` has a
 * minus. */
#ifndef FATHOM_RENDER_NUMBER_FORMULA_WIDE_H
#define FATHOM_RENDER_NUMBER_FORMULA_WIDE_H

#include "render/formula/formula_step.h"
#include "render/number/wide.h"

#ifdef WIDE_KERNEL

#ifndef real_flip
#define real_flip(x, by) bits_double(double_bits(x) ^ (double_bits(by) & (uint64_t)1 << 63))
#endif

/* Returns |x| of a number that is nearest. */
INLINE struct wide wide_abs(const struct wide x) {
    struct wide s;
    s.hi = real_flip(x.hi, x.hi);
    s.lo = real_flip(x.lo, x.hi);
    return s;
}

INLINE void wide_step_square(const unsigned folds, struct wide *zr, struct wide *zi,
                             const struct wide cr, const struct wide ci) {
    const struct wide rr = wide_square(*zr), ii = wide_negative(wide_square(*zi));
    const struct wide twice = wide_twice_product(folds & (FOLD_X | FOLD_IM) ? wide_abs(*zr) : *zr,
                                                 folds & (FOLD_Y | FOLD_IM) ? wide_abs(*zi) : *zi);
    *zr = folds & FOLD_RE ? wide_add(wide_abs(wide_add(rr, ii)), cr) : wide_add3(rr, ii, cr);
    *zi = wide_add(folds & FOLD_NEGATE ? wide_negative(twice) : twice, ci);
}

INLINE void wide_power_times(struct wide *x, struct wide *y, const struct wide a,
                             const struct wide b) {
    const struct wide r = *x, yb = wide_negative(wide_product(*y, b));
    *x = wide_add(wide_product(r, a), yb);
    *y = wide_add(wide_product(r, b), wide_product(*y, a));
}

INLINE void wide_power_square(struct wide *x, struct wide *y) {
    const struct wide r = *x, s = wide_twice_product(r, *y);
    *x = wide_add(wide_square(r), wide_negative(wide_square(*y)));
    *y = wide_nearest(s.hi, s.lo);
}

/* Makes a step of a third or higher power, as step_power does. Each square and product is made
 * nearest. */
INLINE void wide_step_power(const int power, const unsigned folds, struct wide *zr, struct wide *zi,
                            const struct wide cr, const struct wide ci) {
    struct wide x = *zr, y = *zi;
    if (folds & FOLD_X)
        x = wide_abs(x);
    if (folds & FOLD_Y)
        y = wide_abs(y);
    if (folds & FOLD_NEGATE)
        y = wide_negative(y);
    const struct wide a = x, b = y;
    POWER_CHAIN(power, wide_power_square(&x, &y), wide_power_times(&x, &y, a, b));
    if (folds & FOLD_RE)
        x = wide_abs(x);
    if (folds & FOLD_IM)
        y = wide_abs(y);
    *zr = wide_add(x, cr);
    *zi = wide_add(y, ci);
}

#endif

#endif
