/* Steps of values; wide numbers have one arithmetic. */
#ifndef FATHOM_CUDA_ESCAPE_NUMBER_STEPS_CUH
#define FATHOM_CUDA_ESCAPE_NUMBER_STEPS_CUH

#include "cuda/escape/real.cuh"
#include "render/number/formula_wide.h"

template <typename real>
INLINE void number_step(const int formula, const bool fused, real *zr, real *zi, const real cr,
                        const real ci) {
    formula_step(formula, fused, zr, zi, cr, ci);
}

INLINE void number_step(const int formula, bool, struct wide *zr, struct wide *zi,
                        const struct wide cr, const struct wide ci) {
    formula_wide_step(formula, zr, zi, cr, ci);
}

template <typename real>
INLINE void number_square(const unsigned folds, real *zr, real *zi, const real cr, const real ci) {
    step_square(folds, zr, zi, cr, ci);
}

INLINE void number_square(const unsigned folds, struct wide *zr, struct wide *zi,
                          const struct wide cr, const struct wide ci) {
    wide_step_square(folds, zr, zi, cr, ci);
}

template <typename real>
INLINE void number_square_unfused(real *zr, real *zi, const real cr, const real ci) {
    step_square_unfused(zr, zi, cr, ci);
}

INLINE void number_square_unfused(struct wide *, struct wide *, struct wide, struct wide) {
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

template <typename real> INLINE real number_norm2(const bool fused, const real zr, const real zi) {
    return norm2(fused, zr, zi);
}

INLINE double number_norm2(bool, const struct wide zr, const struct wide zi) {
    return norm2(true, zr.hi, zi.hi);
}

#endif
