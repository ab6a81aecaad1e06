/* Steps of values. */
#ifndef FATHOM_CUDA_ESCAPE_NUMBER_STEPS_CUH
#define FATHOM_CUDA_ESCAPE_NUMBER_STEPS_CUH

#include "cuda/escape/real.cuh"
#include "render/number/formula_wide.h"

template <typename real>
INLINE void number_square(const unsigned folds, real *zr, real *zi, const real cr, const real ci) {
    step_square(folds, zr, zi, cr, ci);
}

INLINE void number_square(const unsigned folds, struct wide *zr, struct wide *zi,
                          const struct wide cr, const struct wide ci) {
    wide_step_square(folds, zr, zi, cr, ci);
}

template <typename real>
INLINE void number_power(const int power, const unsigned folds, real *zr, real *zi, const real cr,
                         const real ci) {
    step_power(power, folds, zr, zi, cr, ci);
}

INLINE void number_power(const int power, const unsigned folds, struct wide *zr, struct wide *zi,
                         const struct wide cr, const struct wide ci) {
    wide_step_power(power, folds, zr, zi, cr, ci);
}

template <typename real> INLINE real number_norm2(const real zr, const real zi) {
    return norm2(zr, zi);
}

INLINE double number_norm2(const struct wide zr, const struct wide zi) {
    return norm2(zr.hi, zi.hi);
}

#endif
