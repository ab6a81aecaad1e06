/* What gpu/kernels/kernel.h asks for of an orbit's numbers: floats, doubles and wide ones. */
#ifndef FATHOM_CUDA_ESCAPE_NUMBER_CUH
#define FATHOM_CUDA_ESCAPE_NUMBER_CUH

#include "cuda/escape/number_constants.cuh"
#include "cuda/escape/number_steps.cuh"
#include "gpu/kernels/kernel.h"
#include "render/formula/recipe.h"
#include "render/grid/coords_point.h"
#include "render/sample.h"

template <typename value> struct real_behind { typedef value type; };
template <> struct real_behind<struct wide> { typedef double type; };
template <typename value> using real_of = typename real_behind<value>::type;

INLINE float number_high(float x) {
    return x;
}

INLINE double number_high(double x) {
    return x;
}

INLINE double number_high(struct wide x) {
    return x.hi;
}

INLINE void number_set(float *x, const double parameter[2]) {
    *x = (float)parameter[0];
}

INLINE void number_set(double *x, const double parameter[2]) {
    *x = parameter[0];
}

INLINE void number_set(struct wide *x, const double parameter[2]) {
    *x = {parameter[0], parameter[1]};
}

INLINE bool number_same(float a, float b) {
    return float_bits(a) == float_bits(b);
}

INLINE bool number_same(double a, double b) {
    return double_bits(a) == double_bits(b);
}

INLINE bool number_same(struct wide a, struct wide b) {
    return number_same(a.hi, b.hi) && number_same(a.lo, b.lo);
}

INLINE uint32_t number_word(float x) {
    return float_bits(x);
}

INLINE uint32_t number_word(double x) {
    return (uint32_t)__double2loint(x);
}

INLINE uint32_t number_word(struct wide x) {
    return number_word(x.hi);
}

/* `table` is of the type's entries. */
#define COORDS void
INLINE void number_place(const void *table, bool upright, uint32_t width, uint32_t x, uint32_t y,
                         float *cr, float *ci) {
    coords_point_float((const struct coords_float *)table, upright, width, x, y, cr, ci);
}

INLINE void number_place(const void *table, bool upright, uint32_t width, uint32_t x, uint32_t y,
                         double *cr, double *ci) {
    coords_point_double((const struct coords_double *)table, upright, width, x, y, cr, ci);
}

INLINE void number_place(const void *table, bool upright, uint32_t width, uint32_t x, uint32_t y,
                         struct wide *cr, struct wide *ci) {
    coords_point_wide((const struct coords_wide *)table, upright, width, x, y, &cr->hi, &cr->lo,
                      &ci->hi, &ci->lo);
}

#define KERNEL_FORMULAS FORMULA_LIST
#include "gpu/kernels/orbit.h"

#endif
