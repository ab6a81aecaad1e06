/* What headers of kernels ask for of `real`, a float or a double. */
#ifndef FATHOM_CUDA_ESCAPE_REAL_CUH
#define FATHOM_CUDA_ESCAPE_REAL_CUH

#include "render/inline.h"
#include <math.h>

INLINE float real_fma(float a, float b, float c) {
    return fmaf(a, b, c);
}

INLINE double real_fma(double a, double b, double c) {
    return fma(a, b, c);
}

INLINE float real_sqrt(float x) {
    return __fsqrt_rn(x);
}

INLINE double real_sqrt(double x) {
    return __dsqrt_rn(x);
}

/* 2^k */
INLINE float real_power2(float k) {
    return bits_float(float_bits(k + (0x1.8p23f + 127)) << 23);
}

INLINE double real_power2(double k) {
    return bits_double(double_bits(k + (0x1.8p52 + 1023)) << 52);
}

/* x, its sign changed where that of `by` is set. */
INLINE float real_flip(float x, float by) {
    return bits_float(float_bits(x) ^ (float_bits(by) & 0x80000000u));
}

INLINE double real_flip(double x, double by) {
    return bits_double(double_bits(x) ^ (double_bits(by) & 0x8000000000000000u));
}
#define real_flip real_flip

#define real_from(x) ((real)(x))
#define REAL_WHOLE   (sizeof(real) == sizeof(float) ? 0x1.8p23 : 0x1.8p52)

typedef double real; /* of which wide numbers are made; templates call so what they are for */
#define FORMULA_KERNEL
#define WIDE_KERNEL

#endif
