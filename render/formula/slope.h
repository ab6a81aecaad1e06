/* Slopes: distance, normal and angle of the escape at a point, from the derivative of an orbit with
 * a known number of steps. Derivatives are per pixel: they neither overflow nor vanish at any zoom
 * at which pixels do neither. */
#ifndef FATHOM_RENDER_FORMULA_SLOPE_H
#define FATHOM_RENDER_FORMULA_SLOPE_H

#include "render/colour.h"

/* Most steps of an orbit with a slope: a GPU thread would take too long with more. */
#define SLOPE_STEPS_MAX (1u << 18)

/* Slope planes of a sample (sample.h), for an orbit that was left at zr + i zi. */
struct slope {
    float distance;
    uint32_t normal, angle;
};

/* Returns the argument of x + iy in turns of 2^32, within 2^-26 of a turn; x^2 + y^2 is not 0. */
INLINE uint32_t slope_angle(double x, double y) {
    const double ax = double_abs(x), ay = double_abs(y);
    const double t = ax < ay ? ax / ay : ay / ax, q = t * t;
    double p = double_fma(q, 0x1.60fff78f9f055p-13, -0x1.25548667359efp-10);
    p = double_fma(q, p, 0x1.c91ee225ee07ap-9);
    p = double_fma(q, p, -0x1.ca30a06e7448dp-8);
    p = double_fma(q, p, 0x1.5ca66b9b73747p-7);
    p = double_fma(q, p, -0x1.ca2818b45b6d6p-7);
    p = double_fma(q, p, 0x1.2028c8c999a3dp-6);
    p = double_fma(q, p, -0x1.7453cee39dfabp-6);
    p = double_fma(q, p, 0x1.04c0f24e2e77bp-5);
    p = double_fma(q, p, -0x1.b29955375d25ep-5);
    p = double_fma(q, p, 0x1.45f306da2b82cp-3);
    double turns = t * p;
    turns = ax < ay ? 0.25 - turns : turns;
    turns = x < 0 ? 0.5 - turns : turns;
    turns = y < 0 ? 1.0 - turns : turns;
    return (uint32_t)colour_round(turns * 0x1p32);
}

/* Returns the argument as slope_angle, or 0 if x^2 + y^2 is out of range. */
INLINE uint32_t slope_angle_any(double x, double y) {
    const double xx = x * x, n2 = double_fma(y, y, xx);
    return n2 > 0x1p-1000 && n2 < 0x1p1000 ? slope_angle(x, y) : 0;
}

/* Returns the slope from z and the derivative matrix (xa, xb; ya, yb) of slope_step_folded. Without
 * folds xb = -ya and yb = xa. Returns zeros if numbers have overflowed or underflowed. */
INLINE struct slope slope_of(double zr, double zi, double xa, double ya, double xb, double yb) {
    struct slope slope = {0, 0, 0};
    const double n2 = double_fma(zr, zr, zi * zi);
    const double gr = double_fma(xa, zr, ya * zi), gi = double_fma(xb, zr, yb * zi);
    const double square = double_fma(gr, gr, gi * gi), g = double_sqrt(square);
    if (!(square > 0x1p-1000 && square < 0x1p1000 && n2 > 1 && n2 < 0x1p1000))
        return slope;
    /* |z| ln |z| / |grad |z||, where ln |z| = log2 |z|^2 (ln 2)/2 */
    const double distance = n2 * (colour_log2(n2) * 0x1.62e42fefa39efp-2) / g;
    slope.distance =
        distance > 0x1p-100 ? distance < 0x1p100 ? (float)distance : 0x1p100f : 0x1p-100f;
    slope.normal = ((uint32_t)colour_round(gr / g * 32767.0) & 0xffffu) |
                   (uint32_t)colour_round(gi / g * 32767.0) << 16;
    slope.angle = slope_angle(zr, zi);
    return slope;
}

#endif
