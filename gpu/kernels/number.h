/* Number of an orbit: a float, a double or a wide number (render/number/wide.h), chosen by
 * NUMBER_FLOAT, NUMBER_DOUBLE or NUMBER_WIDE. `value` is the number; `real` is the type of squares,
 * derivatives and the parts of a wide number. */
#ifndef FATHOM_GPU_KERNELS_NUMBER_H
#define FATHOM_GPU_KERNELS_NUMBER_H

#define FORMULA_KERNEL
#ifdef NUMBER_FLOAT
#define real             float
#define real_fma         float_fma
#define real_sqrt        float_sqrt
#define real_flip(x, by) bits_float(float_bits(x) ^ (float_bits(by) & 0x80000000u))
#define real_power2(k)   bits_float(float_bits((k) + (0x1.8p23f + 127)) << 23)
#define REAL_WHOLE       0x1.8p23
#else
#define real             double
#define real_fma         double_fma
#define real_sqrt        double_sqrt
#define real_flip(x, by) bits_double(double_bits(x) ^ (double_bits(by) & 0x8000000000000000u))
#define real_power2(k)   bits_double(double_bits((k) + (0x1.8p52 + 1023)) << 52)
#define REAL_WHOLE       0x1.8p52
#endif
#define real_from(x) ((real)(x))
#ifdef NUMBER_WIDE
#define WIDE_KERNEL
#endif

#include "gpu/kernels/language.h"
#include "render/formula/inside.h"
#include "render/grid/coords_point.h"
#include "render/interior.h"
#include "render/number/formula_wide.h"

/* COORDS is an entry of the tables of coordinates. NUMBER_MARGIN, NUMBER_NEAR and NUMBER_NEARER are
 * constants of render/interior.h and render/formula/inside.h. number_block is the number of steps
 * between two tests of an orbit that is no longer young: short blocks find more cycles, but cost
 * doubles 3 %. number_word is a word of the number that differs for most numbers. */
#ifdef NUMBER_FLOAT
typedef float value;
#define COORDS              struct coords_float
#define coords_point        coords_point_float
#define NUMBER_MARGIN       INTERIOR_MARGIN_FLOAT
#define NUMBER_NEAR         INSIDE_NEAR_FLOAT
#define NUMBER_NEARER       (real) INSIDE_NEARER_FLOAT
#define number_block(cycle) ((cycle) ? 32u : 64u)
#define number_word(x)      float_bits(x)
#define number_same(a, b)   (float_bits(a) == float_bits(b))
#elif defined NUMBER_DOUBLE
typedef double value;
#define COORDS              struct coords_double
#define coords_point        coords_point_double
#define NUMBER_MARGIN       INTERIOR_MARGIN_DOUBLE
#define NUMBER_NEAR         INSIDE_NEAR_DOUBLE
#define NUMBER_NEARER       INSIDE_NEARER_DOUBLE
#define number_block(cycle) 64u
#define number_word(x)      (uint32_t) double_bits(x)
#define number_same(a, b)   (double_bits(a) == double_bits(b))
#else
typedef struct wide value;
#define COORDS              struct coords_wide
#define coords_point        coords_point_wide
#define NUMBER_MARGIN       INTERIOR_MARGIN_DOUBLE
#define NUMBER_NEAR         INSIDE_NEAR_WIDE
#define NUMBER_NEARER       INSIDE_NEARER_WIDE
#define number_block(cycle) 16u
#define number_word(x)      (uint32_t) double_bits((x).hi)
#define number_same(a, b)                                                                          \
    (double_bits((a).hi) == double_bits((b).hi) && double_bits((a).lo) == double_bits((b).lo))
#endif

/* number_high(x) is the real nearest to a value. NUMBER_ROLLED is true if a step is so long that
 * loops over steps are not unrolled. */
#ifdef NUMBER_WIDE
#define number_high(x)     ((x).hi)
#define NUMBER_ROLLED      true
#define NUMBER_PARTS(a, b) &(a)->hi, &(a)->lo, &(b)->hi, &(b)->lo
#define number_square      wide_step_square
#define number_power       wide_step_power
#define number_norm2(x, y) norm2((x).hi, (y).hi)
#else
#define number_high(x)     (x)
#define NUMBER_ROLLED      false
#define NUMBER_PARTS(a, b) (a), (b)
#define number_square      step_square
#define number_power       step_power
#define number_norm2       norm2
#endif

/* Sets *x to a parameter of a recipe. */
INLINE void number_set(value *x, const host_double parameter[2]) {
#ifdef NUMBER_WIDE
    x->hi = parameter[0];
    x->lo = parameter[1];
#else
    *x = (value)of_host(parameter[0]);
#endif
}

/* Sets *cr and *ci to the c of pixel (x, y), from tables with `width` columns followed by the
 * rows. */
INLINE void number_place(const GLOBAL COORDS *coords, uint32_t layout, uint32_t width, uint32_t x,
                         uint32_t y, value *cr, value *ci) {
    const COORDS pair[2] = {coords[x], coords[width + y]}; /* a copy in private memory */
    coords_point(pair, layout, 1, 0, 0, NUMBER_PARTS(cr, ci));
}

#endif
