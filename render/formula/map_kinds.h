/* Steps of each map, in the arithmetic that all devices share. The includer defines the macros of
 * formula_step.h and map_cosine.h. */
#ifndef FATHOM_RENDER_FORMULA_MAP_KINDS_H
#define FATHOM_RENDER_FORMULA_MAP_KINDS_H

#include "render/formula/map.h"
#include "render/formula/map_cosine.h"

#ifdef FORMULA_KERNEL

/* State of an orbit: z, c, and the second number y of maps that have one. */
struct map_point {
    real zr, zi, cr, ci, yr, yi;
};

/* Divides (a + ib)/(c + id): the product with the conjugate, times the reciprocal of |c + id|^2. */
INLINE void map_divide(real *a, real *b, const real c, const real d) {
    const real dd = d * d, bd = *b * d, ad = *a * d;
    const real over = real_from(1) / real_fma(c, c, dd);
    const real r = real_fma(*a, c, bd);
    *b = real_fma(*b, c, -ad) * over;
    *a = r * over;
}

INLINE void map_step_lambda(struct map_point *p) {
    const real wr = real_fma(p->zi, p->zi, real_fma(-p->zr, p->zr, p->zr));
    const real wi = real_fma(-(p->zr + p->zr), p->zi, p->zi);
    const real ii = p->ci * wi, ir = p->ci * wr;
    p->zr = real_fma(p->cr, wr, -ii);
    p->zi = real_fma(p->cr, wi, ir);
}

INLINE void map_step_phoenix(struct map_point *p) {
    const real r = p->zr, i = p->zi;
    const real tr = real_fma(p->ci, p->yr, p->cr), ti = p->ci * p->yi;
    p->zr = real_fma(-i, i, real_fma(r, r, tr));
    p->zi = real_fma(r + r, i, ti);
}

INLINE void map_step_spider(struct map_point *p) {
    const real r = p->zr, i = p->zi;
    p->zr = real_fma(-i, i, real_fma(r, r, p->yr));
    p->zi = real_fma(r + r, i, p->yi);
    p->yr = real_fma(real_from(0.5), p->yr, p->zr);
    p->yi = real_fma(real_from(0.5), p->yi, p->zi);
}

INLINE void map_step_barnsley(struct map_point *p) {
    const real x = p->zr - real_flip(real_from(1), p->zr + real_from(0)); /* -0 counts as 0 */
    const real ii = p->ci * p->zi, ir = p->ci * x;
    p->zr = real_fma(p->cr, x, -ii);
    p->zi = real_fma(p->cr, p->zi, ir);
}

/* Computes z - (z^(p+1) - 1)/((p + 1) z^p) + c = (p z + z^-p)/(p + 1) + c. */
INLINE void map_step_nova(const int power, struct map_point *p) {
    real x = p->zr, y = p->zi, one = real_from(1), none = real_from(0);
    power_square(&x, &y);
    for (int k = 2; k < power; k++)
        power_times(&x, &y, p->zr, p->zi);
    map_divide(&one, &none, x, y);
    const real times = real_from(power), part = real_from(1) / real_from(power + 1);
    p->zr = real_fma(real_fma(times, p->zr, one), part, p->cr);
    p->zi = real_fma(real_fma(times, p->zi, none), part, p->ci);
}

INLINE void map_step_magnet1(struct map_point *p) {
    const real twice = p->zr + p->zr;
    real ur = real_fma(-p->zi, p->zi, real_fma(p->zr, p->zr, p->cr - real_from(1)));
    real ui = real_fma(twice, p->zi, p->ci);
    map_divide(&ur, &ui, twice + (p->cr - real_from(2)), (p->zi + p->zi) + p->ci);
    power_square(&ur, &ui);
    p->zr = ur;
    p->zi = ui;
}

/* Computes (z (z^2 + 3a) + ab over 3z (z + b) + ab + 1)^2, with a = c - 1 and b = c - 2. */
INLINE void map_step_magnet2(struct map_point *p) {
    const real three = real_from(3), br = p->cr - real_from(2), bi = p->ci;
    real abr = p->cr - real_from(1), abi = p->ci, ur = p->zr, ui = p->zi;
    const real ar = abr, ai = abi;
    power_times(&abr, &abi, br, bi);
    power_square(&ur, &ui);
    ur = real_fma(three, ar, ur);
    ui = real_fma(three, ai, ui);
    power_times(&ur, &ui, p->zr, p->zi);
    real vr = p->zr + br, vi = p->zi + bi;
    power_times(&vr, &vi, p->zr, p->zi);
    ur = ur + abr;
    ui = ui + abi;
    map_divide(&ur, &ui, real_fma(three, vr, abr + real_from(1)), real_fma(three, vi, abi));
    power_square(&ur, &ui);
    p->zr = ur;
    p->zi = ui;
}

INLINE void map_step_collatz(struct map_point *p) {
    const real five = real_from(5), seven = real_from(7), two = real_from(2);
    real re, im, fr = real_fma(five, p->zr, two), fi = five * p->zi;
    map_complex_cosine(p->zr, p->zi, &re, &im);
    power_times(&fr, &fi, re, im);
    p->zr = real_fma(real_fma(seven, p->zr, two) - fr, real_from(0.25), p->cr);
    p->zi = real_fma(real_fma(seven, p->zi, -fi), real_from(0.25), p->ci);
}

#endif

#endif
