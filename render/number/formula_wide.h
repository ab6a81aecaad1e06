/* The formulas of formula.h on wide numbers (wide.h), whose arithmetic is one of its own: there is no
 * other, fused or not. |z|^2 is that of the high parts, in fused arithmetic. */
#ifndef FATHOM_RENDER_NUMBER_FORMULA_WIDE_H
#define FATHOM_RENDER_NUMBER_FORMULA_WIDE_H

#include "render/formula.h"
#include "render/number/wide.h"

#ifdef WIDE_KERNEL

INLINE void wide_step_mandelbrot(struct wide *zr, struct wide *zi, const struct wide cr,
                                 const struct wide ci) {
    const struct wide twice = wide_twice_product(*zr, *zi);
    *zr = wide_add3(wide_square(*zr), wide_negative(wide_square(*zi)), cr);
    *zi = wide_add(twice, ci);
}

/* The same with the other sign of the imaginary part's product. */
INLINE void wide_step_tricorn(struct wide *zr, struct wide *zi, const struct wide cr,
                              const struct wide ci) {
    const struct wide twice = wide_twice_product(*zr, *zi);
    *zr = wide_add3(wide_square(*zr), wide_negative(wide_square(*zi)), cr);
    *zi = wide_add(wide_negative(twice), ci);
}

/* One step of any formula, a compile-time constant. */
INLINE void formula_wide_step(const int formula, struct wide *zr, struct wide *zi,
                              const struct wide cr, const struct wide ci) {
    switch (formula) {
#define FORMULA_CASE(name, ...)                                                                    \
    case FORMULA_##name:                                                                           \
        wide_step_##name(zr, zi, cr, ci);                                                          \
        break;
        FORMULA_LIST(FORMULA_CASE)
#undef FORMULA_CASE
    }
}

#endif

#endif
