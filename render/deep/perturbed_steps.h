/* The arithmetic of perturbed orbits in doubles, for includers that have defined `real`, real_fma and
 * FORMULA_KERNEL as for formula_step.h; for vectors also real_by_sign(x, a, b): b where x < 0, or else a. */
#ifndef FATHOM_RENDER_DEEP_PERTURBED_STEPS_H
#define FATHOM_RENDER_DEEP_PERTURBED_STEPS_H

#include "render/formula/formula_step.h"
#include "render/inline.h"

#ifdef FORMULA_KERNEL

#ifndef real_abs
#define real_abs(x) double_abs(x)
#endif
#ifndef real_by_sign
#define real_by_sign(x, a, b) ((x) < 0 ? (b) : (a))
#endif

/* x = (2 Z + z) z */
INLINE_REAL void perturbed_product(const real Zr, const real Zi, const real zr, const real zi,
                                   real *xr, real *xi) {
    const real ar = (Zr + Zr) + zr, ai = (Zi + Zi) + zi;
    *xr = real_fma(ar, zr, -(ai * zi));
    *xi = real_fma(ar, zi, ai * zr);
}

/* |Z + z| - |Z| */
INLINE_REAL real perturbed_fold(const real Z, const real z) {
    const real size = real_abs(Z), along = real_by_sign(Z, z, -z);
    return real_by_sign(size + along, along, -((size + size) + along));
}

/* (a + x)^2 - a^2 = (2 a + x) x, and a^2 */
INLINE_REAL void perturbed_square(real *ar, real *ai, real *xr, real *xi) {
    const real tr = (*ar + *ar) + *xr, ti = (*ai + *ai) + *xi, r = *xr;
    *xr = real_fma(tr, r, -(ti * *xi));
    *xi = real_fma(tr, *xi, ti * r);
    power_square(ar, ai);
}

/* (a + x) (u + z) - a u = x (u + z) + a z, and a u */
INLINE_REAL void perturbed_times(real *ar, real *ai, real *xr, real *xi, const real ur,
                                 const real ui, const real zr, const real zi) {
    const real wr = ur + zr, wi = ui + zi, r = *xr;
    *xr = real_fma(r, wr, -(*xi * wi)) + real_fma(*ar, zr, -(*ai * zi));
    *xi = real_fma(r, wi, *xi * wr) + real_fma(*ar, zi, *ai * zr);
    power_times(ar, ai, ur, ui);
}

/* x = f(Z + z) - f(Z), f being a power and its folds without c: the chain of step_power, in differences. */
INLINE_REAL void perturbed_difference(const int power, const unsigned folds, const real Zr,
                                      const real Zi, real zr, real zi, real *xr, real *xi) {
    real ur = Zr, ui = Zi;
    if (folds & FOLD_X) {
        zr = perturbed_fold(Zr, zr);
        ur = real_abs(Zr);
    }
    if (folds & FOLD_Y) {
        zi = perturbed_fold(Zi, zi);
        ui = real_abs(Zi);
    }
    if (folds & FOLD_NEGATE) {
        zi = -zi;
        ui = -ui;
    }
    real ar = ur, ai = ui;
    *xr = zr;
    *xi = zi;
    perturbed_square(&ar, &ai, xr, xi);
    if (power == 3 || power == 6 || power == 7)
        perturbed_times(&ar, &ai, xr, xi, ur, ui, zr, zi);
    if (power > 3)
        perturbed_square(&ar, &ai, xr, xi);
    if (power == 8)
        perturbed_square(&ar, &ai, xr, xi);
    if (power == 5 || power == 7)
        perturbed_times(&ar, &ai, xr, xi, ur, ui, zr, zi);
    if (folds & FOLD_RE)
        *xr = perturbed_fold(ar, *xr);
    if (folds & FOLD_IM)
        *xi = perturbed_fold(ai, *xi);
}

/* z += B conj(c) */
INLINE_REAL void perturbed_land_bar(const real Br, const real Bi, const real cr, const real ci,
                                    real *zr, real *zi) {
    *zr = real_fma(Br, cr, real_fma(Bi, ci, *zr));
    *zi = real_fma(Bi, cr, real_fma(-Br, ci, *zi));
}

/* One term of Horner's scheme: sum = sum t + p. */
INLINE_REAL void perturbed_term(real *sr, real *si, const real tr, const real ti, const real pr,
                                const real pi) {
    const real r = real_fma(*sr, tr, real_fma(-*si, ti, pr));
    *si = real_fma(*sr, ti, real_fma(*si, tr, pi));
    *sr = r;
}

/* z = sum t + C c */
INLINE_REAL void perturbed_land(const real sr, const real si, const real tr, const real ti,
                                const real Cr, const real Ci, const real cr, const real ci,
                                real *zr, real *zi) {
    *zr = real_fma(sr, tr, -(si * ti)) + real_fma(Cr, cr, -(Ci * ci));
    *zi = real_fma(sr, ti, si * tr) + real_fma(Cr, ci, Ci * cr);
}

#endif

#endif
