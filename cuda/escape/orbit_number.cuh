/* What of an orbit depends on its kind of number. */
#ifndef FATHOM_CUDA_ESCAPE_ORBIT_NUMBER_CUH
#define FATHOM_CUDA_ESCAPE_ORBIT_NUMBER_CUH

#include "render/grid/coords_point.h"
#include "render/interior.h"
#include <math.h>

#define ORBIT_LONG_BLOCK 64
#define ORBIT_WIDE_BLOCK 16 /* the same for wide numbers, whose steps are ten times as long */

INLINE float real_fma(float a, float b, float c) {
    return fmaf(a, b, c);
}

INLINE double real_fma(double a, double b, double c) {
    return fma(a, b, c);
}

/* x, its sign changed where that of `by` is set. */
INLINE double real_flip(double x, double by) {
    return bits_double(double_bits(x) ^ (double_bits(by) & 0x8000000000000000u));
}

INLINE float real_flip(float x, float by) {
    return __uint_as_float(__float_as_uint(x) ^ (__float_as_uint(by) & 0x80000000u));
}
#define real_flip real_flip

typedef double real; /* of which wide numbers are made; templates call so what they are for */
#define FORMULA_KERNEL
#define WIDE_KERNEL
#include "render/number/formula_wide.h"

INLINE void formula_step(const int formula, bool, struct wide *zr, struct wide *zi,
                         const struct wide cr, const struct wide ci) {
    formula_wide_step(formula, zr, zi, cr, ci);
}

INLINE double norm2(bool, const struct wide zr, const struct wide zi) {
    return norm2(true, zr.hi, zi.hi);
}

INLINE double orbit_margin(float) {
    return INTERIOR_MARGIN_FLOAT;
}

INLINE double orbit_margin(double) {
    return INTERIOR_MARGIN_DOUBLE;
}

INLINE double orbit_margin(struct wide) {
    return INTERIOR_MARGIN_DOUBLE;
}

/* The double nearest to a number. */
INLINE double orbit_high(double a) {
    return a;
}

INLINE double orbit_high(struct wide a) {
    return a.hi;
}

INLINE bool orbit_same(float a, float b) {
    return __float_as_uint(a) == __float_as_uint(b);
}

INLINE bool orbit_same(double a, double b) {
    return __double_as_longlong(a) == __double_as_longlong(b);
}

INLINE bool orbit_same(struct wide a, struct wide b) {
    return orbit_same(a.hi, b.hi) && orbit_same(a.lo, b.lo);
}

/* The length of long blocks, and of those at whose ends returns are looked for. Short ones find more of them;
 * they would cost doubles 3%. */
INLINE constexpr int orbit_long_block(float, bool cycle) {
    return cycle ? ORBIT_LONG_BLOCK / 2 : ORBIT_LONG_BLOCK;
}

INLINE constexpr int orbit_long_block(double, bool) {
    return ORBIT_LONG_BLOCK;
}

INLINE constexpr int orbit_long_block(struct wide, bool) {
    return ORBIT_WIDE_BLOCK;
}

/* The bits that differ first. */
INLINE uint32_t orbit_word(float a) {
    return __float_as_uint(a);
}

INLINE uint32_t orbit_word(double a) {
    return (uint32_t)__double2loint(a);
}

INLINE uint32_t orbit_word(struct wide a) {
    return orbit_word(a.hi);
}

/* The c of a pixel; see coords_point.h. `table` is of the type's entries. */
INLINE void orbit_place(const void *table, bool upright, uint32_t width, uint32_t x, uint32_t y,
                        float *cr, float *ci) {
    coords_point_float((const struct coords_float *)table, upright, width, x, y, cr, ci);
}

INLINE void orbit_place(const void *table, bool upright, uint32_t width, uint32_t x, uint32_t y,
                        double *cr, double *ci) {
    coords_point_double((const struct coords_double *)table, upright, width, x, y, cr, ci);
}

INLINE void orbit_place(const void *table, bool upright, uint32_t width, uint32_t x, uint32_t y,
                        struct wide *cr, struct wide *ci) {
    coords_point_wide((const struct coords_wide *)table, upright, width, x, y, &cr->hi, &cr->lo,
                      &ci->hi, &ci->lo);
}

#endif
