/* Steps of ways along orbits whose counts are known. */
#ifndef FATHOM_CUDA_ESCAPE_WALK_CUH
#define FATHOM_CUDA_ESCAPE_WALK_CUH

#include "cuda/escape/orbit_steps.cuh"

INLINE float walk_high(float x) {
    return x;
}

INLINE double walk_high(double x) {
    return x;
}

INLINE double walk_high(struct wide x) {
    return x.hi;
}

INLINE void walk_unfused(double *zr, double *zi, double cr, double ci) {
    step_square_unfused(zr, zi, cr, ci);
}

INLINE void walk_unfused(float *zr, float *zi, float cr, float ci) {
    step_square_unfused(zr, zi, cr, ci);
}

INLINE void walk_unfused(struct wide *, struct wide *, struct wide, struct wide) {
}

template <int power, typename real>
INLINE void walk_z(real *zr, real *zi, real cr, real ci, const unsigned folds, const bool fused) {
    if (power == 2 && !fused)
        walk_unfused(zr, zi, cr, ci);
    else if (power == 2)
        step_square(folds, zr, zi, cr, ci);
    else
        step_power(power, folds, zr, zi, cr, ci);
}

#endif
