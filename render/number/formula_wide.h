/* The formulas of formula.h on wide numbers (wide.h), whose arithmetic is one of its own: there is no
 * other, fused or not. |z|^2 is that of the high parts, in fused arithmetic. For vectors the includer has
 * defined real_flip(x, by): x, with the other sign where `by` has a minus. */
#ifndef FATHOM_RENDER_NUMBER_FORMULA_WIDE_H
#define FATHOM_RENDER_NUMBER_FORMULA_WIDE_H

#include "render/formula_step.h"
#include "render/number/wide.h"

#ifdef WIDE_KERNEL

#ifndef real_flip
#define real_flip(x, by) bits_double(double_bits(x) ^ (double_bits(by) & (uint64_t)1 << 63))
#endif

/* |x|, of a number that is nearest. */
INLINE struct wide wide_abs(const struct wide x) {
    struct wide s;
    s.hi = real_flip(x.hi, x.hi);
    s.lo = real_flip(x.lo, x.hi);
    return s;
}

INLINE void wide_step_square(const unsigned folds, struct wide *zr, struct wide *zi,
                             const struct wide cr, const struct wide ci) {
    const struct wide rr = wide_square(*zr), ii = wide_negative(wide_square(*zi));
    const struct wide twice = wide_twice_product(folds & FOLD_X ? wide_abs(*zr) : *zr,
                                                 folds & FOLD_Y ? wide_abs(*zi) : *zi);
    *zr = folds & FOLD_RE ? wide_add(wide_abs(wide_add(rr, ii)), cr) : wide_add3(rr, ii, cr);
    *zi = wide_add(folds & FOLD_NEGATE ? wide_negative(twice) : twice, ci);
}

/* One step of any formula, a compile-time constant. */
INLINE void formula_wide_step(const int formula, struct wide *zr, struct wide *zi,
                              const struct wide cr, const struct wide ci) {
    wide_step_square(formula_traits(formula).folds, zr, zi, cr, ci);
}

#endif

#endif
