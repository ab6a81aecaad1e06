/* Complex cosine for maps, from operations that every device rounds equally. The includer defines
 * the macros of formula_step.h, and these:
 *   real_from(x)       x for all lanes
 *   real_flip(x, by)   x, negated if the sign bit of `by` is set
 *   real_power2(k)     2^k for a whole number k in -80 .. 80
 *   REAL_WHOLE         number that rounds another to a whole number if added and subtracted */
#ifndef FATHOM_RENDER_FORMULA_MAP_COSINE_H
#define FATHOM_RENDER_FORMULA_MAP_COSINE_H

#include "render/formula/formula_step.h"

#ifdef FORMULA_KERNEL

/* Returns sin(pi x)/x by its series in q = x^2, for |x| <= 1/2. */
INLINE real map_sine(const real q) {
    real s = real_from(0x1.2877020d52cf0p-31); /* pi^21/21! ... */
    s = real_fma(s, q, real_from(-0x1.8a404211f9547p-26));
    s = real_fma(s, q, real_from(0x1.aaec32af93359p-21));
    s = real_fma(s, q, real_from(-0x1.6fadb9f155744p-16));
    s = real_fma(s, q, real_from(0x1.e8f434d018d63p-12));
    s = real_fma(s, q, real_from(-0x1.e3074fde8871fp-8));
    s = real_fma(s, q, real_from(0x1.50783487ee782p-4));
    s = real_fma(s, q, real_from(-0x1.32d2cce62bd86p-1));
    s = real_fma(s, q, real_from(0x1.466bc6775aae2p+1));
    s = real_fma(s, q, real_from(-0x1.4abbce625be53p+2));
    return real_fma(s, q, real_from(0x1.921fb54442d18p+1));
}

/* Returns cos(pi x) by its series in q = x^2, for |x| <= 1/2. */
INLINE real map_cosine(const real q) {
    real s = real_from(0x1.ef6e308d6d1c4p-29); /* pi^20/20! ... */
    s = real_fma(s, q, real_from(-0x1.2a0c591af8314p-23));
    s = real_fma(s, q, real_from(0x1.20c62c2f2d7f5p-18));
    s = real_fma(s, q, real_from(-0x1.b6e24f44b128fp-14));
    s = real_fma(s, q, real_from(0x1.f9d38a3763cc3p-10));
    s = real_fma(s, q, real_from(-0x1.a6d1f2a204a8cp-6));
    s = real_fma(s, q, real_from(0x1.e1f506891babbp-3));
    s = real_fma(s, q, real_from(-0x1.55d3c7e3cbffap+0));
    s = real_fma(s, q, real_from(0x1.03c1f081b5ac4p+2));
    s = real_fma(s, q, real_from(-0x1.3bd3cc9be45dep+2));
    return real_fma(s, q, real_from(1));
}

/* Returns 2^x by its series, for |x| <= 1/2. */
INLINE real map_power2(const real x) {
    real s = real_from(0x1.816193166d0f9p-40); /* (ln 2)^13/13! ... */
    s = real_fma(s, x, real_from(0x1.c3bd650fc2986p-36));
    s = real_fma(s, x, real_from(0x1.e8cac7351bb25p-32));
    s = real_fma(s, x, real_from(0x1.e4cf5158b8ecap-28));
    s = real_fma(s, x, real_from(0x1.b5253d395e7c4p-24));
    s = real_fma(s, x, real_from(0x1.62c0223a5c824p-20));
    s = real_fma(s, x, real_from(0x1.ffcbfc588b0c7p-17));
    s = real_fma(s, x, real_from(0x1.430912f86c787p-13));
    s = real_fma(s, x, real_from(0x1.5d87fe78a6731p-10));
    s = real_fma(s, x, real_from(0x1.3b2ab6fba4e77p-7));
    s = real_fma(s, x, real_from(0x1.c6b08d704a0c0p-5));
    s = real_fma(s, x, real_from(0x1.ebfbdff82c58fp-3));
    s = real_fma(s, x, real_from(0x1.62e42fefa39efp-1));
    return real_fma(s, x, real_from(1));
}

/* Computes cos(pi (x + iy)) = cos(pi x) cosh(pi y) - i sin(pi x) sinh(pi y), for |y| <= 32. */
INLINE void map_complex_cosine(const real x, const real y, real *re, real *im) {
    const real turns = x * real_from(0.5),
               whole = (turns + real_from(REAL_WHOLE)) - real_from(REAL_WHOLE);
    const real turn = real_fma(real_from(-2), whole, x); /* -1 .. 1 */
    const real s = real_from(0.5) - real_abs(turn), q = s * s;
    const real cosine = map_sine(q) * s, sine = real_flip(map_cosine(q), turn);
    const real powers = y * real_from(0x1.22123045b5decp+2); /* pi/ln 2 */
    const real k = (powers + real_from(REAL_WHOLE)) - real_from(REAL_WHOLE);
    const real k_half =
        /* Half of k: each of two factors 2^k_half and 2^(k - k_half) is in the range of floats. */
        (k * real_from(0.5) + real_from(REAL_WHOLE)) - real_from(REAL_WHOLE);
    const real rest = real_fma(y, real_from(-0x1.8eb19cc5f4fe4p-52),
                               real_fma(y, real_from(0x1.22123045b5decp+2), -k));
    const real up = (map_power2(rest) * real_power2(k_half)) * real_power2(k - k_half);
    const real down = real_from(1) / up;
    *re = cosine * ((up + down) * real_from(0.5));
    *im = -(sine * ((up - down) * real_from(0.5)));
}

#endif

#endif
