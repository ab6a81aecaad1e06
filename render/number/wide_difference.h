/* The product x of a formula's first step in wide numbers (perturbed_steps.h): f(Z + z) - f(Z). The
 * includer has defined FORMULA_KERNEL and WIDE_KERNEL, as for formula_wide.h. */
#ifndef FATHOM_RENDER_NUMBER_WIDE_DIFFERENCE_H
#define FATHOM_RENDER_NUMBER_WIDE_DIFFERENCE_H

#include "render/deep/perturbed_steps.h"
#include "render/number/formula_wide.h"

#ifdef WIDE_KERNEL

INLINE struct wide wide_by_sign(const real x, const struct wide a, const struct wide b) {
    struct wide s;
    s.hi = real_by_sign(x, a.hi, b.hi);
    s.lo = real_by_sign(x, a.lo, b.lo);
    return s;
}

/* Returns |Z + z| - |Z|. */
INLINE struct wide wide_fold(const struct wide Z, const struct wide z) {
    const struct wide size = wide_abs(Z), along = wide_by_sign(Z.hi, z, wide_negative(z));
    const struct wide end = wide_add(size, along);
    return wide_by_sign(end.hi, along, wide_negative(wide_add(size, end)));
}

/* Computes (a + x)^2 - a^2 = (2 a + x) x, and a^2. */
INLINE void wide_difference_square(struct wide *ar, struct wide *ai, struct wide *xr,
                                   struct wide *xi) {
    const struct wide tr = wide_add(wide_add(*ar, *ar), *xr);
    const struct wide ti = wide_add(wide_add(*ai, *ai), *xi);
    wide_power_times(xr, xi, tr, ti);
    wide_power_square(ar, ai);
}

/* Computes (a + x) (u + z) - a u = x (u + z) + a z, and a u. */
INLINE void wide_difference_times(struct wide *ar, struct wide *ai, struct wide *xr,
                                  struct wide *xi, const struct wide ur, const struct wide ui,
                                  const struct wide zr, const struct wide zi) {
    struct wide br = *ar, bi = *ai;
    wide_power_times(&br, &bi, zr, zi);
    wide_power_times(xr, xi, wide_add(ur, zr), wide_add(ui, zi));
    *xr = wide_add(*xr, br);
    *xi = wide_add(*xi, bi);
    wide_power_times(ar, ai, ur, ui);
}

/* Computes x as perturbed_difference. */
INLINE void wide_difference(const int power, const unsigned folds, const struct wide Zr,
                            const struct wide Zi, struct wide zr, struct wide zi, struct wide *xr,
                            struct wide *xi) {
    struct wide ur = Zr, ui = Zi;
    if (folds & FOLD_X) {
        zr = wide_fold(Zr, zr);
        ur = wide_abs(Zr);
    }
    if (folds & FOLD_Y) {
        zi = wide_fold(Zi, zi);
        ui = wide_abs(Zi);
    }
    if (folds & FOLD_NEGATE) {
        zi = wide_negative(zi);
        ui = wide_negative(ui);
    }
    struct wide ar = ur, ai = ui;
    *xr = zr;
    *xi = zi;
    POWER_CHAIN(power, wide_difference_square(&ar, &ai, xr, xi),
                wide_difference_times(&ar, &ai, xr, xi, ur, ui, zr, zi));
    if (folds & FOLD_RE)
        *xr = wide_fold(ar, *xr);
    if (folds & FOLD_IM)
        *xi = wide_fold(ai, *xi);
}

#endif

#endif
