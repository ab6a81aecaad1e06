/* Trace step: adds one step of an orbit to its means and least distances. The includer defines the
 * macros of formula_step.h, and real_sqrt(x), rounded once; for vectors also real_set(x) and
 * real_least(a, b). */
#ifndef FATHOM_RENDER_FORMULA_TRACE_STEP_H
#define FATHOM_RENDER_FORMULA_TRACE_STEP_H

#include "render/formula/formula_step.h"
#include "render/formula/trace.h"

#ifdef FORMULA_KERNEL

#ifndef real_set
#define real_set(x)      ((real)(x))
#define real_least(a, b) ((a) < (b) ? (a) : (b))
#endif

/* Returns |z|^2 in units of TRACE_UNIT^2. */
INLINE real trace_square(const real zr, const real zi) {
    const real x = zr * real_set(TRACE_UNIT), y = zi * real_set(TRACE_UNIT), yy = y * y;
    return real_fma(x, x, yy);
}

/* Returns (1 + sin(4 arg z)) / 2, which is 1/2 + sin(2 arg z) cos(2 arg z). */
INLINE real trace_stripe(const real zr, const real zi, const real square) {
    const real x = zr * real_set(TRACE_UNIT), y = zi * real_set(TRACE_UNIT), yy = y * y;
    const real size = square + real_set(TRACE_LEAST);
    const real u = real_fma(x, x, -yy) / size, v = (x + x) * y / size;
    return real_fma(u, v, real_set(0.5));
}

/* Returns the position of |z| between its bounds by the triangle inequality, 0 to 1. `before` is
 * |z| before the step, which raises it to the power and adds c. */
INLINE real trace_triangle(const int power, const real size, const real before, const real c_size) {
    real product = before;
    for (int k = 1; k < power; k++)
        product = product * before;
    const real difference = product - c_size;
    const real least = real_abs(difference), most = product + c_size;
    const real part = (size - least) / (most - least + real_set(TRACE_LEAST));
    const real low = real_least(part, real_set(1)), none = real_set(0), over = -low;
    return -real_least(over, none);
}

INLINE real trace_line(const real zi, const real before) {
    const real y = real_abs(zi);
    return real_least(y, before);
}

INLINE real trace_cross(const real zr, const real zi, const real before) {
    const real x = real_abs(zr), least = trace_line(zi, before);
    return real_least(x, least);
}

INLINE real trace_circle(const real size, const real before) {
    const real inside = size - real_set(1), apart = real_abs(inside);
    return real_least(apart, before);
}

#endif

#endif
