/* The arithmetic of perturbed orbits in doubles, for includers that have defined `real`, real_fma and
 * FORMULA_KERNEL as for formula_step.h. */
#ifndef FATHOM_RENDER_DEEP_PERTURBED_STEPS_H
#define FATHOM_RENDER_DEEP_PERTURBED_STEPS_H

#include "render/inline.h"

#ifdef FORMULA_KERNEL

/* x = (2 Z + z) z */
INLINE_REAL void perturbed_product(const real Zr, const real Zi, const real zr, const real zi,
                                   real *xr, real *xi) {
    const real ar = (Zr + Zr) + zr, ai = (Zi + Zi) + zi;
    *xr = real_fma(ar, zr, -(ai * zi));
    *xi = real_fma(ar, zi, ai * zr);
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
