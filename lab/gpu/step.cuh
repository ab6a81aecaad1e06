/* Steps of z^2 + c in floats and doubles: fused as fathom has them, or every operation rounded. */
#ifndef FATHOM_LAB_GPU_STEP_CUH
#define FATHOM_LAB_GPU_STEP_CUH

#include "cuda/escape/real.cuh"

template <bool fused, typename number> INLINE number norm(const number zr, const number zi) {
    const number ii = zi * zi;
    return fused ? real_fma(zr, zr, ii) : zr * zr + ii;
}

template <bool fused, typename number>
INLINE void step(number *zr, number *zi, const number cr, const number ci) {
    const number twice = *zr + *zr, ii = *zi * *zi;
    const number next = fused ? real_fma(-*zi, *zi, real_fma(*zr, *zr, cr)) : (*zr * *zr - ii) + cr;
    *zi = fused ? real_fma(twice, *zi, ci) : twice * *zi + ci;
    *zr = next;
}

#endif
